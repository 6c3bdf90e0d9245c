import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Connection } from "#lib/db/connection.ts";
import { ConnectionPool } from "#lib/db/connection-pool.ts";
import { QueryDeadline } from "#lib/db/query-deadline.ts";

vi.unmock("#lib/db/database-limits.ts");

const { BUSY_WAIT_MS, QUERY_TIMEOUT_MS, STOOD_STILL_GRACE_MS } =
  await vi.importActual<typeof import("#lib/db/database-limits.ts")>("#lib/db/database-limits.ts");

const LOST = { code: "unavailable", message: expect.stringContaining("cannot reach its database") };
const BUSY = {
  code: "unavailable",
  message: expect.stringContaining("database is busy"),
  headers: { "Retry-After": "2" },
};

let answeredAt: number;
let deadline: QueryDeadline;

const pass = (ms: number) => vi.advanceTimersByTime(ms);

/** Lets time pass while others are answered every 100 ms. */
function passWithAnswers(ms: number): void {
  for (let passed = 0; passed < ms; passed += 100) {
    pass(100);
    answeredAt = performance.now();
  }
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  pass(1_000);
  answeredAt = performance.now() - 500;
  deadline = new QueryDeadline(() => answeredAt, QUERY_TIMEOUT_MS);
});
afterEach(() => {
  deadline.clear();
  vi.restoreAllMocks();
  vi.useRealTimers();
});

describe("a query that waits for a connection", () => {
  it("is given up at the limit when the database answers nobody", () => {
    pass(QUERY_TIMEOUT_MS - 1);
    expect(deadline.signal.aborted).toBe(false);
    pass(1);
    expect(deadline.signal.reason).toMatchObject(LOST);
    expect(deadline.isOutage).toBe(true);
  });

  it("waits on while the database answers others, and then has the whole limit for itself", () => {
    passWithAnswers(2 * QUERY_TIMEOUT_MS);
    expect(deadline.signal.aborted).toBe(false);
    deadline.endWait();
    pass(QUERY_TIMEOUT_MS - 1);
    expect(deadline.signal.aborted).toBe(false);
    pass(1);
    expect(deadline.signal.reason).toMatchObject(LOST);
    expect(deadline.isOutage).toBe(true);
  });

  it("starts no timer that ends in the past, which Node warns about, where the process stood still", () => {
    passWithAnswers(100);
    vi.spyOn(performance, "now").mockReturnValue(answeredAt + 2 * QUERY_TIMEOUT_MS);
    const timers = vi.spyOn(globalThis, "setTimeout");
    deadline.endWait();
    expect(timers.mock.calls.map(([, ms]) => ms)).toEqual([0]);
  });

  it("is given up one limit after the last answer to anybody", () => {
    passWithAnswers(1_000);
    pass(QUERY_TIMEOUT_MS - 1);
    expect(deadline.signal.aborted).toBe(false);
    pass(1);
    expect(deadline.signal.aborted).toBe(true);
  });

  it("is told that the database is busy when others are answered all the time", () => {
    passWithAnswers(BUSY_WAIT_MS - 100);
    expect(deadline.signal.aborted).toBe(false);
    pass(100);
    expect(deadline.signal.reason).toMatchObject(BUSY);
    expect(deadline.isOutage).toBe(false);
  });
});

it("a query that has a connection is given up at the limit, whatever the database answers others", () => {
  deadline.endWait();
  passWithAnswers(QUERY_TIMEOUT_MS - 100);
  expect(deadline.signal.aborted).toBe(false);
  pass(100);
  expect(deadline.signal.reason).toMatchObject(LOST);
});

describe("a transaction of several statements", () => {
  let ownAnswerAt = 0;

  function passWithOwnAnswers(ms: number): void {
    for (let passed = 0; passed < ms; passed += 500) {
      pass(500);
      ownAnswerAt = performance.now();
    }
  }

  beforeEach(() => {
    deadline.endWait();
    deadline.follow(() => ownAnswerAt);
  });

  it("has the limit for each of them", () => {
    passWithOwnAnswers(3_000);
    pass(QUERY_TIMEOUT_MS - 1);
    expect(deadline.signal.aborted).toBe(false);
    pass(1);
    expect(deadline.signal.reason).toMatchObject(LOST);
    expect(deadline.isOutage).toBe(true);
  });

  it("is told that the database is busy where all of them take too long", () => {
    passWithOwnAnswers(BUSY_WAIT_MS);
    expect(deadline.signal.reason).toMatchObject(BUSY);
    expect(deadline.isOutage).toBe(false);
  });
});

it("a query whose turn comes in an outage is not given more time", () => {
  pass(QUERY_TIMEOUT_MS - 100);
  deadline.endWait();
  pass(100);
  expect(deadline.signal.reason).toMatchObject(LOST);
});

describe("after the process stood still", () => {
  /** Timers are due, and run only now. */
  function standStill(ms: number): void {
    const { now } = performance;
    const stood = vi.spyOn(performance, "now").mockImplementation(() => Reflect.apply(now, performance, []) + ms);
    pass(QUERY_TIMEOUT_MS);
    stood.mockRestore();
  }

  it("a query is not given up before its answer could be read", () => {
    deadline.endWait();
    standStill(3_000);
    pass(STOOD_STILL_GRACE_MS - 1);
    expect(deadline.signal.aborted).toBe(false);
  });

  it("a query that is still not answered is given up", () => {
    deadline.endWait();
    standStill(3_000);
    pass(STOOD_STILL_GRACE_MS);
    expect(deadline.signal.reason).toMatchObject(LOST);
    expect(deadline.isOutage).toBe(true);
  });
});

it("a query that has ended is not given up", () => {
  deadline.clear();
  pass(2 * BUSY_WAIT_MS);
  expect(deadline.signal.aborted).toBe(false);
});

it("the pool tells when a statement behind another one was sent", async () => {
  vi.useRealTimers();
  let passed = 0;
  vi.spyOn(performance, "now").mockImplementation(() => passed);
  const follow = vi.spyOn(deadline, "follow");
  const pool = new ConnectionPool(1);
  const told: unknown[] = [];
  for (let use = 0; use < 2; use++)
    await pool.withConnection(
      "requests",
      async (connection) => {
        for (const statement of ["begin", "select 1", "commit"]) {
          passed += 1_000;
          await connection.run(statement);
          told.push(follow.mock.lastCall?.[0]());
        }
      },
      deadline,
    );
  await pool.close();
  expect(told).toEqual([0, 2_000, 3_000, 3_000, 5_000, 6_000]);
});

it("the pool ends the wait of a query when its turn comes", async () => {
  const endWait = vi.spyOn(deadline, "endWait");
  const away = Object.assign(new Error("no server"), { code: "ECONNREFUSED" });
  vi.spyOn(Connection, "open").mockRejectedValueOnce(away);
  const work = new ConnectionPool(1).withConnection("requests", async () => undefined, deadline);
  await expect(work).rejects.toBe(away);
  expect(endWait).toHaveBeenCalledOnce();
});
