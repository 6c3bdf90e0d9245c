import { abortable } from "#lib/abortable.ts";
import { log } from "#lib/log.ts";
import { gauge } from "#lib/metrics.ts";
import { processState } from "#lib/process-state.ts";
import { inSpan } from "#lib/tracing.ts";
import type { Connection, Database } from "./connection.ts";
import { databaseName, databaseRemedy, poolSize, queryTimeoutMs, writeRemedy } from "./connection-options.ts";
import { ConnectionPool } from "./connection-pool.ts";
import {
  isConflict,
  isRefusedWrite,
  isUnavailable,
  sanitizeError,
  unavailable,
  unavailableReason,
} from "./database-faults.ts";
import { BUSY_WAIT_MS, IDLE_TRANSACTION_MS, REFUSAL_TOLD_MS } from "./database-limits.ts";
import type { Lane } from "./lanes.ts";
import { migrateDatabase } from "./migrate.ts";
import { QueryDeadline } from "./query-deadline.ts";
import { warnRarely } from "./rare-warnings.ts";

export type { Database } from "./connection.ts";
export type Transaction = Database;
/** A database, or a transaction in it. */
export type Executor = Database;

type Opened = {
  pool: ConnectionPool;
  /** The migration. Undefined before the first query and after a failure. */
  migrated: Promise<void> | undefined;
  /** Aborted when this process closes its connections. */
  closing: AbortController;
  /** Why the last query failed for lack of a database. Undefined when it did not, so that an outage is logged once. */
  outage: string | undefined;
  /** Why the last refused write was refused, and when, by `performance.now()`. */
  refusal: { reason: string; at: number } | undefined;
  /** Whether it has answered since the start. Until then, who starts the access layer logs that it does not. */
  hasAnswered: boolean;
};

const opened = processState(
  "database",
  (): Opened => ({
    pool: new ConnectionPool(poolSize()),
    migrated: undefined,
    closing: new AbortController(),
    outage: undefined,
    refusal: undefined,
    hasAnswered: false,
  }),
);

/** 0 for settings that cannot be read, with which nothing connects: the other metrics are answered all the same. */
function connectionLimit(): number {
  try {
    return poolSize();
  } catch {
    return 0;
  }
}

gauge({
  name: "platen_database_connections_used",
  help: "Connections to the database that a query or transaction uses.",
  read: () => opened.peek()?.pool.load.running ?? 0,
});
gauge({
  name: "platen_database_connections_limit",
  help: "Connections to the database that this server may open (SERVICE_DATABASE_POOL).",
  read: connectionLimit,
});
gauge({
  name: "platen_database_waiting",
  help: "Queries and transactions that wait for a connection to the database.",
  read: () => opened.peek()?.pool.load.waiting ?? 0,
});

async function migrateOnce(state: Opened): Promise<void> {
  state.migrated ??= migrateDatabase(state.closing.signal);
  const own = state.migrated;
  try {
    await own;
  } catch (error) {
    if (state.migrated === own) state.migrated = undefined;
    throw error;
  }
}

/** It cannot be told apart: also a network that fails lets some statements pass. */
const NO_ANSWER =
  "no answer in time. If it answers other statements, this one waits for a lock, a slow disk, or a synchronous stand-by that is away";

/** @param reason why the database is unavailable; undefined when it has answered */
function noteAvailability(state: Opened, reason: string | undefined): void {
  const isNews = (state.outage === undefined) !== (reason === undefined);
  state.outage = reason;
  if (state.hasAnswered && isNews) {
    if (reason === undefined) log().info("The database answers again.");
    else log().warn(databaseOutage(), "The database does not answer.");
  }
  state.hasAnswered ||= reason === undefined;
}

/** Logs that the database refused to write. It answers, so that this neither begins nor ends an outage. */
function noteRefusedWrite(state: Opened, error: unknown): void {
  const reason = unavailableReason(error);
  state.refusal = { reason, at: performance.now() };
  const details = { reason, database: databaseName(), remedy: writeRemedy() };
  warnRarely(details, "The database answers, but refuses to write.");
}

