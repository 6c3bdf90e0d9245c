import { drizzle, type PostgresJsDatabase } from "drizzle-orm/postgres-js";
import postgres from "postgres";
import { databaseConfig } from "#lib/config.ts";
import { migrateDatabase } from "#lib/db/migrate.ts";
import * as schema from "#lib/db/schema.ts";

export type Database = PostgresJsDatabase<typeof schema>;
export type Transaction = Parameters<Parameters<Database["transaction"]>[0]>[0];
/** A database, or a transaction in it. */
export type Executor = Database | Transaction;

const KEY = Symbol.for("platen.database");
type Opened = { database: Database; close(): Promise<void> };

/** Kept on `globalThis` because routes, instrumentation and the server each get their own copy of this module. */
const holder = globalThis as { [KEY]?: Promise<Opened> };

async function connect(): Promise<Opened> {
  const { url, poolSize } = databaseConfig();
  const client = postgres(url ?? "", { max: poolSize, onnotice: () => undefined });
  await migrateDatabase(client);
  return { database: drizzle(client, { schema }), close: () => client.end({ timeout: 1 }) };
}

/** The database, migrated. @throws AppError `unavailable` while it cannot be reached */
export async function database(): Promise<Database> {
  holder[KEY] ??= connect();
  return (await holder[KEY]).database;
}

/**
 * Asks the database.
 *
 * @throws AppError `unavailable` while it is away; otherwise what `run` throws
 */
export async function query<T>(run: (db: Database) => Promise<T>): Promise<T> {
  return run(await database());
}

/**
 * Like {@link query}, in one transaction: all of it happens, or nothing.
 *
 * @throws AppError `unavailable` while the database is away; otherwise what `run` throws, rolled back
 */
export async function transaction<T>(run: (tx: Transaction) => Promise<T>): Promise<T> {
  return (await database()).transaction(run);
}

/** Ends every connection of this process. The next query opens one again. */
export async function closeDatabase(): Promise<void> {
  const opened = holder[KEY];
  delete holder[KEY];
  await (await opened)?.close();
}
