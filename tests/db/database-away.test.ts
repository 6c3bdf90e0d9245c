import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { checkDatabase, closeDatabase, query, transaction } from "#lib/db/database.ts";
import { AppError } from "#lib/errors.ts";
import { captureLog } from "#tests/captured-log.ts";
import { useDatabase } from "#tests/database.ts";
import { AWAY_MS, BACK_MS } from "#tests/pace.ts";
import { type Relay, type RelayMode, useRelay } from "./relay.ts";

useDatabase();

let relay: Relay;
let remove: () => Promise<void>;

beforeEach(async () => {
  ({ relay, remove } = await useRelay());
});
afterEach(() => remove());

/** More than a question may take. */
const TOO_LONG_MS = 2_500;

async function failure(ask: () => Promise<unknown>): Promise<{ error: unknown; ms: number }> {
  const startedAt = performance.now();
  const error = await ask().then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  return { error, ms: performance.now() - startedAt };
}

async function expectUnavailable(ask: () => Promise<unknown>): Promise<number> {
  const { error, ms } = await failure(ask);
  expect(error).toBeInstanceOf(AppError);
  expect(error).toMatchObject({ code: "unavailable", headers: { "Retry-After": "2" } });
  expect(ms).toBeLessThan(AWAY_MS);
  return ms;
}

async function untilItAnswers(): Promise<number> {
  const startedAt = performance.now();
  while ((await failure(checkDatabase)).error) {
    expect(performance.now() - startedAt).toBeLessThan(BACK_MS);
    await sleep(50);
  }
  return performance.now() - startedAt;
}

const ABSENCES: RelayMode[] = ["refuse", "hang", "hang up"];

describe.each(ABSENCES)("a database whose connections %s", (mode) => {
  it("is said to be unavailable in bounded time, to everyone who asks, and is back within seconds", async () => {
    await checkDatabase();
    await relay.set(mode);
    const took: number[] = [];
    for (let count = 0; count < 3; count++) {
      const questions = Array.from({ length: 10 }, () => expectUnavailable(checkDatabase));
      took.push(Math.max(...(await Promise.all(questions))));
    }
    // The contract's two seconds; the least, because a machine only ever adds.
    expect(Math.min(...took)).toBeLessThan(2_000);
    await expectUnavailable(() => transaction((tx) => tx.execute(sql`select 1`)));
    await relay.set("pass");
    await untilItAnswers();
  });

  it("is waited for where it is away from the first moment on", async () => {
    await relay.set(mode);
    await expectUnavailable(checkDatabase);
    await relay.set("pass");
    await untilItAnswers();
  });

  it("fails a transaction as a whole", async () => {
    const insert = sql`insert into throttle (key, empty_at) values ('half', now())`;
    await expectUnavailable(() =>
      transaction(async (tx) => {
        await tx.execute(insert);
        await relay.set(mode);
        await tx.execute(sql`select 1`);
      }),
    );
    await relay.set("pass");
    await untilItAnswers();
    expect(await query((db) => db.execute(sql`select * from throttle`))).toEqual([]);
  });
});

describe("a database that is away", () => {
  it("is logged when it goes and when it comes back, and not with every question", async () => {
    await checkDatabase();
    const lines = captureLog();
    await relay.set("refuse");
    for (let count = 0; count < 5; count++) await failure(checkDatabase);
    await relay.set("pass");
    await untilItAnswers();
    expect(lines.map((line) => JSON.parse(line).msg)).toEqual(["The database is away.", "The database answers again."]);
  });

  it("is not asked for a connection again and again", async () => {
    await relay.set("hang up");
    await failure(checkDatabase);
    expect(relay.connections).toBeLessThan(5);
  });

  it("leaves no connection behind", async () => {
    await Promise.all(Array.from({ length: 20 }, checkDatabase));
    await relay.set("hang");
    await Promise.all(Array.from({ length: 20 }, () => failure(checkDatabase)));
    await relay.set("pass");
    await untilItAnswers();
    await closeDatabase();
    await expect.poll(() => relay.open, { timeout: BACK_MS }).toBe(0);
  });
});

describe("a question that takes too long", () => {
  it("is given up, and what it has begun is rolled back", async () => {
    await expectUnavailable(() =>
      transaction(async (tx) => {
        await tx.execute(sql`insert into throttle (key, empty_at) values ('slow', now())`);
        await sleep(TOO_LONG_MS);
      }),
    );
    await sleep(TOO_LONG_MS);
    expect(await query((db) => db.execute(sql`select * from throttle`))).toEqual([]);
  });

  it.runIf(process.env.DATABASE_URL)("is stopped on the server, and costs no other connection", async () => {
    const pids = () =>
      Promise.all(
        [1, 2, 3].map(async () => {
          const ask = sql`select pg_backend_pid() as pid, pg_sleep(0.2)`;
          const [row] = await query((db) => db.execute<{ pid: number }>(ask));
          return row?.pid;
        }),
      );
    const before = await pids();
    const slow = expectUnavailable(() => query((db) => db.execute(sql`select pg_sleep(60)`)));
    const meanwhile = setInterval(() => void checkDatabase().catch(() => undefined), 100);
    await slow;
    clearInterval(meanwhile);
    const after = await pids();
    expect(after.filter((pid) => before.includes(pid)).length).toBeGreaterThanOrEqual(2);
    const sleeping = sql`select 1 from pg_stat_activity where query like 'select pg_sleep(60)%' and state = 'active'`;
    await expect.poll(() => query((db) => db.execute(sleeping)), { timeout: BACK_MS }).toEqual([]);
  });
});
