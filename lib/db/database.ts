import { sql } from "drizzle-orm";
import { abortable } from "#lib/abortable.ts";
import { log } from "#lib/log.ts";
import { processState } from "#lib/process-state.ts";
import type { Connection, Database } from "./connection.ts";
import { poolSize } from "./connection-options.ts";
import { ConnectionPool } from "./connection-pool.ts";
import { isUnavailable, sanitizeError, unavailable, unavailableReason } from "./database-faults.ts";
import { IDLE_TRANSACTION_MS, QUERY_TIMEOUT_MS } from "./database-limits.ts";
import type { Lane } from "./lanes.ts";
import { migrateDatabase } from "./migrate.ts";

export type { Database } from "./connection.ts";
export type Transaction = Database;
/** A database, or a transaction in it. */
export type Executor = Database;

const LIMIT_IDLE_TIME = `set local idle_in_transaction_session_timeout = ${IDLE_TRANSACTION_MS}`;

type Opened = {
  pool: ConnectionPool;
  /** The migration. Undefined before the first query and after a failure. */
  migrated: Promise<void> | undefined;
  /** Whether the last query failed for lack of a database, so that an outage is logged once. */
  isUnavailable: boolean;
};

const opened = processState(
  "database",
  (): Opened => ({ pool: new ConnectionPool(poolSize()), migrated: undefined, isUnavailable: false }),
);

async function migrateOnce(state: Opened): Promise<void> {
  state.migrated ??= migrateDatabase();
  const own = state.migrated;
  try {
    await own;
  } catch (error) {
    if (state.migrated === own) state.migrated = undefined;
    throw error;
  }
}

/** @param reason why the database is unavailable; undefined when it has answered */
function logAvailability(state: Opened, reason: string | undefined): void {
  if (state.isUnavailable === (reason !== undefined)) return;
  state.isUnavailable = reason !== undefined;
  if (reason === undefined) log().info("The database answers again.");
  else log().warn({ reason }, "The database does not answer.");
}

async function withConnection<T>(lane: Lane, use: (connection: Connection) => Promise<T>): Promise<T> {
  const state = opened.get();
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(unavailable()), QUERY_TIMEOUT_MS);
  try {
    await abortable(migrateOnce(state), timeout.signal);
    const result = await state.pool.withConnection(lane, use, timeout.signal);
    logAvailability(state, undefined);
    return result;
  } catch (error) {
    if (timeout.signal.aborted) logAvailability(state, "no answer in time");
    else if (isUnavailable(error)) logAvailability(state, unavailableReason(error));
    throw sanitizeError(error);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Runs a query within {@link QUERY_TIMEOUT_MS}. `run` has a connection of its own. It must await all of its statements, and
 * must not call {@link query} or {@link transaction}, which may wait for the same connection. Logins have a lane of their own,
 * so that a flood of them keeps no connection from anyone else.
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
 * Like {@link query}, in one transaction. It is rolled back when `run` throws or takes too long.
 *
 * @throws what {@link query} throws
 */
export async function transaction<T>(run: (tx: Transaction) => Promise<T>, lane: Lane = "requests"): Promise<T> {
  return await withConnection(lane, (connection) =>
    connection.transact(async () => {
      // Sent before the first statement and awaited after the last one, to save a round trip.
      const limited = connection.isEmbedded ? undefined : connection.run(LIMIT_IDLE_TIME);
      limited?.catch(() => undefined);
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
  await migrateOnce(opened.get()).catch((error: unknown) => Promise.reject(sanitizeError(error)));
}

/** Resolves when the database answers. @throws what {@link query} throws */
export async function checkDatabase(): Promise<void> {
  await query((db) => db.execute(sql`select 1`));
}

/** Closes the connections of this process. The next query opens a new one. Never throws. */
export async function closeDatabase(): Promise<void> {
  const state = opened.peek();
  opened.reset();
  await state?.migrated?.catch(() => undefined);
  await state?.pool.close();
}
