import { type SQL, sql } from "drizzle-orm";
import { auditDays } from "#lib/config.ts";
import { query } from "#lib/db/database.ts";
import { auditEvents, devices, sessions, throttle, usage } from "#lib/db/schema.ts";
import { CLEANUP_BATCH_ROWS, USAGE_DAYS } from "./access-limits.ts";

const days = (count: number) => sql`${count} * interval '1 day'`;

/** Deletes in batches and skips locked rows, so that no request waits for the clean-up. */
async function deleteWhere(table: SQL, condition: SQL): Promise<void> {
  const deleteBatch = sql`
    delete from ${table} where ctid = any (array (
      select ctid from ${table} where ${condition} limit ${CLEANUP_BATCH_ROWS} for update skip locked))`;
  let deleted: number;
  do deleted = (await query((db) => db.execute(deleteBatch))).count;
  while (deleted === CLEANUP_BATCH_ROWS);
}

/** Deletes expired rows. Any number of replicas may run it at any time. @throws AppError `unavailable` */
export async function deleteExpired(): Promise<void> {
  await deleteWhere(sql`${sessions}`, sql`expires_at <= now()`);
  await deleteWhere(sql`${devices}`, sql`expires_at <= now()`);
  await deleteWhere(sql`${throttle}`, sql`empty_at <= now()`);
  const auditLifetime = auditDays();
  if (auditLifetime !== undefined) await deleteWhere(sql`${auditEvents}`, sql`at < now() - ${days(auditLifetime)}`);
  await deleteWhere(sql`${usage}`, sql`day < current_date - ${USAGE_DAYS}::integer`);
}
