import { getTableName, isTable, sql } from "drizzle-orm";
import { query, transaction } from "#lib/db/database.ts";
import { sqlState } from "#lib/db/database-faults.ts";
import * as schema from "#lib/db/schema.ts";

/** Changes of the schema hold their locks for milliseconds. */
const LOCK_WAIT_MS = 500;

const LOCK_NOT_AVAILABLE = "55P03";

const NAMES = Object.values(schema)
  .filter((value) => isTable(value))
  .map(getTableName);

/** What the changes of requests ask for. */
const TAKE = sql.raw(`lock table ${NAMES.map((name) => `"${name}"`).join(", ")} in row exclusive mode`);

/** The processes that hold a lock against changes, or wait for one. PostgreSQL lets later requests wait behind a process that waits. */
const HOLDERS = sql`
  select c.relname as name, l.pid from pg_locks l join pg_class c on c.oid = l.relation
  where l.database = (select oid from pg_database where datname = current_database())
    and c.relname = any (${sql.param(`{${NAMES.join(",")}}`)}::name[]) and pg_table_is_visible(c.oid)
    and l.pid is not null and l.mode in ('ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')
  order by c.relname, l.granted desc, l.pid`;

/** A table that is locked against changes, and the process of PostgreSQL that locks it, or waits to. */
export type HeldTable = { name: string; pid: number };

/** Whether all tables take changes. Another error than that of a lock is an answer, such as that the role may not lock a table. */
async function areFree(): Promise<boolean> {
  return await transaction(async (tx) => {
    await tx.execute(sql.raw(`set local lock_timeout = ${LOCK_WAIT_MS}`));
    return await tx.execute(TAKE).then(
      () => true,
      (error: unknown) => {
        if (sqlState(error) === undefined) throw error;
        return sqlState(error) !== LOCK_NOT_AVAILABLE;
      },
    );
  });
}

/**
 * Finds the tables that another program locks against changes, as a restore and a change of the schema do.
 * @throws AppError `unavailable` when the database does not answer
 */
export async function heldTables(): Promise<HeldTable[]> {
  return (await areFree()) ? [] : await query((db) => db.execute<HeldTable>(HOLDERS));
}
