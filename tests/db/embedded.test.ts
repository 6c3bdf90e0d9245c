import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { createConnection } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import postgres from "postgres";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { checkDatabase } from "#lib/db/check-database.ts";
import { Connection } from "#lib/db/connection.ts";
import { closeDatabase, query } from "#lib/db/database.ts";
import { SESSION_IDLE_MS } from "#lib/db/embedded/embedded-limits.ts";
import { findEmbedded } from "#lib/db/embedded/folder-lock.ts";
import { EMBEDDED_MAJOR, type EmbeddedServer, serveEmbedded } from "#lib/db/embedded/serve.ts";
import { migrateDatabase } from "#lib/db/migrate.ts";
import { throttle } from "#lib/db/schema.ts";
import { copyEmptyDatabase } from "#tests/empty-database.ts";
import { runProgram } from "./program.ts";

let dir: string;
/** Migrated once, because that takes a second. */
let pristine: string;

const newFolder = () => mkdtempSync(join(tmpdir(), "platen-test-"));

beforeAll(async () => {
  pristine = newFolder();
  vi.stubEnv("DATABASE_URL", "");
  vi.stubEnv("SERVICE_DATABASE_DIR", pristine);
  const server = await serveEmbedded({ dir: await copyEmptyDatabase(pristine), onProgress: () => undefined });
  await server.ready;
  await migrateDatabase();
  await server.stop();
});
afterAll(() => rmSync(pristine, { recursive: true, force: true }));

beforeEach(() => {
  dir = newFolder();
  cpSync(pristine, dir, { recursive: true });
  vi.stubEnv("DATABASE_URL", "");
  vi.stubEnv("SERVICE_DATABASE_DIR", dir);
});
afterEach(async () => {
  await closeDatabase();
  vi.unstubAllEnvs();
  rmSync(dir, { recursive: true, force: true });
});

async function serve(folder = dir): Promise<EmbeddedServer> {
  const server = await serveEmbedded({ dir: folder, onProgress: () => undefined });
  onTestFinished(() => closeDatabase().then(server.stop));
  await server.ready;
  return server;
}

function connect(): postgres.Sql {
  const sql = postgres({
    path: findEmbedded(dir),
    max: 1,
    user: "postgres",
    database: "postgres",
    onnotice: () => undefined,
  });
  onTestFinished(() => sql.end({ timeout: 0 }));
  return sql;
}

describe("the embedded database", () => {
  it("loses no acknowledged row when its server is killed", async () => {
    let written = 0;
    for (let round = 0; round < 2; round++) {
      const program = runProgram("write-on", { args: [String(written)] });
      await expect
        .poll(() => program.output().split("\n").length, { timeout: 60_000 })
        .toBeGreaterThan(50 + 50 * round);
      program.process.kill("SIGKILL");
      await program.ended;
      const told = program.output().split("\n").slice(0, -1).map(Number);
      written = (told.at(-1) ?? 0) + 2;
      const server = await serve();
      const rows = await query((db) => db.select({ key: throttle.key }).from(throttle));
      const found = new Set(rows.map(({ key }) => Number(key.split(" ")[0])));
      expect(told.filter((number) => !found.has(number))).toEqual([]);
      await closeDatabase();
      await server.stop();
    }
  }, 180_000);

  it("can be reached by its own user only", async () => {
    await serve();
    expect(statSync(dir).mode & 0o777).toBe(0o700);
    expect(statSync(findEmbedded(dir)).mode & 0o777).toBe(0o600);
    const files = readdirSync(dir).filter((name) => name.endsWith(".json"));
    expect(files.map((name) => statSync(join(dir, name)).mode & 0o777)).toEqual([0o600]);
  });

  it("works in a folder whose path is too long for a socket", async () => {
    const deep = join(dir, "long".repeat(30), "longer".repeat(20));
    vi.stubEnv("SERVICE_DATABASE_DIR", deep);
    cpSync(pristine, deep, { recursive: true });
    const server = await serve(deep);
    await checkDatabase();
    const socket = findEmbedded(deep);
    expect(socket.startsWith(deep)).toBe(false);
    expect(statSync(join(socket, "..")).mode & 0o777).toBe(0o700);
    await closeDatabase();
    await server.stop();
    expect(existsSync(join(socket, ".."))).toBe(false);
  });

  it("is created again after an interrupted creation", async () => {
    rmSync(join(dir, "data", "base"), { recursive: true });
    writeFileSync(join(dir, "creating"), "");
    await serve();
    await checkDatabase();
    expect(existsSync(join(dir, "creating"))).toBe(false);
  });

  it("refuses the data of another PostgreSQL version and names it", async () => {
    writeFileSync(join(dir, "data", "PG_VERSION"), "17\n");
    await expect(serve()).rejects.toThrow(
      `PostgreSQL 17, and this version of Platen reads PostgreSQL ${EMBEDDED_MAJOR}`,
    );
  });

  it("is not created anew over data that has lost a file", async () => {
    rmSync(join(dir, "data", "PG_VERSION"));
    await expect(serve()).rejects.toThrow("is damaged or was not copied as a whole: it has no PG_VERSION.");
    expect(existsSync(join(dir, "data", "PG_VERSION"))).toBe(false);
  });

  it("that cannot be opened says where it is and what to do", async () => {
    truncateSync(join(dir, "data", "global", "pg_control"), 100);
    await expect(serve()).rejects.toThrow(`cannot open ${join(dir, "data")}. If it cannot at a second start either,`);
  });

  it("has the version that its data is checked for", async () => {
    await serve();
    const [row] = await connect()`show server_version_num`;
    expect(String(row?.server_version_num).slice(0, 2)).toBe(EMBEDDED_MAJOR);
  });

  it("fails with an explanation when no server runs", async () => {
    await expect(checkDatabase()).rejects.toThrow("DATABASE_URL: not set, and no embedded database is served here");
  });
});

