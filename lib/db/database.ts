import { sql } from "drizzle-orm";
import { abortable } from "#lib/abortable.ts";
import { log } from "#lib/log.ts";
import { processState } from "#lib/process-state.ts";
import type { Connection, Database } from "./connection.ts";
import { awayReason, isAway, presentable, unavailable } from "./database-faults.ts";
import { IDLE_TRANSACTION_MS, QUERY_TIMEOUT_MS } from "./database-limits.ts";
import { poolSize } from "./endpoint.ts";
import { migrateDatabase } from "./migrate.ts";
import { Pool } from "./pool.ts";

export type { Database } from "./connection.ts";
export type Transaction = Database;
/** A database, or a transaction in it. */
export type Executor = Database;

const BOUND_PAUSES = `set local idle_in_transaction_session_timeout = ${IDLE_TRANSACTION_MS}`;

type Opened = {
  pool: Pool;
  /** The tables are of this version. Absent before the first question, and after a failure. */
  migrated: Promise<void> | undefined;
  /** So that a spell of absence is logged once. */
  isAway: boolean;
};

const opened = processState(
  "database",
  (): Opened => ({ pool: new Pool(poolSize()), migrated: undefined, isAway: false }),
);

async function migrateOnce(state: Opened): Promise<void> {
  state.migrated ??= migrateDatabase();
  const mine = state.migrated;
  try {
    await mine;
  } catch (error) {
    if (state.migrated === mine) state.migrated = undefined;
    throw error;
  }
}

function noteAbsence(state: Opened, reason: string | undefined): void {
  if (state.isAway === (reason !== undefined)) return;
  state.isAway = reason !== undefined;
  if (reason === undefined) log().info("The database answers again.");
  else log().warn({ reason }, "The database is away.");
}

async function lend<T>(use: (connection: Connection) => Promise<T>): Promise<T> {
  const state = opened.get();
  const patience = new AbortController();
  const timer = setTimeout(() => patience.abort(unavailable()), QUERY_TIMEOUT_MS);
  try {
    await abortable(migrateOnce(state), patience.signal);
    const result = await state.pool.lend(use, patience.signal);
    noteAbsence(state, undefined);
    return result;
  } catch (error) {
    if (patience.signal.aborted) noteAbsence(state, "no answer in time");
    else if (isAway(error)) noteAbsence(state, awayReason(error));
    throw presentable(error);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Asks the database, in less than two seconds. `run` has a connection to itself: it must not call {@link query} or
 * {@link transaction}, which may wait for that one, and waits for everything that it asks.
 *
 * @throws AppError `unavailable` while the database is away or slow; ConfigError when there is none; DatabaseError when it
 * refuses a statement (see `faults.ts`); otherwise what `run` throws
 */
export async function query<T>(run: (db: Database) => Promise<T>): Promise<T> {
  return await lend(async (connection) => {
    const { database, end } = connection.lend();
    return await run(database).finally(end);
  });
}

/**
 * Like {@link query}, in one transaction: all of it happens, or nothing. It is rolled back when `run` throws or takes too long.
 *
 * @throws what {@link query} throws
 */
export async function transaction<T>(run: (tx: Transaction) => Promise<T>): Promise<T> {
  return await lend((connection) =>
    connection.transact(async () => {
      const bounded = connection.isEmbedded ? undefined : connection.run(BOUND_PAUSES);
      // Sent ahead of the first statement and waited for after the last.
      bounded?.catch(() => undefined);
      const { database, end } = connection.lend();
      const result = await run(database).finally(end);
      await bounded;
      return result;
    }),
  );
}

/** Whether the database answers. @throws what {@link query} throws */
export async function checkDatabase(): Promise<void> {
  await query((db) => db.execute(sql`select 1`));
}

/** Ends the connections of this process. The next question opens one again. Never throws. */
export async function closeDatabase(): Promise<void> {
  const state = opened.peek();
  opened.reset();
  await state?.migrated?.catch(() => undefined);
  await state?.pool.close();
}
