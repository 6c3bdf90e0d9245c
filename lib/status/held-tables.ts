import { getTableName, isTable, sql } from "drizzle-orm";
import { query, transaction } from "#lib/db/database.ts";
import * as schema from "#lib/db/schema.ts";
import { AppError } from "#lib/errors.ts";

/** Changes of the schema hold their locks for milliseconds. */
const LOCK_WAIT_MS = 500;

const NAMES = Object.values(schema)
  .filter((value) => isTable(value))
  .map(getTableName);

/** What the changes of requests ask for. */
const TAKE = sql.raw(`lock table ${NAMES.map((name) => `"${name}"`).join(", ")} in row exclusive mode`);

/** Who has, or waits for, a lock that keeps changes out. Whoever waits for one lets nobody pass who comes later. */
const HOLDERS = sql`
  select c.relname as name, l.pid from pg_locks l join pg_class c on c.oid = l.relation
  where l.database = (select oid from pg_database where datname = current_database())
    and c.relname = any (${sql.param(`{${NAMES.join(",")}}`)}::name[]) and pg_table_is_visible(c.oid)
    and l.mode in ('ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')
  order by c.relname, l.granted desc, l.pid`;

/** A table that is locked against changes, and the process of PostgreSQL that locks it. */
export type HeldTable = { name: string; pid: number };

/**
 * Finds the tables that another program locks against changes, as `VACUUM FULL`, a restore and a change of the schema do.
 * @throws AppError `unavailable` when the database does not answer
 */
export async function heldTables(): Promise<HeldTable[]> {
  try {
    await transaction(async (tx) => {
      await tx.execute(sql.raw(`set local lock_timeout = ${LOCK_WAIT_MS}`));
      await tx.execute(TAKE);
    });
    return [];
  } catch (error) {
    // Another error is an answer, such as that the role may not lock a table.
    return error instanceof AppError ? await query((db) => db.execute<HeldTable>(HOLDERS)) : [];
  }
}