describe("two connections to the embedded database", () => {
  it("never get each other's results, inside and outside transactions", async () => {
    await serve();
    const ask = async (sql: postgres.Sql, name: string) => {
      for (let count = 0; count < 50; count++) {
        const [plain] = await sql`select ${name}::text as name, ${count}::int as count`;
        expect(plain).toEqual({ name, count });
        const many = await Promise.all([1, 2, 3].map((each) => sql.unsafe(`select '${name}${each}' as name`)));
        expect(many.map(([row]) => row?.name)).toEqual([`${name}1`, `${name}2`, `${name}3`]);
        await sql.begin(async (tx) => {
          await tx`select set_config('platen.who', ${name}, true)`;
          const [inside] = await tx`select current_setting('platen.who') as who, ${count}::int as count`;
          expect(inside).toEqual({ who: name, count });
        });
        await expect(sql`select ${name}::int`).rejects.toThrow(`"${name}"`);
      }
    };
    await Promise.all(["ada", "bob", "eve"].map((name) => ask(connect(), name)));
  });

  it("are not blocked by one that died in a transaction, which is rolled back", async () => {
    await serve();
    await checkDatabase();
    const [dying, other] = [connect(), connect()];
    await dying.unsafe("begin");
    await dying`insert into throttle (key, empty_at) values ('half', now())`;
    await dying.end({ timeout: 0 });
    expect(await other`select * from throttle`).toEqual([]);
  });

  it("are not blocked for long by one that is silent in a transaction, which is rolled back", async () => {
    await serve();
    await checkDatabase();
    const [silent, other] = [connect(), connect()];
    await silent.unsafe("begin");
    await silent`insert into throttle (key, empty_at) values ('half', now())`;
    expect(await other`select * from throttle`).toEqual([]);
  });

  it("are not blocked for long by a migration whose process stands still, which is rolled back", async () => {
    const fresh = newFolder();
    onTestFinished(() => rmSync(fresh, { recursive: true, force: true }));
    vi.stubEnv("SERVICE_DATABASE_DIR", await copyEmptyDatabase(fresh));
    await serve(fresh);
    const run = Connection.prototype.run;
    const stall = vi.spyOn(Connection.prototype, "run").mockImplementation(async function (this: Connection, ...given) {
      const rows = await run.apply(this, given);
      if (given[0].includes("pg_try_advisory_xact_lock")) await sleep(SESSION_IDLE_MS + 1_000);
      return rows;
    });
    await expect(migrateDatabase()).rejects.toThrow("The connection was lost.");
    stall.mockRestore();
    await migrateDatabase();
    await checkDatabase();
  });

  it("are not cut off by a command that has served the database and is done", async () => {
    const server = await serveEmbedded({ dir, onProgress: () => undefined });
    await server.ready;
    const other = connect();
    await other`select 1`;
    const stopped = server.stop();
    for (let count = 0; count < 20; count++) expect(await other`select ${count}::int as count`).toEqual([{ count }]);
    await other.end();
    await stopped;
  });

  it("are not disturbed by one that sends invalid messages", async () => {
    await serve();
    for (const bytes of [Buffer.alloc(100, 0xff), Buffer.from("GET / HTTP/1.1\r\n\r\n"), Buffer.from([0, 0, 0, 1])]) {
      const socket = createConnection({ path: findEmbedded(dir) });
      await new Promise<void>((resolve) =>
        socket
          .on("close", () => resolve())
          .on("error", () => {})
          .end(bytes)
          .resume(),
      );
    }
    await checkDatabase();
  });
});
