import { setImmediate } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { checkDatabase } from "#lib/db/check-database.ts";
import { closeDatabase, query, transaction } from "#lib/db/database.ts";
import { CANCEL_TIMEOUT_MS, QUERY_TIMEOUT_MS } from "#lib/db/database-limits.ts";
import { AppError } from "#lib/errors.ts";
import { captureLog } from "#tests/captured-log.ts";
import { useDatabase } from "#tests/database.ts";
import { type Relay, type RelayMode, useRelay } from "./relay.ts";

/*
 * Only the limit of a query runs on a clock that these tests move. Sockets are real, so that nothing here depends on how fast
 * the machine is: `QUERY_TIMEOUT_MS` is the long one of `tests/setup.ts`, and passes only when a test says so.
 */

useDatabase();

let relay: Relay;
let remove: () => Promise<void>;

beforeEach(async () => {
  ({ relay, remove } = await useRelay());
});
afterEach(async () => {
  vi.useRealTimers();
  await remove();
});

type Result = { error: unknown };

async function outcome(act: () => Promise<unknown>): Promise<Result> {
  return await act().then(
    () => ({ error: undefined }),
    (error: unknown) => ({ error }),
  );
}

const holdClock = () => vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });

/**
 * The results of concurrent acts during an outage. A database that hangs is only noticed at the limit, so that the limit
 * passes. In every other outage the connection fails, and the limit does not pass.
 */
async function outcomesDuring(mode: RelayMode, acts: (() => Promise<unknown>)[]): Promise<Result[]> {
  if (mode !== "hang") return await Promise.all(acts.map(outcome));
  holdClock();
  try {
    const running = Promise.all(acts.map(outcome));
    for (let turn = 0; turn < 10; turn++) await setImmediate();
    await vi.advanceTimersByTimeAsync(QUERY_TIMEOUT_MS);
    return await running;
  } finally {
    vi.useRealTimers();
  }
}

function expectUnavailable({ error }: Result): void {
  expect(error).toBeInstanceOf(AppError);
  expect(error).toMatchObject({ code: "unavailable", headers: { "Retry-After": "2" } });
}

const OUTAGES: RelayMode[] = ["refuse", "hang", "hang up"];

it("the limit of a query is below the two seconds in which an outage has to be answered", async () => {
  const limits = await vi.importActual<typeof import("#lib/db/database-limits.ts")>("#lib/db/database-limits.ts");
  expect(limits.QUERY_TIMEOUT_MS).toBeLessThan(2_000);
  expect(limits.CONNECT_TIMEOUT_MS).toBeLessThan(limits.QUERY_TIMEOUT_MS);
});

describe.each(OUTAGES)("a database whose connections %s", (mode) => {
  it("is unavailable for every query and transaction, and answers the first query after its return", async () => {
    await checkDatabase();
    await relay.set(mode);
    const acts = [
      ...Array.from({ length: 10 }, () => checkDatabase),
      () => transaction((tx) => tx.execute(sql`select 1`)),
    ];
    for (let round = 0; round < 2; round++)
      for (const result of await outcomesDuring(mode, acts)) expectUnavailable(result);
    await relay.set("pass");
    await checkDatabase();
  });

  it("is unavailable from the start, and answers the first query after its return", async () => {
    await relay.set(mode);
    for (const result of await outcomesDuring(mode, [checkDatabase])) expectUnavailable(result);
    await relay.set("pass");
    await checkDatabase();
  });

  it("fails a transaction as a whole", async () => {
    const insert = sql`insert into throttle (key, empty_at) values ('half', now())`;
    await checkDatabase();
    holdClock();
    const result = await outcome(() =>
      transaction(async (tx) => {
        await tx.execute(insert);
        await relay.set(mode);
        const next = outcome(() => tx.execute(sql`select 1`));
        if (mode === "hang") await vi.advanceTimersByTimeAsync(QUERY_TIMEOUT_MS);
        throw (await next).error;
      }),
    );
    vi.useRealTimers();
    expectUnavailable(result);
    await relay.set("pass");
    expect(await query((db) => db.execute(sql`select * from throttle`))).toEqual([]);
  });
});

