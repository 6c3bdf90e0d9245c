import { randomBytes } from "node:crypto";
import { sql } from "drizzle-orm";
import connect from "postgres";
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from "vitest";
import type { TokenActor } from "#lib/access/actor.ts";
import { findSession } from "#lib/access/sessions.ts";
import { noteTokenUse } from "#lib/access/tokens.ts";
import { flushUsage, recordRender, stopUsage } from "#lib/access/usage.ts";
import { closeDatabase, migrated, query } from "#lib/db/database.ts";
import { QUERY_TIMEOUT_MS } from "#lib/db/database-limits.ts";
import { MIGRATION_LOCK } from "#lib/db/migrate.ts";
import { tokens, usage } from "#lib/db/schema.ts";
import { lookAtDatabase } from "#lib/status/database.ts";
import { addToken, addUser, signIn } from "#tests/access/people.ts";
import { captureLog } from "#tests/captured-log.ts";
import { forgetWarnings } from "#tests/db/rare-warnings.ts";
import { useRelay } from "#tests/db/relay.ts";
import { type Postgres, startPostgres } from "#tests/postgres/programs.ts";

let postgres: Postgres;
let direct: ReturnType<typeof connect>;

beforeAll(async () => {
  postgres = await startPostgres();
  const url = await postgres.createDatabase("platen");
  direct = connect(url, { max: 1, onnotice: () => undefined });
  await closeDatabase();
  vi.stubEnv("SERVICE_AUTH_ENABLED", "true");
  vi.stubEnv("DATABASE_URL", url);
});

afterAll(async () => {
  await closeDatabase();
  vi.unstubAllEnvs();
  await direct?.end();
  await postgres?.remove();
});

/**
 * Without a stand-by of that name, a commit is on the disk, and waits for the stand-by until it is cancelled. Each connection learns of it
 * by itself, so the idle one of the pool is asked too.
 */
async function awaitStandby(name: string): Promise<void> {
  await direct.unsafe(`alter system set synchronous_standby_names = '${name}'`);
  await direct`select pg_reload_conf()`;
  const shown = [{ synchronous_standby_names: name }];
  await expect.poll(() => direct`show synchronous_standby_names`).toEqual(shown);
  await expect.poll(() => query((db) => db.execute(sql`show synchronous_standby_names`))).toEqual(shown);
}

it("renders are counted once while the synchronous stand-by is away", async () => {
  onTestFinished(stopUsage);
  const { actor } = await signIn(await addUser("ada"));
  const lines = captureLog();
  await awaitStandby("away");
  for (let batch = 0; batch < 3; batch++) {
    recordRender({ actor, template: "a" });
    await flushUsage();
  }
  await awaitStandby("");
  await flushUsage();
  expect(await query((db) => db.select({ renders: usage.renders }).from(usage))).toEqual([{ renders: 3 }]);
  expect(lines).toEqual([]);
});

/** Keeps the writes of usage waiting at a trigger of that kind, until `goOn` is called. */
async function holdUsage(trigger: string): Promise<{ goOn: () => Promise<unknown> }> {
  await direct`create function wait() returns trigger language plpgsql as 'begin perform pg_advisory_xact_lock(1); return new; end'`;
  await direct.unsafe(`create ${trigger} for each row execute function wait()`);
  await direct`select pg_advisory_lock(1)`;
  return { goOn: () => direct`select pg_advisory_unlock(1)` };
}

it("renders are counted once when their commit takes longer than its client waits", async () => {
  onTestFinished(stopUsage);
  const { actor } = await signIn(await addUser("betty"));
  const { relay, remove } = await useRelay();
  onTestFinished(remove);
  captureLog();
  const rendersOf = (userId: string) =>
    query((db) => db.select({ renders: usage.renders }).from(usage).where(sql`user_id = ${userId}`));
  const { goOn } = await holdUsage(
    "constraint trigger slow after insert or update on usage deferrable initially deferred",
  );
  recordRender({ actor, template: "a" });
  relay.cutAfter("commit\0");
  await flushUsage();
  await expect
    .poll(() => direct`select from pg_stat_activity where query = 'commit' and wait_event = 'advisory'`)
    .toHaveLength(1);
  recordRender({ actor, template: "a" });
  await flushUsage();
  expect(await rendersOf(actor.user.id)).toEqual([]);
  await goOn();
  const afterFlush = async () => {
    await flushUsage();
    return await rendersOf(actor.user.id);
  };
  await expect.poll(afterFlush).toEqual([{ renders: 2 }]);
  expect(await afterFlush()).toEqual([{ renders: 2 }]);
  await direct`drop function wait cascade`;
});

