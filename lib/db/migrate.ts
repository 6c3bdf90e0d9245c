import { join } from "node:path";
import { readMigrationFiles } from "drizzle-orm/migrator";
import { drizzle } from "drizzle-orm/postgres-js";
import { migrate } from "drizzle-orm/postgres-js/migrator";
import type { Sql, TransactionSql } from "postgres";
import { abortable } from "#lib/abortable.ts";
import { ConfigError, PROJECT_DIR } from "#lib/config.ts";
import { log } from "#lib/log.ts";
import { Connection } from "./connection.ts";
import { IDLE_TRANSACTION_MS, MIGRATION_TIMEOUT_MS, OLDEST_POSTGRES, QUERY_TIMEOUT_MS } from "./limits.ts";

const MIGRATIONS = { migrationsFolder: join(/* turbopackIgnore: true */ PROJECT_DIR, "drizzle") };

/** Any number, the same in every version: whoever migrates holds it. */
const MIGRATION_LOCK = 7_081_970_341;

/** @throws ConfigError when the server is older than the tables can be made on */
async function requireVersion(client: Sql): Promise<void> {
  const [row] = await client.unsafe("select current_setting('server_version_num')::int as number, version() as name");
  if (row && row.number < OLDEST_POSTGRES) {
    const message = `got ${row.name.split(" on ")[0]}, want PostgreSQL ${OLDEST_POSTGRES / 10_000} or newer`;
    throw new ConfigError([{ variable: "DATABASE_URL", message }]);
  }
}

/** Whether the tables are of this version or a newer one, asked without holding anybody up. */
async function isMigrated(client: Sql): Promise<boolean> {
  const newest = readMigrationFiles(MIGRATIONS).at(-1)?.folderMillis ?? 0;
  const [known] = await client.unsafe("select to_regclass('drizzle.__drizzle_migrations') is not null as exists");
  if (!known?.exists) return false;
  const [last] = await client.unsafe("select max(created_at)::float8 as at from drizzle.__drizzle_migrations");
  return last?.at >= newest;
}

/**
 * drizzle's migrator reads what is there before it begins its transaction, so two of them at once would both create the
 * tables. This runs it inside a transaction that holds a lock; the lock goes with the transaction, whatever pooler is in between.
 */
async function migrateAlone(client: Sql, tx: TransactionSql): Promise<void> {
  await tx.unsafe(`set local lock_timeout = ${MIGRATION_TIMEOUT_MS}`);
  await tx.unsafe(`set local idle_in_transaction_session_timeout = ${IDLE_TRANSACTION_MS}`);
  await tx.unsafe(`select pg_advisory_xact_lock(${MIGRATION_LOCK})`);
  const nested = Object.assign(tx, { options: client.options, begin: tx.savepoint });
  await migrate(drizzle(nested as unknown as Sql), MIGRATIONS);
}

/**
 * Brings the tables to this version, once however many processes do it at the same time. Nothing is left half done.
 *
 * @throws ConfigError for a PostgreSQL that is too old; whatever keeps it from being done
 */
export async function migrateDatabase(): Promise<void> {
  const connection = await Connection.open(AbortSignal.timeout(QUERY_TIMEOUT_MS));
  const { client } = connection;
  try {
    const check = requireVersion(client).then(() => isMigrated(client));
    if (await abortable(check, AbortSignal.timeout(QUERY_TIMEOUT_MS))) return;
    const work = client.begin((tx) => migrateAlone(client, tx));
    await abortable(work, AbortSignal.timeout(MIGRATION_TIMEOUT_MS));
    log().info("The tables of the database are of this version now.");
  } catch (error) {
    connection.abandon();
    throw error;
  } finally {
    await connection.close();
  }
}
