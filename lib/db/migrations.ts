import { join } from "node:path";
import { readMigrationFiles } from "drizzle-orm/migrator";
import { PROJECT_DIR } from "#lib/config.ts";
import type { Connection } from "./connection.ts";

const FOLDER = join(/* turbopackIgnore: true */ PROJECT_DIR, "drizzle");

/** An index that is built while others read and write its table. */
export type ConcurrentIndex = { name: string; statement: string };

/** One file of the folder `drizzle`. */
export type Migration = {
  /** When it was written, in Unix milliseconds. It identifies the migration. */
  at: number;
  hash: string;
  statements: string[];
  /** Its indexes, where it has nothing else. Undefined for a change of tables. */
  indexes: ConcurrentIndex[] | undefined;
};

const CONCURRENT_INDEX = /^\s*CREATE (?:UNIQUE )?INDEX CONCURRENTLY "(\w+)"/i;

function concurrentIndex(statement: string): ConcurrentIndex | undefined {
  const name = CONCURRENT_INDEX.exec(statement)?.[1];
  return name === undefined ? undefined : { name, statement };
}

/** All migrations, the oldest first. */
export function readMigrations(): Migration[] {
  return readMigrationFiles({ migrationsFolder: FOLDER }).map(({ folderMillis: at, hash, sql: statements }) => {
    const indexes = statements.flatMap((statement) => concurrentIndex(statement) ?? []);
    return { at, hash, statements, indexes: indexes.length === statements.length ? indexes : undefined };
  });
}

/** Not `to_regclass`, which caches: it misses tables that another process has just created. */
const FIND_RECORDS = `
  select from pg_class join pg_namespace on pg_namespace.oid = relnamespace
  where nspname = 'drizzle' and relname = '__drizzle_migrations'`;

/** When the migrations that the database has were written, the oldest first. Takes no lock. */
export async function appliedMigrations(connection: Connection): Promise<number[]> {
  const [known] = await connection.run(FIND_RECORDS);
  if (!known) return [];
  const rows = await connection.run(
    "select created_at::text as at from drizzle.__drizzle_migrations order by created_at",
  );
  return rows.map(({ at }) => Number(at));
}

/** The migrations that the database lacks, the oldest first. Takes no lock. */
export async function pendingMigrations(connection: Connection): Promise<Migration[]> {
  const applied = new Set(await appliedMigrations(connection));
  return readMigrations().filter(({ at }) => !applied.has(at));
}

/** Whether a newer version of Platen has migrated the database. Takes no lock. */
export async function isNewer(connection: Connection): Promise<boolean> {
  const known = new Set(readMigrations().map(({ at }) => at));
  return (await appliedMigrations(connection)).some((at) => !known.has(at));
}

/** The table is the one of drizzle's own migrator, which earlier versions used. */
export async function createRecords(connection: Connection): Promise<void> {
  await connection.run("create schema if not exists drizzle");
  await connection.run(
    "create table if not exists drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint)",
  );
}

/** Records that a migration is applied. Logical replication copies no sequences, so that the next number of this one may be taken. */
export async function recordMigration(connection: Connection, { at, hash }: Migration): Promise<void> {
  await connection.run(`
    insert into drizzle.__drizzle_migrations (id, hash, created_at)
    select greatest(nextval(pg_get_serial_sequence('drizzle.__drizzle_migrations', 'id')), max(id) + 1), '${hash}', ${at}
    from drizzle.__drizzle_migrations`);
}

/** Forgets which migrations were applied. Only for tables that were dropped. */
export async function forgetMigrations(connection: Connection): Promise<void> {
  await connection.run("delete from drizzle.__drizzle_migrations");
}

function namesAfter(what: string, migrations: Migration[]): string[] {
  const text = migrations.flatMap(({ statements }) => statements).join("\n");
  return [...text.matchAll(RegExp(`CREATE ${what} "(\\w+)"`, "g"))].map(([, name = ""]) => name);
}

/** The names of the tables that migrations create. */
export function createdTables(migrations: Migration[]): string[] {
  return namesAfter("TABLE", migrations);
}

/** The names of every table and function that a migration creates. */
export function createdObjects(): { tables: string[]; functions: string[] } {
  const migrations = readMigrations();
  return { tables: createdTables(migrations), functions: namesAfter("FUNCTION", migrations) };
}
