import { ConfigError } from "#lib/environment/config-error.ts";
import { log } from "#lib/log.ts";
import type { Connection } from "./connection.ts";
import { sqlState } from "./database-faults.ts";
import { OLDEST_POSTGRES } from "./database-limits.ts";
import { appliedMigrations, createdTables, pendingMigrations, readMigrations } from "./migrations.ts";

const unfitting = (message: string) => new ConfigError([{ variable: "DATABASE_URL", message }]);

/** A database with tables is not refused, because it has served those who need no such names. */
async function refuseEncoding(connection: Connection, encoding: unknown): Promise<void> {
  const got = `got a database with the encoding ${encoding}, want UTF8`;
  const reason = "names and emails may have characters of every script";
  if ((await appliedMigrations(connection)).length > 0)
    log().warn(
      `DATABASE_URL: ${got}: ${reason}. Requests with those that it lacks are answered 500. Create a new one with UTF8, and restore a dump of this one there.`,
    );
  else throw unfitting(`${got}: ${reason}. Create one: createdb --encoding=UTF8 --template=template0 <name>`);
}

/**
 * In other encodings than UTF8, PostgreSQL refuses most names that people have.
 * @throws ConfigError when the server is too old for the tables, or the database is empty and has another encoding
 */
export async function requireServer(connection: Connection): Promise<void> {
  const ask =
    "select current_setting('server_version_num')::int as number, version() as name, current_setting('server_encoding') as encoding";
  const [row] = await connection.run(ask);
  if (Number(row?.number) < OLDEST_POSTGRES) {
    const want = `PostgreSQL ${OLDEST_POSTGRES / 10_000} or newer`;
    throw unfitting(`got ${String(row?.name).split(" on ")[0]}, want ${want}`);
  }
  if (row?.encoding !== "UTF8") await refuseEncoding(connection, row?.encoding);
}

/** Looked up as a statement does that names no schema. There may be no schema that the search_path names. */
const FIND_MISSING = `
  select name, coalesce(current_schema(), current_setting('search_path')) as schema from unnest($1::text::name[]) as name
  where not exists (select from pg_class where relname = name and pg_table_is_visible(oid))`;

/**
 * Compares the tables with the record of the migrations, which all schemas of a database share.
 * @throws ConfigError when a migration counts as applied whose tables are not there
 */
export async function requireTables(connection: Connection): Promise<void> {
  const pending = new Set((await pendingMigrations(connection)).map(({ at }) => at));
  const tables = createdTables(readMigrations().filter(({ at }) => !pending.has(at)));
  const missing = await connection.run(FIND_MISSING, [`{${tables.join(",")}}`]);
  if (missing.length === 0) return;
  const names = missing.map(({ name }) => `"${name}"`).join(", ");
  throw unfitting(
    `got a database without ${names} in its schema "${missing[0]?.schema}", where the schema "drizzle" says that Platen has created its tables. If they are in another schema, name that with search_path. Each Platen with tables of its own needs a database of its own. If a table was dropped, restore a backup`,
  );
}

const DUPLICATE_TABLE = "42P07";

/** The error of a migration, with what to do where a table is there that it would create. */
export function explainDuplicate(error: unknown): unknown {
  if (sqlState(error) !== DUPLICATE_TABLE) return error;
  const { message } = error as Error;
  return unfitting(
    `got a database where ${message}, and no record in its schema "drizzle" that Platen has created it. If it is Platen's, restore that schema from the same dump too. If it is another program's, use an empty database`,
  );
}
