import {
  chmodSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from "vitest";
import { closeDatabase, query } from "#lib/db/database.ts";
import { explainForeignFiles, giveToOwner } from "#lib/db/embedded/folder-owner.ts";
import { serveEmbedded } from "#lib/db/embedded/serve.ts";
import { migrateDatabase } from "#lib/db/migrate.ts";
import { throttle } from "#lib/db/schema.ts";
import { captureLog } from "#tests/captured-log.ts";
import { copyEmptyDatabase } from "#tests/empty-database.ts";
import { asOrdinaryUser, giveToOrdinaryUser, IS_ROOT } from "./ordinary-user.ts";

let home: string;
let dir: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "platen-owner-"));
  // The ordinary user looks into it too.
  chmodSync(home, 0o755);
  dir = join(home, "database");
  mkdirSync(dir);
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const ownerOf = (path: string) => statSync(path).uid;

it.runIf(IS_ROOT)("the embedded database still belongs to the user of its folder after root has used it", async () => {
  vi.stubEnv("DATABASE_URL", "");
  vi.stubEnv("SERVICE_DATABASE_DIR", await copyEmptyDatabase(dir));
  const owner = giveToOrdinaryUser(dir);
  const { ready, stop } = await serveEmbedded({ dir, onProgress: () => undefined });
  await ready;
  await migrateDatabase();
  await query((db) => db.insert(throttle).values({ key: "made by root", emptyAt: new Date() }));
  await closeDatabase();
  await stop();
  vi.unstubAllEnvs();
  const names = readdirSync(dir, { recursive: true, encoding: "utf8" });
  expect(names.length).toBeGreaterThan(100);
  expect([...new Set(names.map((name) => ownerOf(join(dir, name))))]).toEqual([owner]);
});

it("the embedded database answers again once a folder that was closed to its user is open", async () => {
  vi.stubEnv("DATABASE_URL", "");
  vi.stubEnv("SERVICE_DATABASE_DIR", await copyEmptyDatabase(dir));
  giveToOrdinaryUser(dir);
  const lines = captureLog();
  const { ready, stop } = await serveEmbedded({ dir, onProgress: () => undefined });
  onTestFinished(async () => {
    await closeDatabase();
    await stop();
    vi.unstubAllEnvs();
  });
  await ready;
  await query((db) => db.insert(throttle).values({ key: "before", emptyAt: new Date() }));
  const change = () => query((db) => db.execute(sql`select pg_switch_wal()`)).catch(() => undefined);
  const failedStarts = () => lines.filter((line) => line.includes("could not be started")).length;
  await asOrdinaryUser(async () => {
    chmodSync(dir, 0);
    // The thread ends when it cannot make the next file of its log. Other files may be open since before.
    await expect.poll(() => change().then(failedStarts)).toBeGreaterThan(1);
    await expect(query((db) => db.$count(throttle))).rejects.toMatchObject({ code: "unavailable" });
    chmodSync(dir, 0o700);
  });
  // Root starts it again, where the tests are root's: an ordinary user may not read a project that lies in root's own folder.
  await expect.poll(() => query((db) => db.$count(throttle)).catch(() => undefined)).toBe(1);
});

it.runIf(IS_ROOT)("the owner of the folder gets nothing that lies elsewhere, wherever links in it lead", () => {
  const elsewhere = join(home, "elsewhere");
  mkdirSync(elsewhere);
  const [secret, second] = [join(elsewhere, "secret"), join(elsewhere, "second")];
  for (const path of [secret, second]) writeFileSync(path, "of root");
  const owner = giveToOrdinaryUser(dir);
  mkdirSync(join(dir, "folder"));
  const made = [join(dir, "folder"), join(dir, "folder", "made by root")];
  writeFileSync(made[1] as string, "");
  symlinkSync(elsewhere, join(dir, "link to a folder"));
  symlinkSync(secret, join(dir, "link to a file"));
  linkSync(second, join(dir, "second name"));
  giveToOwner(dir);
  expect(made.map(ownerOf)).toEqual([owner, owner]);
  expect([elsewhere, secret, second].map(ownerOf)).toEqual([0, 0, 0]);
});

it("a file that another user has made is named, with what to do", () => {
  const file = join(dir, "data", "pg_control");
  mkdirSync(join(dir, "data"));
  writeFileSync(file, "");
  giveToOrdinaryUser(dir);
  chmodSync(file, 0);
  const error = asOrdinaryUser(() => explainForeignFiles(dir, new Error("Aborted()"))) as Error;
  expect(error.message).toContain(`SERVICE_DATABASE_DIR: this user may not open ${file}`);
  expect(error.message).toContain(`chown -R --reference=${dir} ${dir}`);
});