/** Why the database refused a write in the last minute. Undefined when it did not. */
export function refusedWrite(): string | undefined {
  const refusal = opened.get().refusal;
  return refusal && performance.now() - refusal.at < REFUSAL_TOLD_MS ? refusal.reason : undefined;
}

/** Which database does not answer, why, and what to do, for the log. Undefined when the last query was answered. */
export function databaseOutage(): { reason: string; database: string; remedy: string } | undefined {
  const reason = opened.get().outage;
  if (reason === undefined) return undefined;
  return { reason, database: databaseName(), remedy: `${databaseRemedy()} It is tried again.` };
}

async function tryWithConnection<T>(lane: Lane, use: (connection: Connection) => Promise<T>): Promise<T> {
  const state = opened.get();
  const deadline = new QueryDeadline(() => state.pool.answeredAt, queryTimeoutMs());
  try {
    await abortable(migrateOnce(state), deadline.signal);
    const result = await inSpan("SQL", { "db.system.name": "postgresql" }, () =>
      state.pool.withConnection(lane, use, deadline),
    );
    noteAvailability(state, undefined);
    return result;
  } catch (error) {
    if (deadline.isOutage) noteAvailability(state, NO_ANSWER);
    else if (isRefusedWrite(error)) noteRefusedWrite(state, error);
    else if (isUnavailable(error) && !isConflict(error)) noteAvailability(state, unavailableReason(error));
    throw error;
  } finally {
    deadline.clear();
  }
}

/** Repeats what PostgreSQL has undone because of another transaction. The other one goes on, so that each is done in the end. */
async function withConnection<T>(lane: Lane, use: (connection: Connection) => Promise<T>): Promise<T> {
  const until = performance.now() + BUSY_WAIT_MS;
  for (;;) {
    try {
      return await tryWithConnection(lane, use);
    } catch (error) {
      if (!isConflict(error) || performance.now() > until) throw sanitizeError(error);
    }
  }
}

/**
 * Runs a query until its {@link QueryDeadline}. `run` has a connection of its own. It must await all of its statements, and
 * must not call {@link query} or {@link transaction}, which may wait for the same connection. Of two that PostgreSQL cannot both do, it
 * undoes one, which runs again: `run` must have no effect that a rollback leaves, and one statement at most that changes rows. Logins
 * have a lane of their own, so that a flood of them keeps no connection from anyone else.
 *
 * @throws AppError `unavailable` when the database does not answer in time; ConfigError when none is configured; DatabaseError
 * when it refuses a statement (see `database-faults.ts`); otherwise what `run` throws
 */
export async function query<T>(run: (db: Database) => Promise<T>, lane: Lane = "requests"): Promise<T> {
  return await withConnection(lane, async (connection) => {
    const { database, end } = connection.lease();
    return await run(database).finally(end);
  });
}

/**
 * Like {@link query}, in one transaction, with any number of changes. It is rolled back when `run` throws or takes too long.
 *
 * @throws what {@link query} throws
 */
export async function transaction<T>(run: (tx: Transaction) => Promise<T>, lane: Lane = "requests"): Promise<T> {
  return await withConnection(lane, (connection) =>
    connection.transact(async () => {
      // Sent before the first statement and awaited after the last one, to save a round trip.
      const limited = connection.limitIdleTime(IDLE_TRANSACTION_MS);
      limited.catch(() => undefined);
      const { database, end } = connection.lease();
      const result = await run(database).finally(end);
      await limited;
      return result;
    }),
  );
}

/**
 * Resolves when the tables have this version. Unlike {@link query}, it waits for a migration, which has a time limit of its own.
 * @throws what {@link query} throws
 */
export async function migrated(): Promise<void> {
  const state = opened.get();
  try {
    await migrateOnce(state);
    noteAvailability(state, undefined);
  } catch (error) {
    if (isUnavailable(error)) noteAvailability(state, unavailableReason(error));
    throw sanitizeError(error);
  }
}

/** Closes the connections of this process. The next query opens a new one. Never throws. */
export async function closeDatabase(): Promise<void> {
  const state = opened.peek();
  opened.reset();
  state?.closing.abort(unavailable());
  await state?.migrated?.catch(() => undefined);
  await state?.pool.close();
}
