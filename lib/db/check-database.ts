import { sql } from "drizzle-orm";
import { processState } from "#lib/process-state.ts";
import { databaseName } from "./connection-options.ts";
import { databaseOutage, query } from "./database.ts";
import { sqlState, unavailable } from "./database-faults.ts";
import { KNOWN_OUTAGE_MS } from "./database-limits.ts";
import { warnRarely } from "./rare-warnings.ts";

/** For the log. A server only makes tables when it starts: an emptied database may be about to be restored. */
const REMEDY =
  "Check that the database was not emptied, and that the user of DATABASE_URL has its rights and its search_path. A restart makes the tables of an empty database.";

/**
 * Resolves when the database answers, and this server may read a table that every request by session or token needs.
 * @throws what {@link query} throws; AppError `unavailable` also when the table is gone, or the right to it
 */
export async function checkDatabase(): Promise<void> {
  try {
    await query((db) => db.execute(sql`select from users limit 1`));
  } catch (error) {
    if (sqlState(error) === undefined) throw error;
    const { message: reason } = error as Error;
    warnRarely({ reason, database: databaseName(), remedy: REMEDY }, "The database answers, but not its tables.");
    throw unavailable();
  }
}

const running = processState("database check", (): { check?: Promise<void> | undefined } => ({}));

/**
 * Like {@link checkDatabase}, with one check at a time. While it is known that the database does not answer, that is told after
 * {@link KNOWN_OUTAGE_MS}, and the check goes on for the next call.
 * @throws what {@link checkDatabase} throws
 */
export async function checkDatabaseSoon(): Promise<void> {
  const state = running.get();
  // It throws for settings that cannot be used. Nobody would wait for a check that has begun before.
  const isAway = databaseOutage() !== undefined;
  state.check ??= checkDatabase().finally(() => {
    state.check = undefined;
  });
  if (!isAway) return await state.check;
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(unavailable()), KNOWN_OUTAGE_MS);
  await Promise.race([state.check, late.promise]).finally(() => clearTimeout(timer));
}
