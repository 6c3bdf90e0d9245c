import {
  cpSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { sql } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { sealAuditTrail } from "#lib/access/audit/seal-trail.ts";
import { verifyAuditTrail } from "#lib/access/audit/verify-trail.ts";
import { findSession } from "#lib/access/sessions.ts";
import { closeDatabase, migrated, query } from "#lib/db/database.ts";
import { type EmbeddedServer, serveEmbedded } from "#lib/db/embedded/serve.ts";
import { type Part, Tally } from "#lib/db/transfer/parts.ts";
import { backup, restore, verify } from "#scripts/database/commands.ts";
import { addEvents } from "../access/audit-rows.ts";
import { addToken, addUser, listUsers, signIn, tokenState } from "../access/people.ts";
import { copyEmptyDatabase } from "../empty-database.ts";

let pristine: string;
let folder: string;
let file: string;

const newFolder = () => mkdtempSync(join(tmpdir(), "platen-test-"));

/** Serves an embedded database, and makes it the one of this process, until the test ends. */
async function serve(dir: string): Promise<EmbeddedServer> {
  vi.stubEnv("SERVICE_DATABASE_DIR", dir);
  const server = await serveEmbedded({ dir, onProgress: () => undefined });
  await server.ready;
  return server;
}

/** Until the test ends. */
async function serveForTest(dir: string): Promise<void> {
  const server = await serve(dir);
  onTestFinished(() => closeDatabase().then(server.stop));
}

// Migrated once, because that takes a second.
beforeAll(async () => {
  pristine = await copyEmptyDatabase(newFolder());
  vi.stubEnv("DATABASE_URL", "");
  const server = await serve(pristine);
  await migrated();
  await closeDatabase();
  await server.stop();
});
afterAll(() => rmSync(pristine, { recursive: true, force: true }));

beforeEach(async () => {
  folder = newFolder();
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  file = join(folder, "platen.backup");
  vi.stubEnv("DATABASE_URL", "");
  cpSync(pristine, join(folder, "database"), { recursive: true });
  await serveForTest(join(folder, "database"));
});
afterEach(() => void vi.unstubAllEnvs());

const options = (isReplacing = false) => ({
  file,
  isReplacing,
  signal: new AbortController().signal,
  report: () => undefined,
});

/** Makes another embedded database the one of this process. No server uses it. */
async function useOther(): Promise<string> {
  await closeDatabase();
  const dir = await copyEmptyDatabase(join(folder, "other"));
  vi.stubEnv("SERVICE_DATABASE_DIR", dir);
  return dir;
}

const readParts = () =>
  gunzipSync(readFileSync(file))
    .toString()
    .split("\n")
    .filter(Boolean)
    .map((line): Part => JSON.parse(line));

function writeParts(parts: Part[]): void {
  writeFileSync(file, gzipSync(parts.map((part) => `${JSON.stringify(part)}\n`).join("")));
}

/** The rows of a table in the backup. */
function rowsOf(table: string) {
  const parts = readParts();
  const start = parts.findIndex((part) => "table" in part && part.table === table);
  const end = parts.findIndex((part, index) => index > start && !("rows" in part));
  return parts.slice(start + 1, end).flatMap((part) => ("rows" in part ? part.rows : []));
}

const insertThrottle = (key: string) =>
  query((db) => db.execute(sql`insert into throttle (key, empty_at) values (${key}, now())`));

describe("npm run database -- backup", () => {
  it("holds every row that was acknowledged before, and none without those before it, while others write", async () => {
    await addEvents({ count: 3_000, age: "1 hour" });
    let acknowledged = 0;
    let isOver = false;
    const writing = (async () => {
      for (; !isOver; acknowledged++) await insertThrottle(`${acknowledged}`.padStart(6, "0"));
    })();
    await vi.waitUntil(() => acknowledged > 20, { timeout: 60_000 });
    const before = acknowledged;
    await backup(options());
    isOver = true;
    await writing;
    const kept = rowsOf("throttle").map(([key]) => Number(key));
    expect(kept.length).toBeGreaterThanOrEqual(before);
    expect(kept.toSorted((one, other) => one - other)).toEqual(kept.map((_, index) => index));
    expect(rowsOf("audit_events")).toHaveLength(3_000);
    expect(await query((db) => db.execute(sql`select name from pg_cursors where name like 'platen%'`))).toEqual([]);
  });

  it("writes a file for its user alone, and never over another", async () => {
    await addUser("ada");
    expect(await backup(options())).toMatch(
      /^Wrote .*platen\.backup \([\d,]+ bytes\) with [\d,]+ rows:\n(?:.*\n)* {2}users: 1\n/,
    );
    expect(statSync(file).mode & 0o777).toBe(0o600);
    await expect(backup(options())).rejects.toThrow("is there already");
    const elsewhere = { ...options(), file: join(folder, "no", "platen.backup") };
    await expect(backup(elsewhere)).rejects.toThrow("There is no folder");
  });

  it("follows no link that is there in place of its unfinished file", async () => {
    const victim = join(folder, "victim");
    writeFileSync(victim, "kept");
    symlinkSync(victim, `${file}.unfinished`);
    await backup(options());
    expect(readFileSync(victim, "utf8")).toBe("kept");
    expect(lstatSync(file).isFile()).toBe(true);
  });

  it("leaves nothing behind when it is stopped", async () => {
    await addEvents({ count: 2_000, age: "1 hour" });
    await expect(backup({ ...options(), signal: AbortSignal.abort() })).rejects.toThrow("aborted");
    expect([existsSync(file), existsSync(`${file}.unfinished`)]).toEqual([false, false]);
  });

  it("says what to do with PostgreSQL, and where there is no database", async () => {
    vi.stubEnv("SERVICE_DATABASE_DIR", join(folder, "nothing"));
    await expect(backup(options())).rejects.toThrow("There is no embedded database in");
    vi.stubEnv("DATABASE_URL", "postgres://127.0.0.1:1/platen");
    await expect(backup(options())).rejects.toThrow("Use pg_dump");
  });

  it("saves every table, and there are no sequences that it would miss", async () => {
    const sequences = sql`select relname from pg_class where relkind = 'S' and relnamespace = 'public'::regnamespace`;
    expect(await query((db) => db.execute(sequences))).toEqual([]);
  });
});

describe("npm run database -- restore", () => {
  it("brings back sessions, tokens, unusual texts and the seals of the audit trail", async () => {
    const ada = await addUser("ada", "admin");
    const { secret, actor } = await signIn(ada);
    const { token } = await addToken(actor);
    await query((db) => db.execute(sql`update users set name = ${"a\u2028b \\ \"c\" 'd' null 🖼\n"}`));
    await addEvents({ count: 1_500, age: "2 hours" });
    await sealAuditTrail();
    const [users, trail] = [await listUsers(), await verifyAuditTrail()];
    expect(trail).toMatchObject({ fault: undefined, sealed: { rows: 1_500 } });
    await backup(options());
    expect(await verify(options())).toContain("is whole");
    const other = await useOther();
    expect(await restore(options())).toContain("audit_events: 1,5");
    await serveForTest(other);
    expect(await listUsers()).toEqual(users);
    expect(await findSession(secret)).toBeDefined();
    expect(await tokenState(token)).toBe("valid");
    expect(await verifyAuditTrail(trail.head?.hash)).toEqual(trail);
    const first = readParts();
    rmSync(file);
    await backup(options());
    expect(readParts().at(-1)).toEqual(first.at(-1));
  });

  it("replaces rows only when that is wanted, and all of them", async () => {
    await addUser("ada");
    await backup(options());
    await expect(restore(options(true))).rejects.toThrow("A server uses the embedded database");
    const other = await useOther();
    await restore(options());
    await expect(restore(options())).rejects.toThrow("has rows already, in audit_events, users. Add --overwrite");
    await restore(options(true));
    await expect(restore({ ...options(true), signal: AbortSignal.abort() })).rejects.toThrow("aborted");
    await serveForTest(other);
    expect((await listUsers()).map(({ email }) => email)).toEqual(["ada@example.com"]);
  });

  it("refuses a file that is cut off, changed or something else, before it opens a database", async () => {
    await addUser("ada");
    await backup(options());
    const whole = readFileSync(file);
    const parts = readParts();
    const other = await useOther();
    const refusal = async () => await restore(options()).then(String, (error: Error) => error.message);
    writeFileSync(file, whole.subarray(0, -20));
    expect(await refusal()).toMatch(/cannot be restored: it is cut off\. Use another backup\./);
    writeFileSync(file, gzipSync(Buffer.concat([gunzipSync(whole), Buffer.from("é").subarray(0, 1)])));
    expect(await refusal()).toMatch(/its bytes were changed/);
    writeFileSync(file, "PGDMP");
    expect(await refusal()).toMatch(/it is no gzip file/);
    writeParts(parts.slice(0, -1));
    expect(await refusal()).toMatch(/its end is missing/);
    writeParts(JSON.parse(JSON.stringify(parts).replaceAll("ada@example.com", "eve@example.com")));
    expect(await refusal()).toMatch(/the rows of "\w+" are not those that were written/);
    writeParts([...parts, { rows: [] }]);
    expect(await refusal()).toMatch(/its lines are not in their order/);
    rmSync(file);
    expect(await refusal()).toMatch(/There is no file/);
    expect(readdirSync(other)).toEqual(["data"]);
  });

  it("refuses names that are no tables and columns of Platen, and lines that no backup has", async () => {
    await addUser("ada");
    await backup(options());
    const parts = readParts();
    await useOther();
    const refusal = async () => await restore(options()).then(String, (error: Error) => error.message);
    const renamed = (from: RegExp, to: string): Part[] => JSON.parse(JSON.stringify(parts).replaceAll(from, () => to));
    for (const name of ['id\\") select pg_sleep(9) --', "\\u001b[2J", "Id"]) {
      writeParts(withTotals(renamed(/"id"/g, `"${name}"`)));
      expect(await refusal()).toMatch(/^[ -~]* line \d+ is not a part of a backup [ -~]*$/);
      writeParts(withTotals(renamed(/"users"/g, `"${name}"`)));
      expect(await refusal()).toMatch(/^[ -~]* line \d+ is not a part of a backup [ -~]*$/);
    }
    writeParts(withTotals(renamed(/"users"/g, '"pg_class"')));
    expect(await refusal()).toMatch(/There is no table "pg_class"/);
    writeParts(renamed(/"platen":"[^"]*"/g, '"platen":"\\u001b[2J"'));
    expect(await refusal()).toMatch(/^[ -~]* line 1 is not a part of a backup [ -~]*$/);
    writeFileSync(file, gzipSync(Buffer.alloc(100_000_000, "[")));
    expect(await refusal()).toMatch(/it has a line that no backup has/);
  });

  it("leaves the database as it was when a row cannot be loaded", async () => {
    await addUser("ada");
    await backup(options());
    const parts = readParts();
    const other = await useOther();
    await restore(options());
    // A role that no user has, with the totals of such a row.
    const broken: Part[] = JSON.parse(JSON.stringify(parts).replaceAll('"user","active"', '"king","active"'));
    writeParts(withTotals(broken));
    await expect(restore(options(true))).rejects.toThrow(/users_role_known/);
    writeParts(parts.map((part) => ("table" in part ? { ...part, columns: part.columns.with(0, "no_such") } : part)));
    await expect(restore(options(true))).rejects.toThrow(/has no column "no_such"/);
    await serveForTest(other);
    expect((await listUsers()).map(({ role }) => role)).toEqual(["user"]);
  });

  it("brings rows of an earlier version to this one, and refuses those of a later one", async () => {
    await addUser("ada");
    await backup(options());
    const parts = readParts();
    const head = parts[0] as Extract<Part, { migrations: number[] }>;
    const decomposed: Part[] = JSON.parse(JSON.stringify(parts).replaceAll("ada@example.com", "zoe\u0301@example.com"));
    const other = await useOther();
    writeParts(withTotals([{ ...head, migrations: [...head.migrations, 9_999_999_999_999] }, ...parts.slice(1)]));
    await expect(restore(options())).rejects.toThrow("of a newer version of Platen");
    // The last migration composes the letters of emails.
    writeParts(withTotals([{ ...head, migrations: head.migrations.slice(0, -1) }, ...decomposed.slice(1)]));
    await restore(options());
    await serveForTest(other);
    expect((await listUsers()).map(({ email }) => email)).toEqual(["zoé@example.com"]);
  });
});

/** The parts with the totals of their rows. */
function withTotals(parts: Part[]): Part[] {
  const tallies = new Map<string, Tally>();
  let tally: Tally | undefined;
  for (const part of parts)
    if ("table" in part) {
      tally = new Tally();
      tallies.set(part.table, tally);
    } else if ("rows" in part) tally?.add(part.rows);
  return [
    ...parts.slice(0, -1),
    { totals: Object.fromEntries([...tallies].map(([name, each]) => [name, each.total()])) },
  ];
}
