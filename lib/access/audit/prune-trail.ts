import { asc, eq, isNull, sql } from "drizzle-orm";
import { type Transaction, transaction } from "#lib/db/database.ts";
import { auditEvents, auditSeals } from "#lib/db/schema.ts";
import { hasOpenSnapshot } from "#lib/db/transfer/open-snapshot.ts";
import { isUpTo } from "./seal.ts";
import { lockSeals } from "./seal-trail.ts";

/** Deletes the oldest batch if all of it is too old. @returns whether it did */
async function pruneBatch(tx: Transaction, days: number): Promise<boolean> {
  if (!(await lockSeals(tx)) || (await hasOpenSnapshot(tx))) return false;
  const isDue = sql<boolean>`${auditSeals.lastAt} < now() - ${days} * interval '1 day'`;
  const [oldest] = await tx
    .select({ sequence: auditSeals.sequence, lastAt: auditSeals.lastAt, lastId: auditSeals.lastId, isDue })
    .from(auditSeals)
    .where(isNull(auditSeals.prunedAt))
    .orderBy(asc(auditSeals.sequence))
    .limit(1);
  if (!oldest?.isDue) return false;
  await tx.delete(auditEvents).where(isUpTo(oldest));
  await tx.update(auditSeals).set({ prunedAt: sql`now()` }).where(eq(auditSeals.sequence, oldest.sequence));
  return true;
}

/**
 * Deletes the sealed batches of the audit trail whose events are all older than `days`. Their seals stay: the last of them is
 * where a verification of events begins. Requests never wait for it, because they only add events. While a backup is being written,
 * nothing is deleted: the next call does it.
 * @throws AppError `unavailable`; the signal's reason
 */
export async function pruneAuditTrail(days: number, signal?: AbortSignal): Promise<void> {
  do signal?.throwIfAborted();
  while (await transaction((tx) => pruneBatch(tx, days)));
}
