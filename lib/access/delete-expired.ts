import { type SQL, sql } from "drizzle-orm";
import { auditDays } from "#lib/config.ts";
import { query } from "#lib/db/database.ts";
import { devices, sessions, throttle, unknownLogins, usage } from "#lib/db/schema.ts";
import { CLEANUP_BATCH_ROWS, UNKNOWN_LOGIN_DAYS, USAGE_DAYS } from "./access-limits.ts";
import { pruneAuditTrail } from "./audit/prune-trail.ts";
import { sealAuditTrail } from "./audit/seal-trail.ts";

/** Deletes in batches and skips locked rows, so that no request waits for the clean-up. */
async function deleteWhere(table: SQL, condition: SQL): Promise<void> {
  const deleteBatch = sql`
    delete from ${table} where ctid = any (array (
      select ctid from ${table} where ${condition} limit ${CLEANUP_BATCH_ROWS} for update skip locked))`;
  let deleted: number;
  do deleted = (await query((db) => db.execute(deleteBatch))).count;
  while (deleted === CLEANUP_BATCH_ROWS);
}

/**
 * Deletes expired rows, and seals the audit trail before that. Any number of replicas may run it at any time.
 * @throws AppError `unavailable`; the signal's reason
 */
export async function deleteExpired(signal?: AbortSignal): Promise<void> {
  await deleteWhere(sql`${sessions}`, sql`expires_at <= now()`);
  await deleteWhere(sql`${devices}`, sql`expires_at <= now()`);
  await deleteWhere(sql`${throttle}`, sql`empty_at <= now()`);
  await deleteWhere(sql`${usage}`, sql`day < current_date - ${USAGE_DAYS}::integer`);
  const auditLifetime = auditDays();
  const loginLifetime = Math.min(UNKNOWN_LOGIN_DAYS, auditLifetime ?? UNKNOWN_LOGIN_DAYS);
  await deleteWhere(sql`${unknownLogins}`, sql`at < now() - ${loginLifetime} * interval '1 day'`);
  await sealAuditTrail(signal);
  if (auditLifetime !== undefined) await pruneAuditTrail(auditLifetime, signal);
}
