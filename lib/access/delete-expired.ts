import { type SQL, sql } from "drizzle-orm";
import { auditDays } from "#lib/config.ts";
import { devices, sessions, throttle, unknownLogins, usage } from "#lib/db/schema.ts";
import { UNKNOWN_LOGIN_DAYS, USAGE_DAYS } from "./access-limits.ts";
import { pruneAuditTrail } from "./audit/prune-trail.ts";
import { sealAuditTrail } from "./audit/seal-trail.ts";
import { deleteInBatches } from "./delete-in-batches.ts";

/**
 * Deletes expired rows, and seals the audit trail. Any number of replicas may run it at any time. Each table has its turn even if
 * another one fails, such as one that has lost its rights or is locked.
 * @throws the failure of a table, such as AppError `unavailable`; AggregateError of several; the signal's reason
 */
export async function deleteExpired(signal?: AbortSignal): Promise<void> {
  const auditLifetime = auditDays();
  const loginLifetime = Math.min(UNKNOWN_LOGIN_DAYS, auditLifetime ?? UNKNOWN_LOGIN_DAYS);
  const expired: [table: SQL, condition: SQL][] = [
    [sql`${sessions}`, sql`expires_at <= now()`],
    [sql`${devices}`, sql`expires_at <= now()`],
    [sql`${throttle}`, sql`empty_at <= now()`],
    [sql`${usage}`, sql`day < current_date - ${USAGE_DAYS}::integer`],
    [sql`${unknownLogins}`, sql`at < now() - ${loginLifetime} * interval '1 day'`],
  ];
  const tasks = [
    ...expired.map(
      ([table, condition]) =>
        () =>
          deleteInBatches({ table, condition, signal }),
    ),
    async () => {
      await sealAuditTrail(signal);
      if (auditLifetime !== undefined) await pruneAuditTrail(auditLifetime, signal);
    },
  ];
  const failures: unknown[] = [];
  for (const task of tasks) {
    await task().catch((error: unknown) => {
      signal?.throwIfAborted();
      failures.push(error);
    });
  }
  if (failures.length === 1) throw failures[0];
  if (failures.length > 1)
    throw new AggregateError(failures, [...new Set(failures.map((error) => (error as Error).message))].join(" "));
}
