import { setTimeout as sleep } from "node:timers/promises";
import { abortable } from "#lib/abortable.ts";
import { log } from "#lib/log.ts";
import { Connection } from "./connection.ts";
import { sqlState } from "./database-faults.ts";
import {
  IDLE_TRANSACTION_MS,
  MIGRATION_LOCK_TIMEOUT_MS,
  MIGRATION_POLL_MS,
  MIGRATION_TIMEOUT_MS,
  START_TIMEOUT_MS,
} from "./database-limits.ts";
import { createRecords, isNewer, type Migration, pendingMigrations, recordMigration } from "./migrations.ts";
import { explainDuplicate, requireServer, requireTables } from "./requirements.ts";

/** The advisory lock of a migration: an arbitrary number that must be the same in every version. */
export const MIGRATION_LOCK = 7_081_970_341;

const LOCK_NOT_AVAILABLE = "55P03";

/** Not refused: of two versions that follow each other, the older one also works with the tables of the newer one. */
async function warnOfNewer(connection: Connection): Promise<void> {
  if (await isNewer(connection))
    log().warn(
      "A newer version of Platen has migrated this database. This one serves it, and ignores tables and columns that it does not know. Read the section Upgrades of docs/operations.md before you stay on this version.",
    );
}

/** The migrations that have to be applied before a query. On a server, indexes are built while queries run (`build-indexes.ts`). */
async function pendingNow(connection: Connection): Promise<Migration[]> {
  const pending = await pendingMigrations(connection);
  return connection.isEmbedded ? pending : pending.filter(({ indexes }) => !indexes);
}

/** The embedded database serves one connection at a time, so that nobody could use a table meanwhile anyway. */
function statementsOf({ statements }: Migration): string[] {
  return statements.map((statement) => statement.replace("INDEX CONCURRENTLY", "INDEX"));
}

/** @returns whether this process has migrated; false when another one holds the lock */
async function migrateLocked(connection: Connection): Promise<boolean> {
  // A change that waits for a table makes every later query of that table wait behind it.
  await connection.run(`set local lock_timeout = ${MIGRATION_LOCK_TIMEOUT_MS}`);
  await connection.allowLongStatements("local");
  await connection.limitIdleTime(IDLE_TRANSACTION_MS);
  const [lock] = await connection.run(`select pg_try_advisory_xact_lock(${MIGRATION_LOCK}) as mine`);
  if (lock?.mine !== true) return false;
  const pending = await pendingNow(connection);
  if (pending.length === 0) return false;
  await createRecords(connection);
  for (const migration of pending) {
    for (const statement of statementsOf(migration)) await connection.run(statement);
    await recordMigration(connection, migration);
  }
  return true;
}

type Ends = {
  /** Ends the migration. */
  signal: AbortSignal;
  /** Ends only the wait for the migration of another process. */
  stop: AbortSignal | undefined;
};

/**
 * Repeats until the tables have this version. It waits outside of a transaction, because the build of an index by another replica
 * waits for every transaction. A lock of the transaction also works through a pooler.
 *
 * @returns whether this process has migrated
 */
async function migrateInTurn(connection: Connection, { signal, stop }: Ends): Promise<boolean> {
  const waiting = stop ? AbortSignal.any([signal, stop]) : signal;
  while ((await pendingNow(connection)).length > 0) {
    waiting.throwIfAborted();
    const work = connection.transact(() => migrateLocked(connection));
    const hasMigrated = await work.catch((error: unknown) => {
      if (sqlState(error) === LOCK_NOT_AVAILABLE) return false;
      throw explainDuplicate(error);
    });
    if (hasMigrated) return true;
    await abortable(sleep(MIGRATION_POLL_MS), waiting);
  }
  return false;
}

/**
 * Brings the tables to this version in one transaction. Of several processes that start at once, one migrates.
 *
 * @param stop ends the wait for the migration of another process, which may take minutes. One of its own goes on.
 * @throws ConfigError when PostgreSQL is too old, or the database does not fit (see `requirements.ts`); otherwise the error of the connection or the migration
 */
export async function migrateDatabase(stop?: AbortSignal): Promise<void> {
  const connection = await Connection.open(AbortSignal.timeout(START_TIMEOUT_MS), START_TIMEOUT_MS);
  try {
    const check = requireServer(connection)
      .then(() => requireTables(connection))
      .then(() => warnOfNewer(connection))
      .then(() => pendingNow(connection));
    if ((await abortable(check, AbortSignal.timeout(START_TIMEOUT_MS))).length === 0) return;
    const signal = AbortSignal.timeout(MIGRATION_TIMEOUT_MS);
    const hasMigrated = await abortable(migrateInTurn(connection, { signal, stop }), signal);
    if (hasMigrated) log().info("The database was migrated to this version.");
  } catch (error) {
    await connection.abandon();
    throw error;
  } finally {
    await connection.close();
  }
}
