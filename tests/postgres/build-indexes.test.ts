import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "drizzle-orm";
import postgres from "postgres";
import { afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { databaseConfig } from "#lib/config.ts";
import { buildIndexes } from "#lib/db/build-indexes.ts";
import { migrated, query } from "#lib/db/database.ts";
import { readMigrations } from "#lib/db/migrations.ts";
import { addUser, signIn } from "#tests/access/people.ts";
import { useDatabase } from "#tests/database.ts";
import { spawnGroup } from "#tests/process-group.ts";

const ROWS = 1_000_000;

const forever = () => new AbortController().signal;

useDatabase();

/** A connection of someone else's, whose open transaction no build can pass. */
let other: postgres.Sql;

const migration = () => readMigrations().filter(({ indexes }) => indexes);
const names = () => migration().flatMap(({ indexes = [] }) => indexes.map(({ name }) => name));

const validity = async () =>
  await query((db) =>
    db.execute<{ name: string; valid: boolean }>(sql`
      select relname as name, indisvalid as valid from pg_index join pg_class on pg_class.oid = indexrelid
      where relname in ${names()} order by relname`),
  );

const allValid = () =>
  names()
    .toSorted()
    .map((name) => ({ name, valid: true }));

/** Takes the database back to the version before its concurrent indexes. */
async function forgetIndexes(): Promise<void> {
  for (const name of names()) await query((db) => db.execute(sql.raw(`drop index if exists "${name}"`)));
  for (const { at } of migration())
    await query((db) => db.execute(sql`delete from drizzle.__drizzle_migrations where created_at = ${at}`));
}

/** Keeps every index of the audit trail from being completed until the returned function is called. */
async function holdTable(): Promise<() => Promise<void>> {
  await other.unsafe("begin; lock table audit_events in row exclusive mode");
  return async () => void (await other.unsafe("rollback"));
}

beforeAll(async () => {
  await migrated();
  await buildIndexes(forever());
});

beforeEach(async () => {
  other = postgres(String(databaseConfig().url), { max: 1, onnotice: () => undefined });
  await forgetIndexes();
});

afterEach(async () => {
  await other.end();
  await buildIndexes(forever());
  await query((db) => db.execute(sql`delete from audit_events`));
});

const isBuilding = async () => (await validity()).some(({ valid }) => !valid);

describe("indexes that the database lacks", () => {
  it("are built over a million rows while people sign in", async () => {
    await other.unsafe(`
      insert into audit_events (id, act, actor_name) select gen_random_uuid(), 'login', 'person ' || number
      from generate_series(1, ${ROWS}) as number`);
    const release = await holdTable();
    const building = buildIndexes(forever());
    await expect.poll(isBuilding).toBe(true);
    await signIn(await addUser("ada"));
    expect(await isBuilding()).toBe(true);
    await release();
    await building;
    expect(await validity()).toEqual(allValid());
  });

  it("are built once by processes that start together, and waiting ones delay no build", async () => {
    const release = await holdTable();
    const all = [1, 2, 3].map(() => buildIndexes(forever()));
    await expect.poll(isBuilding).toBe(true);
    await release();
    await Promise.all(all);
    expect(await validity()).toEqual(allValid());
    const records = await query((db) => db.execute(sql`select created_at from drizzle.__drizzle_migrations`));
    expect(records).toHaveLength(readMigrations().length);
  });

  it("are waited for by a migration while another process builds them", async () => {
    const release = await holdTable();
    const building = buildIndexes(forever());
    await expect.poll(isBuilding).toBe(true);
    const command = spawnGroup([process.execPath, "scripts/migrate.ts"]);
    const ended = once(command, "exit");
    expect(await Promise.race([ended, sleep(4_000, "waits")])).toBe("waits");
    await release();
    await building;
    expect(await ended).toEqual([0, null]);
  });

  it("are built where the transactions of the database have one snapshot each", async () => {
    const url = String(databaseConfig().url);
    onTestFinished(() => void vi.stubEnv("DATABASE_URL", url));
    vi.stubEnv("DATABASE_URL", `${url}?default_transaction_isolation=repeatable%20read`);
    await buildIndexes(forever());
    expect(await validity()).toEqual(allValid());
  });

  it("are built where statements have a limit of time, however long it takes", async () => {
    const url = String(databaseConfig().url);
    onTestFinished(() => void vi.stubEnv("DATABASE_URL", url));
    vi.stubEnv("DATABASE_URL", `${url}?statement_timeout=1000`);
    const release = await holdTable();
    const building = buildIndexes(forever());
    await expect.poll(isBuilding).toBe(true);
    await other.unsafe("select pg_sleep(2)");
    await release();
    await building;
    expect(await validity()).toEqual(allValid());
  });

  it("are built again when a build was cut off", async () => {
    const release = await holdTable();
    const end = new AbortController();
    const building = buildIndexes(end.signal);
    await expect.poll(isBuilding).toBe(true);
    end.abort();
    await expect(building).rejects.toThrow();
    expect(await isBuilding()).toBe(true);
    await release();
    await buildIndexes(forever());
    expect(await validity()).toEqual(allValid());
  });
});
