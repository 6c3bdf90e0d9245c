import { setImmediate } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Connection } from "#lib/db/connection.ts";
import { ConnectionPool } from "#lib/db/connection-pool.ts";
import { QUERY_TIMEOUT_MS, REPLACEMENT_PAUSE_MS, SHORTAGE_PAUSE_MS } from "#lib/db/database-limits.ts";
import { QueryDeadline } from "#lib/db/query-deadline.ts";
import { captureLog } from "#tests/captured-log.ts";
import { forgetWarnings } from "../rare-warnings.ts";

/*
 * A server that gives out as many connections as a test says, on a clock that the test moves. The same with PostgreSQL itself is
 * in `tests/postgres/limited-roles.test.ts`.
 */

const POOL_SIZE = 5;
const READ_ONLY = Object.assign(new Error("read-only"), { severity: "ERROR", code: "25006" });
const LOST = Object.assign(new Error("lost"), { severity: "FATAL", code: "57P01" });

/** A refusal as the driver reads it. Poolers leave out the field that PostgreSQL has for the severity in any language. */
const refusal = (code: string) =>
  Object.assign(new Error("refused"), { [code === "08P01" ? "severity_local" : "severity"]: "FATAL", code });

let available: number;
let refusedWith: string;
let attempts: number;
let open: Set<Connection>;
let deadlines: QueryDeadline[];
let pool: ConnectionPool;

function connect(): Connection {
  if (open.size >= available) throw refusal(refusedWith);
  const remove = () => void open.delete(connection);
  const methods = {
    openedAt: performance.now(),
    isUsable: async () => true,
    markIdle: () => undefined,
    destroy: remove,
    close: async () => remove(),
  };
  const connection = methods as unknown as Connection;
  open.add(connection);
  return connection;
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  forgetWarnings();
  [available, attempts, refusedWith] = [0, 0, "53300"];
  [open, deadlines, pool] = [new Set(), [], new ConnectionPool(POOL_SIZE)];
  vi.spyOn(Connection, "open").mockImplementation(async () => {
    attempts++;
    await setImmediate();
    return connect();
  });
});
afterEach(() => {
  for (const deadline of deadlines) deadline.clear();
  vi.useRealTimers();
});

/** Lets everything happen that does not wait for the clock. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 50; turn++) await setImmediate();
}

type Query = { deadline: QueryDeadline; end: PromiseWithResolvers<void>; hasBegun: boolean; result: unknown };

/** Starts a query that lasts until the test ends it. */
function start(): Query {
  const deadline = new QueryDeadline(() => pool.answeredAt, QUERY_TIMEOUT_MS);
  deadlines.push(deadline);
  const query: Query = { deadline, end: Promise.withResolvers<void>(), hasBegun: false, result: undefined };
  const use = () => {
    query.hasBegun = true;
    return query.end.promise;
  };
  const work = pool.withConnection("requests", use, deadline);
  const note = (result: unknown) => {
    query.result = result;
  };
  void work.then(() => note("done"), note);
  return query;
}

async function startMany(count: number): Promise<Query[]> {
  const queries = Array.from({ length: count }, start);
  await settle();
  return queries;
}

const begun = (queries: Query[]) => queries.filter(({ hasBegun }) => hasBegun);
const waiting = (queries: Query[]) => queries.filter(({ hasBegun, result }) => !hasBegun && result === undefined);

async function endOne(queries: Query[]): Promise<void> {
  begun(queries)
    .find(({ result }) => result === undefined)
    ?.end.resolve();
  await settle();
}

