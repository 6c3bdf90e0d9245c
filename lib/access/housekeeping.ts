import { type SQL, sql } from "drizzle-orm";
import { auditDays } from "#lib/config.ts";
import { query } from "#lib/db/database.ts";
import { auditEvents, sessions, throttle, usage } from "#lib/db/schema.ts";
import { HOUSEKEEPING_ROWS, USAGE_DAYS } from "./access-limits.ts";

const days = (count: number) => sql`${count} * interval '1 day'`;

/** A batch at a time, and around the rows that a request holds: this must never be what a request waits for. */
async function deleteWhere(table: SQL, condition: SQL): Promise<void> {
  const deleteBatch = sql`
    delete from ${table} where ctid = any (array (
      select ctid from ${table} where ${condition} limit ${HOUSEKEEPING_ROWS} for update skip locked))`;
  let deleted: number;
  do deleted = (await query((db) => db.execute(deleteBatch))).count;
  while (deleted === HOUSEKEEPING_ROWS);
}

/** Deletes what has had its time. It can be run at any time, by any number of replicas. @throws AppError `unavailable` */
export async function keepHouse(): Promise<void> {
  await deleteWhere(sql`${sessions}`, sql`expires_at <= now()`);
  await deleteWhere(sql`${throttle}`, sql`empty_at <= now()`);
  const auditLifetime = auditDays();
  if (auditLifetime !== undefined) await deleteWhere(sql`${auditEvents}`, sql`at < now() - ${days(auditLifetime)}`);
  await deleteWhere(sql`${usage}`, sql`day < current_date - ${USAGE_DAYS}::integer`);
}