describe("a database that does not answer", () => {
  it("is logged once when the outage begins and once when it ends", async () => {
    await checkDatabase();
    const lines = captureLog();
    await relay.set("refuse");
    for (let count = 0; count < 5; count++) await outcome(checkDatabase);
    await relay.set("pass");
    await checkDatabase();
    expect(lines.map((line) => JSON.parse(line).msg)).toEqual([
      "The database does not answer.",
      "The database answers again.",
    ]);
    // PostgreSQL is told by its address, and the embedded database by its folder.
    expect(JSON.parse(lines[0] ?? "")).toMatchObject({
      reason: expect.stringMatching(/\w/),
      database: expect.stringMatching(/at 127\.0\.0\.1:\d+, database |embedded database in \//),
    });
  });

  it("gets a bounded number of new connections", async () => {
    await relay.set("hang up");
    await outcome(checkDatabase);
    expect(relay.connections).toBeLessThan(5);
  });

  it("keeps no connection of this process open", async () => {
    await Promise.all(Array.from({ length: 20 }, checkDatabase));
    await relay.set("hang");
    await outcomesDuring(
      "hang",
      Array.from({ length: 20 }, () => checkDatabase),
    );
    await relay.set("pass");
    await checkDatabase();
    await closeDatabase();
    await expect.poll(() => relay.open).toBe(0);
  });
});

describe("a query that takes too long", () => {
  it("fails exactly at the limit, and what it has begun is rolled back", async () => {
    await checkDatabase();
    holdClock();
    const inserted = Promise.withResolvers<void>();
    const late = Promise.withResolvers<void>();
    const ended = Promise.withResolvers<Result>();
    let result: Result | undefined;
    const running = outcome(() =>
      transaction(async (tx) => {
        await tx.execute(sql`insert into throttle (key, empty_at) values ('slow', now())`);
        inserted.resolve();
        await late.promise;
        const insert = sql`insert into throttle (key, empty_at) values ('late', now())`;
        ended.resolve(await outcome(() => tx.execute(insert)));
      }),
    ).then((value) => {
      result = value;
    });
    await inserted.promise;
    await vi.advanceTimersByTimeAsync(QUERY_TIMEOUT_MS - 1);
    expect(result).toBeUndefined();
    await vi.advanceTimersByTimeAsync(1);
    await running;
    vi.useRealTimers();
    expectUnavailable(result as unknown as Result);
    late.resolve();
    expect((await ended.promise).error).toBeDefined();
    expect(await query((db) => db.execute(sql`select * from throttle`))).toEqual([]);
  });

  it.runIf(process.env.DATABASE_URL)("is cancelled on the server, and costs no other connection", async () => {
    const pids = () =>
      Promise.all(
        [1, 2, 3].map(async () => {
          const ask = sql`select pg_backend_pid() as pid, pg_sleep(0.2)`;
          const [row] = await query((db) => db.execute<{ pid: number }>(ask));
          return row?.pid;
        }),
      );
    const before = await pids();
    const sleeping = sql`select 1 from pg_stat_activity where query like 'select pg_sleep(60)%' and state = 'active'`;
    const isSleeping = () => query((db) => db.execute(sleeping));
    holdClock();
    const slow = outcome(() => query((db) => db.execute(sql`select pg_sleep(60)`)));
    while ((await isSleeping()).length === 0);
    await vi.advanceTimersByTimeAsync(QUERY_TIMEOUT_MS);
    expectUnavailable(await slow);
    vi.useRealTimers();
    const after = await pids();
    expect(after.filter((pid) => before.includes(pid)).length).toBeGreaterThanOrEqual(2);
    await expect.poll(isSleeping).toEqual([]);
  });

  it.runIf(process.env.DATABASE_URL)(
    "is cancelled before the database is closed, as before a process ends",
    async () => {
      await query((db) => db.execute(sql`select 1`));
      await relay.set("hang");
      holdClock();
      const slow = outcome(() => query((db) => db.execute(sql`select 1`)));
      await vi.advanceTimersByTimeAsync(QUERY_TIMEOUT_MS);
      expectUnavailable(await slow);
      let isClosed = false;
      const closing = closeDatabase().then(() => {
        isClosed = true;
      });
      await setImmediate();
      expect(isClosed).toBe(false);
      await vi.advanceTimersByTimeAsync(CANCEL_TIMEOUT_MS);
      await closing;
    },
  );
});