describe("a pool to which PostgreSQL gives fewer connections than its size", () => {
  it.each([
    ["PostgreSQL", "53300"],
    ["PgBouncer", "08P01"],
    ["Supavisor", "XX000"],
  ])("answers every query on the connections that it has, as %s refuses others", async (_, code) => {
    [available, refusedWith] = [2, code];
    const queries = await startMany(12);
    expect(begun(queries)).toHaveLength(2);
    for (const _ of queries) await endOne(queries);
    expect(queries.map(({ result }) => result)).toEqual(queries.map(() => "done"));
    expect(open.size).toBe(2);
  });

  it("asks for another connection once in a while, and uses it", async () => {
    available = 1;
    const queries = await startMany(POOL_SIZE);
    const before = attempts;
    await vi.advanceTimersByTimeAsync(SHORTAGE_PAUSE_MS - 1);
    expect(attempts).toBe(before);
    await vi.advanceTimersByTimeAsync(1);
    await settle();
    expect(attempts).toBe(before + 1);
    expect(begun(queries)).toHaveLength(1);
    available = POOL_SIZE;
    await vi.advanceTimersByTimeAsync(SHORTAGE_PAUSE_MS);
    await settle();
    expect(begun(queries)).toHaveLength(POOL_SIZE);
  });

  it("says so in one line, however long it lasts", async () => {
    const lines = captureLog();
    available = 1;
    const queries = await startMany(12);
    for (const _ of queries) await endOne(queries);
    await startMany(3);
    await vi.advanceTimersByTimeAsync(3 * SHORTAGE_PAUSE_MS);
    await settle();
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      {
        level: "warn",
        reason: "no connection is left (53300)",
        remedy: expect.stringContaining("SERVICE_DATABASE_POOL"),
        msg: expect.stringContaining("fewer connections"),
      },
    ]);
  });

  it("opens a connection in place of one that was lost", async () => {
    available = 1;
    const queries = await startMany(3);
    begun(queries)[0]?.end.reject(LOST);
    await settle();
    expect(begun(queries)).toHaveLength(2);
    expect(waiting(queries)).toHaveLength(1);
  });

  it("fails every waiting query when its only connection is lost and there is no other", async () => {
    available = 1;
    const queries = await startMany(3);
    expect(waiting(queries)).toHaveLength(2);
    available = 0;
    begun(queries)[0]?.end.reject(LOST);
    await settle();
    const refused = expect.objectContaining({ code: "53300" });
    expect(queries.map(({ result }) => result)).toEqual([LOST, refused, refused]);
  });

  it("gives no connection to a query that was given up, and does not count that as an outage", async () => {
    available = 1;
    const [first, second, third] = (await startMany(3)) as [Query, Query, Query];
    await vi.advanceTimersByTimeAsync(1);
    first.end.resolve();
    await settle();
    expect(second.hasBegun).toBe(true);
    // The limit of the third has passed, and the second has a millisecond left.
    await vi.advanceTimersByTimeAsync(QUERY_TIMEOUT_MS - 1);
    await settle();
    expect(third.result).toMatchObject({ message: expect.stringContaining("database is busy") });
    expect(third.deadline.isOutage).toBe(false);
    second.end.resolve();
    const [fourth] = await startMany(1);
    expect(second.result).toBe("done");
    expect(third.hasBegun).toBe(false);
    expect(fourth?.hasBegun).toBe(true);
    expect(open.size).toBe(1);
  });

  it("serves the waiting queries after it was closed, and keeps no connection", async () => {
    available = 1;
    const queries = await startMany(3);
    await pool.close();
    for (const _ of queries) await endOne(queries);
    expect(queries.map(({ result }) => result)).toEqual(["done", "done", "done"]);
    expect(open.size).toBe(0);
  });
});

it("a pool without a connection fails at once", async () => {
  const [query] = await startMany(1);
  expect(query?.result).toMatchObject({ code: "53300" });
});

it("a pool whose server starts does not wait for its other connections", async () => {
  [available, refusedWith] = [1, "57P03"];
  const queries = await startMany(2);
  expect(queries[1]?.result).toMatchObject({ code: "57P03" });
});

describe("a pool whose database refuses to write, as after a failover", () => {
  /** @returns how many connections are kept */
  async function refuseWrite(): Promise<number> {
    const before = [...open];
    const [write] = (await startMany(1)) as [Query];
    write.end.reject(READ_ONLY);
    await settle();
    expect(write.result).toBe(READ_ONLY);
    return before.filter((connection) => open.has(connection)).length;
  }

  async function openThree(): Promise<void> {
    for (const { end } of await startMany(3)) end.resolve();
    await settle();
  }

  beforeEach(() => {
    available = POOL_SIZE;
  });

  it("uses no connection again that was open then, whether it was idle or in use", async () => {
    const queries = await startMany(4);
    for (const { end } of queries.slice(2)) end.resolve();
    await settle();
    expect(await refuseWrite()).toBe(2);
    for (const { end } of queries) end.resolve();
    await settle();
    expect(open.size).toBe(0);
    expect(begun(await startMany(2))).toHaveLength(2);
  });

  it("replaces them once a second at most, and each that refused", async () => {
    await openThree();
    expect(await refuseWrite()).toBe(0);
    vi.advanceTimersByTime(1);
    await openThree();
    expect(await refuseWrite()).toBe(2);
    vi.advanceTimersByTime(REPLACEMENT_PAUSE_MS);
    expect(await refuseWrite()).toBe(0);
  });
});
