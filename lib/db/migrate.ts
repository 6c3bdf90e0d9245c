import { join } from "node:path";
import { readMigrationFiles } from "drizzle-orm/migrator";
import { migrate } from "drizzle-orm/postgres-js/migrator";
import { abortable } from "#lib/abortable.ts";
import { PROJECT_DIR } from "#lib/config.ts";
import { ConfigError } from "#lib/environment/config-error.ts";
import { log } from "#lib/log.ts";
import { Connection } from "./connection.ts";
import { IDLE_TRANSACTION_MS, MIGRATION_TIMEOUT_MS, OLDEST_POSTGRES, QUERY_TIMEOUT_MS } from "./database-limits.ts";

const MIGRATIONS = { migrationsFolder: join(/* turbopackIgnore: true */ PROJECT_DIR, "drizzle") };

/** The advisory lock of a migration: an arbitrary number that must be the same in every version. */
const MIGRATION_LOCK = 7_081_970_341;

/** @throws ConfigError when the server is too old for the tables */
async function requireVersion(connection: Connection): Promise<void> {
  const ask = "select current_setting('server_version_num')::int as number, version() as name";
  const [row] = await connection.run(ask);
  if (Number(row?.number) >= OLDEST_POSTGRES) return;
  const message = `got ${String(row?.name).split(" on ")[0]}, want PostgreSQL ${OLDEST_POSTGRES / 10_000} or newer`;
  throw new ConfigError([{ variable: "DATABASE_URL", message }]);
}

/** Not `to_regclass`, which caches: it misses tables that another process has just created. */
const FIND_MIGRATIONS = `
  select from pg_class join pg_namespace on pg_namespace.oid = relnamespace
  where nspname = 'drizzle' and relname = '__drizzle_migrations'`;

/** Whether the tables have this version or a newer one. Takes no lock. */
async function isMigrated(connection: Connection): Promise<boolean> {
  const newest = readMigrationFiles(MIGRATIONS).at(-1)?.folderMillis ?? 0;
  const [known] = await connection.run(FIND_MIGRATIONS);
  if (!known) return false;
  const [last] = await connection.run("select max(created_at)::float8 as at from drizzle.__drizzle_migrations");
  return Number(last?.at) >= newest;
}

/**
 * Runs drizzle's migrator in a transaction that holds a lock. The migrator reads the applied migrations before it begins its own
 * transaction, so that two at once would both create the tables. A lock of the transaction also works through a pooler.
 *
 * @returns whether there was anything to migrate
 */
async function migrateLocked(connection: Connection): Promise<boolean> {
  await connection.run(`set local lock_timeout = ${MIGRATION_TIMEOUT_MS}`);
  await connection.run(`set local idle_in_transaction_session_timeout = ${IDLE_TRANSACTION_MS}`);
  await connection.run(`select pg_advisory_xact_lock(${MIGRATION_LOCK})`);
  if (await isMigrated(connection)) return false;
  await migrate(connection.lease().database, MIGRATIONS);
  return true;
}

/**
 * Brings the tables to this version in one transaction. Of several processes that start at once, one migrates.
 *
 * @throws ConfigError when PostgreSQL is too old; otherwise the error of the connection or the migration
 */
export async function migrateDatabase(): Promise<void> {
  const connection = await Connection.open(AbortSignal.timeout(QUERY_TIMEOUT_MS));
  try {
    const check = requireVersion(connection).then(() => isMigrated(connection));
    if (await abortable(check, AbortSignal.timeout(QUERY_TIMEOUT_MS))) return;
    const work = connection.transact(() => migrateLocked(connection));
    const hasMigrated = await abortable(work, AbortSignal.timeout(MIGRATION_TIMEOUT_MS));
    if (hasMigrated) log().info("The database was migrated to this version.");
  } catch (error) {
    connection.destroy();
    throw error;
  } finally {
    await connection.close();
  }
}
