import { and, asc, desc, sql } from "drizzle-orm";
import { type Transaction, transaction } from "#lib/db/database.ts";
import { auditEvents, auditSeals } from "#lib/db/schema.ts";
import { AUDIT_SEAL_AFTER_SECONDS, AUDIT_SEAL_ROWS } from "../access-limits.ts";
import { type AuditEvent, hashOfRows, hashOfSeal, isAfter, SEAL_ORDER, type Seal } from "./seal.ts";

/**
 * Lets one process at a time change the seals. A lock of the transaction also works through a pooler.
 * @returns false when another process has it
 */
export async function lockSeals(tx: Transaction): Promise<boolean> {
  const [lock] = await tx.execute(sql`select pg_try_advisory_xact_lock(hashtext('platen.audit_seals')) as mine`);
  return lock?.mine === true;
}

const dayOf = ({ at }: AuditEvent) => at.toISOString().slice(0, 10);

/** The next batch: events that have settled, of one day (UTC), so that a day's events can be pruned as a whole. */
async function nextBatch(tx: Transaction, last: Seal | undefined): Promise<AuditEvent[]> {
  const hasSettled = sql`${auditEvents.at} < now() - ${AUDIT_SEAL_AFTER_SECONDS} * interval '1 second'`;
  const events = await tx
    .select()
    .from(auditEvents)
    .where(and(isAfter(last), hasSettled))
    .orderBy(...SEAL_ORDER.map((column) => asc(column)))
    .limit(AUDIT_SEAL_ROWS);
  const [first] = events;
  return events.filter((event) => first && dayOf(event) === dayOf(first));
}

/** The time of the database, as all times of the trail are. A server's own clock may be another one. */
async function databaseTime(tx: Transaction): Promise<Date> {
  const [row] = await tx.execute<{ ms: number }>(sql`select floor(extract(epoch from now()) * 1000)::float8 as ms`);
  return new Date(row?.ms ?? Number.NaN);
}

/** @returns whether a batch was sealed: false when there is none, or another process seals */
async function sealBatch(tx: Transaction): Promise<boolean> {
  if (!(await lockSeals(tx))) return false;
  const [last] = await tx.select().from(auditSeals).orderBy(desc(auditSeals.sequence)).limit(1);
  const events = await nextBatch(tx, last);
  const [from, to] = [events[0], events.at(-1)];
  if (!from || !to) return false;
  const range = {
    sequence: (last?.sequence ?? 0) + 1,
    firstAt: from.at,
    firstId: from.id,
    lastAt: to.at,
    lastId: to.id,
    rows: events.length,
    rowsHash: hashOfRows(events),
    sealedAt: await databaseTime(tx),
  };
  await tx.insert(auditSeals).values({ ...range, hash: hashOfSeal(range, last?.hash) });
  return true;
}

/**
 * Seals the events of the audit trail that are older than {@link AUDIT_SEAL_AFTER_SECONDS}, in batches. Any number of replicas
 * may call it at any time: one of them seals.
 * @throws AppError `unavailable`; the signal's reason
 */
export async function sealAuditTrail(signal?: AbortSignal): Promise<void> {
  do signal?.throwIfAborted();
  while (await transaction(sealBatch));
}
