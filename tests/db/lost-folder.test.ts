import {
  appendFileSync,
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from "vitest";
import { closeDatabase, query } from "#lib/db/database.ts";
import { type EmbeddedServer, serveEmbedded } from "#lib/db/embedded/serve.ts";
import { throttle } from "#lib/db/schema.ts";
import type { AppError } from "#lib/errors.ts";
import { captureLog } from "#tests/captured-log.ts";
import { copyEmptyDatabase } from "#tests/empty-database.ts";
import { runProgram } from "./program.ts";

let home: string;
let dir: string;
let server: EmbeddedServer;
let lines: string[];

beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), "platen-test-"));
  dir = join(home, "database");
  vi.stubEnv("DATABASE_URL", "");
  vi.stubEnv("SERVICE_DATABASE_DIR", dir);
  lines = captureLog();
  server = await serveEmbedded({ dir: await copyEmptyDatabase(dir), onProgress: () => undefined });
  await server.ready;
  await query((db) => db.insert(throttle).values({ key: "kept", emptyAt: new Date() }));
});
afterEach(async () => {
  await closeDatabase();
  await server.stop();
  vi.unstubAllEnvs();
  rmSync(home, { recursive: true, force: true });
});

const rows = () => query((db) => db.$count(throttle)).catch((error: AppError) => error.code);
const claims = () => readdirSync(dir).filter((name) => name.endsWith(".json"));
const expectRows = (count: number) => expect.poll(rows, { timeout: 30_000 }).toBe(count);
const expectLine = (text: string) => expect.poll(() => lines.join(""), { timeout: 30_000 }).toContain(text);

it("a server whose folder was away for a while serves it again, and no new database instead", async () => {
  renameSync(dir, join(home, "away"));
  await expectLine("This server has lost the embedded database");
  await expectLine(`There is no database in ${dir}. Is its disk mounted?`);
  expect(await rows()).toBe("unavailable");
  // What is left of a mounted folder is an empty one.
  mkdirSync(dir);
  lines.length = 0;
  await expectLine(`There is no database in ${dir}. Is its disk mounted?`);
  expect(readdirSync(dir)).toEqual([]);
  rmdirSync(dir);
  renameSync(join(home, "away"), dir);
  await expectRows(1);
});

it("an earlier copy that has taken the place of the folder is migrated and served", async () => {
  renameSync(dir, join(home, "away"));
  await copyEmptyDatabase(dir);
  await expectRows(0);
});

it("a copy that was made while the server ran takes its place unharmed and private, with its own rows", async () => {
  const copy = join(home, "copy");
  cpSync(dir, copy, { recursive: true, filter: (name) => !name.endsWith(".socket") });
  await query((db) => db.insert(throttle).values({ key: "later", emptyAt: new Date() }));
  renameSync(dir, join(home, "away"));
  chmodSync(copy, 0o755);
  renameSync(copy, dir);
  await expectRows(1);
  expect(statSync(dir).mode & 0o777).toBe(0o700);
  await query((db) => db.insert(throttle).values({ key: "after", emptyAt: new Date() }));
  await closeDatabase();
  await server.stop();
  server = await serveEmbedded({ dir, onProgress: () => undefined });
  await server.ready;
  expect(await rows()).toBe(2);
});

it("a copy is recognised also where its claim has the place on the disk that the deleted one had", async () => {
  for (const name of claims()) {
    const claim = readFileSync(join(dir, name));
    rmSync(join(dir, name));
    writeFileSync(join(dir, name), claim);
  }
  await expectLine("This server has lost the embedded database");
  await expectRows(1);
});

it("a copy is served once it is complete", async () => {
  const away = join(home, "away");
  renameSync(dir, away);
  mkdirSync(join(dir, "data"), { recursive: true });
  cpSync(join(away, "data", "PG_VERSION"), join(dir, "data", "PG_VERSION"));
  const later = join(dir, "data", "later");
  const growing = setInterval(() => appendFileSync(later, "more"), 50);
  onTestFinished(() => clearInterval(growing));
  await expectLine(`The database in ${dir} is still being copied.`);
  expect(readdirSync(join(dir, "data")).sort()).toEqual(["PG_VERSION", "later"]);
  cpSync(join(away, "data"), join(dir, "data"), { recursive: true });
  clearInterval(growing);
  rmSync(later);
  await expectRows(1);
});

it("a server whose folder another one took over serves it again once the other one has ended", async () => {
  // Without this file, the server does not claim the folder before the other one has started.
  const version = join(dir, "data", "PG_VERSION");
  renameSync(version, join(home, "version"));
  for (const name of claims()) rmSync(join(dir, name));
  const other = runProgram("claim", { args: [dir, "0"] });
  await expect.poll(other.output, { timeout: 60_000 }).toBe("mine\n");
  renameSync(join(home, "version"), version);
  await expectLine(`in use by process ${other.process.pid}`);
  expect(await rows()).toBe("unavailable");
  other.process.kill("SIGKILL");
  await expectRows(1);
});

it("a server that is stopped while it watches the claim of another one does not claim its folder later", async () => {
  for (const name of claims()) rmSync(join(dir, name));
  const foreign = join(dir, "server.1-7-7.abc.json");
  writeFileSync(
    foreign,
    JSON.stringify({ owner: "1-7-7", pid: 7, boot: "another", socket: join(dir, "foreign.socket") }),
  );
  await expectLine("It is started again");
  // The other one is watched for ten seconds, or until its claim is gone.
  await sleep(1_000);
  await server.stop();
  rmSync(foreign);
  await sleep(1_500);
  expect(claims()).toEqual([]);
});