it("renders are counted once when the answer to a statement before the commit comes too late", async () => {
  onTestFinished(stopUsage);
  const { actor } = await signIn(await addUser("carol"));
  const { relay, remove } = await useRelay();
  onTestFinished(remove);
  captureLog();
  await query((db) => db.select({ renders: usage.renders }).from(usage), "background");
  const { goOn } = await holdUsage("trigger slow before insert on usage");
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  recordRender({ actor, template: "a" });
  const flushed = flushUsage();
  while ((await direct`select from pg_stat_activity where wait_event = 'advisory'`).length === 0);
  await relay.set("hang");
  await vi.advanceTimersByTimeAsync(QUERY_TIMEOUT_MS);
  await flushed;
  vi.useRealTimers();
  await goOn();
  const idle = () => direct`select from pg_stat_activity where application_name = 'platen' and state like 'idle in %'`;
  await expect.poll(idle).toHaveLength(1);
  await relay.set("pass");
  await expect.poll(idle).toEqual([]);
  const afterFlush = async () => {
    await flushUsage();
    return await query((db) =>
      db.select({ renders: usage.renders }).from(usage).where(sql`user_id = ${actor.user.id}`),
    );
  };
  await expect.poll(afterFlush).toEqual([{ renders: 1 }]);
  recordRender({ actor, template: "a" });
  expect(await afterFlush()).toEqual([{ renders: 2 }]);
  await direct`drop function wait cascade`;
});

it("the status says that changes wait while the synchronous stand-by is away", async () => {
  expect(await lookAtDatabase()).not.toMatchObject({ state: "error" });
  await awaitStandby("away");
  onTestFinished(() => awaitStandby(""));
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const looking = lookAtDatabase();
  while ((await direct`select from pg_stat_activity where wait_event = 'SyncRep'`).length === 0);
  await vi.advanceTimersByTimeAsync(QUERY_TIMEOUT_MS);
  expect(await looking).toMatchObject({ state: "error", summary: expect.stringContaining("keeps changes waiting") });
});

it("the status names a table that another program locks, and the process that does", async () => {
  expect(await lookAtDatabase()).not.toMatchObject({ state: "error" });
  const lines = captureLog();
  await direct.begin(async (lock) => {
    await lock`lock table sessions, devices in share mode`;
    const [row] = await lock`select pg_backend_pid() as pid`;
    const { summary, ...found } = await lookAtDatabase();
    expect(summary).toContain('locks tables of the database, or waits to: "devices", "sessions".');
    expect(found).toMatchObject({ state: "error", remedy: expect.stringContaining(` ${row?.pid}.`) });
  });
  expect(lines).toEqual([]);
  expect(await lookAtDatabase()).not.toMatchObject({ state: "error" });
});

it("notes of the last use of tokens that wait for a lock keep no connection from requests", async () => {
  const { actor, secret } = await signIn(await addUser("grace"));
  const { actor: token } = await addToken(actor);
  const rows = Array.from({ length: 60 }, (_, index) => ({
    id: `0199f000-0000-7000-8000-${String(index).padStart(12, "0")}`,
    userId: actor.user.id,
    name: `token ${index}`,
    prefix: "svc_",
    secretHash: randomBytes(32),
  }));
  await query((db) => db.insert(tokens).values(rows as (typeof tokens.$inferInsert)[]));
  forgetWarnings();
  captureLog();
  await direct.begin(async (lock) => {
    await lock`lock table tokens in share mode`;
    const noted = rows.map(({ id }) => noteTokenUse({ ...token, tokenId: id } as TokenActor));
    const found = await Promise.all(Array.from({ length: 20 }, () => findSession(secret)));
    expect(found.map((session) => session?.sessionId)).toEqual(found.map(() => actor.sessionId));
    const waiting = await lock`select from pg_stat_activity where wait_event_type = 'Lock'`;
    expect(waiting.length).toBeLessThanOrEqual(2);
    await Promise.all(noted);
  });
  await expect.poll(() => query((db) => db.$count(tokens, sql`last_used_at is not null`))).toBeGreaterThan(0);
});

// By itself, the wait ends after two minutes.
it("a process that stops does not wait until another one has migrated", async () => {
  const url = await postgres.createDatabase("migrating");
  const other = connect(url, { max: 1 });
  onTestFinished(() => other.end());
  await other`select pg_advisory_lock(${MIGRATION_LOCK})`;
  await closeDatabase();
  vi.stubEnv("DATABASE_URL", url);
  const waiting = migrated().catch((error: unknown) => error);
  const hasAsked = () => other`select from pg_stat_activity where datname = 'migrating' and query = 'commit'`;
  await expect.poll(hasAsked).toHaveLength(1);
  await closeDatabase();
  expect(await waiting).toMatchObject({ code: "unavailable" });
}, 60_000);
