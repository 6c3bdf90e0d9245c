import { createHash } from "node:crypto";
import { type SQL, sql } from "drizzle-orm";
import { auditEvents, type auditSeals } from "#lib/db/schema.ts";

/** How many seals a verification reads at once. */
export const SEALS_AT_ONCE = 500;

export type AuditEvent = typeof auditEvents.$inferSelect;

/** A sealed batch of the audit trail. */
export type Seal = typeof auditSeals.$inferSelect;

/** The part of a seal that its hash covers, beside the previous hash. */
export type SealedRange = Omit<Seal, "hash" | "prunedAt">;

/** Takes the place of the previous hash in the first seal. */
const NO_HASH = Buffer.alloc(32);

/** By UTF-16 code units, as RFC 8785 sorts. */
function byKey([a]: [string, unknown], [b]: [string, unknown]): number {
  return a < b ? -1 : 1;
}

/**
 * JSON without white space and with sorted keys (RFC 8785). Equal values give equal bytes. Nulls are left out, so that the
 * events of earlier versions keep their hash when the table gets another column.
 */
function canonicalJson(value: object): string {
  return JSON.stringify(value, (_key, part: unknown) => {
    if (!(part instanceof Object)) return part;
    const entries = Object.entries(part).filter(([, inner]) => inner !== null);
    return Object.fromEntries(entries.toSorted(byKey));
  });
}

/** SHA-256 of all columns of the events: a line of canonical JSON for each event, in the order of `at` and `id`. */
export function hashOfRows(events: AuditEvent[]): Buffer {
  const hash = createHash("sha256");
  for (const event of events) hash.update(`${canonicalJson(event)}\n`);
  return hash.digest();
}

/** SHA-256 of the previous hash and the canonical JSON of the range. */
export function hashOfSeal(range: SealedRange, previous: Buffer = NO_HASH): Buffer {
  const { sequence, firstAt, firstId, lastAt, lastId, rows, rowsHash, sealedAt } = range;
  const covered = { sequence, firstAt, firstId, lastAt, lastId, rows, rowsHash: rowsHash.toString("hex"), sealedAt };
  return createHash("sha256").update(previous).update(canonicalJson(covered)).digest();
}

/** The order in which events are sealed. `at` is the clock of the database; ids are made by the servers, each with its own clock. */
export const SEAL_ORDER = [auditEvents.at, auditEvents.id];

const positionOf = ({ lastAt, lastId }: Pick<Seal, "lastAt" | "lastId">): SQL =>
  sql`(${sql.param(lastAt, auditEvents.at)}, ${lastId}::uuid)`;

const POSITION = sql`(${auditEvents.at}, ${auditEvents.id})`;

/** Events behind a batch. All of them when there is none. */
export function isAfter(seal: Pick<Seal, "lastAt" | "lastId"> | undefined): SQL | undefined {
  return seal && sql`${POSITION} > ${positionOf(seal)}`;
}

/** Events of a batch and of all batches before it. */
export function isUpTo(seal: Pick<Seal, "lastAt" | "lastId">): SQL {
  return sql`${POSITION} <= ${positionOf(seal)}`;
}
