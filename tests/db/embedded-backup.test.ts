import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import postgres from "postgres";
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished, vi } from "vitest";
import { checkDatabase } from "#lib/db/check-database.ts";
import { closeDatabase, migrated } from "#lib/db/database.ts";
import { findEmbedded } from "#lib/db/embedded/folder-lock.ts";
import { serveEmbedded } from "#lib/db/embedded/serve.ts";
import { copyEmptyDatabase } from "#tests/empty-database.ts";

// The limits of a server: `tests/setup.ts` has longer ones, which are equal.
vi.mock("#lib/db/database-limits.ts", async (importOriginal) => {
  const limits = await importOriginal<typeof import("#lib/db/database-limits.ts")>();
  return { ...limits, START_TIMEOUT_MS: 30_000 };
});

const { PROBE_AFTER_MS, QUERY_TIMEOUT_MS } = await import("#lib/db/database-limits.ts");

let dir: string;
let pristine: string;

const newFolder = () => mkdtempSync(join(tmpdir(), "platen-test-"));

async function serve(folder: string): Promise<() => Promise<void>> {
  vi.stubEnv("DATABASE_URL", "");
  vi.stubEnv("SERVICE_DATABASE_DIR", folder);
  const server = await serveEmbedded({ dir: folder, onProgress: () => undefined });
  await server.ready;
  return () => closeDatabase().then(server.stop);
}

/** A connection of another process, such as a backup. */
function connect(): postgres.Sql {
  const sql = postgres({ path: findEmbedded(dir), max: 1, user: "postgres", database: "postgres" });
  onTestFinished(() => sql.end({ timeout: 0 }));
  return sql;
}

// Migrated once, because that takes a second.
beforeAll(async () => {
  pristine = await copyEmptyDatabase(newFolder());
  const stop = await serve(pristine);
  await migrated();
  await stop();
});
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(pristine, { recursive: true, force: true });
});

beforeEach(() => {
  dir = newFolder();
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  cpSync(pristine, dir, { recursive: true });
});

/** Queries while a backup of another process has the only session, for longer than a query may take on a PostgreSQL. */
async function queryDuringBackup({ afterMs }: { afterMs: number }): Promise<void> {
  const backup = connect();
  await backup.unsafe("begin");
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  onTestFinished(() => void vi.useRealTimers());
  await vi.advanceTimersByTimeAsync(afterMs);
  const query = checkDatabase();
  query.catch(() => undefined);
  await vi.advanceTimersByTimeAsync(2 * QUERY_TIMEOUT_MS);
  await backup.unsafe("commit");
  await query;
}

it("a query waits while a backup of another process copies rows aside, also on a connection that was idle", async () => {
  onTestFinished(await serve(dir));
  await checkDatabase();
  await queryDuringBackup({ afterMs: PROBE_AFTER_MS + 1 });
});

it("a new connection waits for such a backup too", async () => {
  onTestFinished(await serve(dir));
  await migrated();
  await queryDuringBackup({ afterMs: 0 });
});

it("a backup that was killed leaves no cursor, which keeps a copy of all rows", async () => {
  onTestFinished(await serve(dir));
  const [killed, other] = [connect(), connect()];
  for (const name of ["left", "closed"])
    await killed.unsafe(`declare "${name}" no scroll cursor with hold for select key from throttle`);
  await killed.unsafe(`close "closed"`);
  await other.unsafe(`declare "other" no scroll cursor with hold for select key from throttle`);
  await killed.end({ timeout: 0 });
  await vi.waitFor(async () => {
    const left = await other.unsafe("select name from pg_cursors where name in ('left', 'closed', 'other')");
    expect(left.map(({ name }) => name)).toEqual(["other"]);
  });
});

it("a start removes the copies of rows that a killed server has left", async () => {
  const file = join(dir, "data", "base", "pgsql_tmp", "pgsql_tmp42.1");
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, "rows of a backup");
  onTestFinished(await serve(dir));
  await checkDatabase();
  expect(existsSync(file)).toBe(false);
});
