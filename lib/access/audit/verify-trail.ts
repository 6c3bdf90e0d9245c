import { and, asc, count, eq, gt } from "drizzle-orm";
import { auditDays } from "#lib/config.ts";
import { query } from "#lib/db/database.ts";
import { auditEvents, auditSeals } from "#lib/db/schema.ts";
import { hashOfRows, hashOfSeal, isAfter, isUpTo, SEAL_ORDER, SEALS_AT_ONCE, type Seal } from "./seal.ts";

const DAY_MS = 24 * 60 * 60 * 1_000;

/** A number of batches, from the first event of the oldest one to the last event of the newest one. */
type Batches = { batches: number; rows: number; from: Date; to: Date };

/** A seal as people keep it. The hash is in hexadecimal. */
type Head = { sequence: number; hash: string; sealedAt: Date };

export type Verification = {
  /** What is wrong with the first batch that is not as it was sealed. Undefined when all of them are. */
  fault: string | undefined;
  /** The batches that are as they were sealed. */
  sealed: Batches | undefined;
  /** The batches whose events were pruned. Their seals stay and link the others to the beginning of the chain. */
  pruned: Batches | undefined;
  /** Batches that are due to be pruned and lack events: servers of an earlier version prune single events. */
  partlyPruned: number;
  /** How many events no batch covers yet. They are the newest ones. */
  unsealed: number;
  /** The end of the chain. Kept elsewhere, it shows later whether the trail up to it is still the same. */
  head: Head | undefined;
};

type State = Pick<Verification, "sealed" | "pruned" | "partlyPruned"> & {
  last: Seal | undefined;
  /** The newest batch whose events were pruned. */
  anchor: Seal | undefined;
};

type Loss = { kind: "removed" | "inserted" | "changed"; message: string };

async function* readSeals(): AsyncGenerator<Seal> {
  for (let last = 0; ; ) {
    const page = await query((db) =>
      db
        .select()
        .from(auditSeals)
        .where(gt(auditSeals.sequence, last))
        .orderBy(asc(auditSeals.sequence))
        .limit(SEALS_AT_ONCE),
    );
    yield* page;
    if (page.length < SEALS_AT_ONCE) return;
    last = page.at(-1)?.sequence ?? last;
  }
}

function nameOf({ sequence, firstAt, lastAt }: Seal): string {
  return `batch ${sequence} (${firstAt.toISOString()} to ${lastAt.toISOString()})`;
}

/** What is wrong with a seal itself. */
function faultOfSeal(seal: Seal, previous: Seal | undefined): string | undefined {
  const wanted = (previous?.sequence ?? 0) + 1;
  if (seal.sequence !== wanted) return `The seal of batch ${wanted} is missing.`;
  if (!hashOfSeal(seal, previous?.hash).equals(seal.hash))
    return `The seal of ${nameOf(seal)} was changed, or the one before it was replaced.`;
  return undefined;
}

/** Whether a batch has been pruned since its seal was read. */
async function isPrunedNow({ sequence }: Seal): Promise<boolean> {
  const [now] = await query((db) => db.select().from(auditSeals).where(eq(auditSeals.sequence, sequence)));
  return now !== undefined && now.prunedAt !== null;
}

/** Whether a batch counts as pruned, but the one before it does not, also not since its seal was read. */
async function isPrunedEarly(seal: Seal, previous: Seal | undefined): Promise<boolean> {
  return seal.prunedAt !== null && previous?.prunedAt === null && !(await isPrunedNow(previous));
}

/** How the events of a batch differ from those that were sealed. One event more than wanted is enough to know. */
async function lossOf(seal: Seal, previous: Seal | undefined): Promise<Loss | undefined> {
  const events = await query((db) =>
    db
      .select()
      .from(auditEvents)
      .where(and(isAfter(previous), isUpTo(seal)))
      .orderBy(...SEAL_ORDER.map((column) => asc(column)))
      .limit(seal.rows + 1),
  );
  const place = nameOf(seal);
  if (events.length > seal.rows)
    return { kind: "inserted", message: `Entries were inserted into ${place}: it was sealed with ${seal.rows}.` };
  if (events.length < seal.rows) {
    const message = `Entries were removed from ${place}: got ${events.length}, want ${seal.rows}.`;
    return { kind: "removed", message };
  }
  if (hashOfRows(events).equals(seal.rowsHash)) return undefined;
  return { kind: "changed", message: `Entries of ${place} were changed or replaced.` };
}

function isDue({ firstAt }: Seal): boolean {
  const days = auditDays();
  return days !== undefined && firstAt.getTime() < Date.now() - days * DAY_MS;
}

function extended(part: Batches | undefined, { rows, firstAt, lastAt }: Seal): Batches {
  const { batches = 0, rows: before = 0, from = firstAt } = part ?? {};
  return { batches: batches + 1, rows: before + rows, from, to: lastAt };
}

/** Adds a batch to what was verified. @returns its fault */
async function verifyBatch(state: State, seal: Seal): Promise<string | undefined> {
  const fault = faultOfSeal(seal, state.last);
  if (fault !== undefined) return fault;
  if (await isPrunedEarly(seal, state.last))
    return `The seal of ${nameOf(seal)} says that its entries were pruned, but older entries were not.`;
  const loss = seal.prunedAt ? undefined : await lossOf(seal, state.last);
  if (seal.prunedAt || (loss && (await isPrunedNow(seal)))) {
    state.pruned = extended(state.pruned, seal);
    state.anchor = seal;
  } else if (loss?.kind === "removed" && isDue(seal)) state.partlyPruned += 1;
  else if (loss) return loss.message;
  else state.sealed = extended(state.sealed, seal);
  state.last = seal;
  return undefined;
}

/** Whether there are events where all were pruned. */
async function faultOfAnchor(anchor: Seal | undefined): Promise<string | undefined> {
  if (!anchor) return undefined;
  const [left] = await query((db) =>
    db.select({ id: auditEvents.id }).from(auditEvents).where(isUpTo(anchor)).limit(1),
  );
  return left && `Entries were inserted before ${anchor.lastAt.toISOString()}, where all entries were pruned.`;
}

async function countUnsealed(last: Seal | undefined): Promise<number> {
  const [row] = await query((db) => db.select({ total: count() }).from(auditEvents).where(isAfter(last)));
  return row?.total ?? 0;
}

/**
 * Compares the audit trail with its seals, batch by batch, while it is in use. It stops at the first fault.
 * @param expected the hash of a head that was kept elsewhere, in hexadecimal: the chain without it has a fault
 * @throws AppError `unavailable`
 */
export async function verifyAuditTrail(expected?: string): Promise<Verification> {
  const state: State = { sealed: undefined, pruned: undefined, partlyPruned: 0, last: undefined, anchor: undefined };
  let isExpectedFound = expected === undefined;
  let fault: string | undefined;
  for await (const seal of readSeals()) {
    fault = await verifyBatch(state, seal);
    if (fault !== undefined) break;
    isExpectedFound ||= seal.hash.toString("hex") === expected;
  }
  const { sealed, pruned, partlyPruned, last, anchor } = state;
  fault ??= await faultOfAnchor(anchor);
  if (!isExpectedFound)
    fault ??= "No batch has the expected hash: the end of the trail was removed, or it was sealed anew.";
  const head = last && { sequence: last.sequence, hash: last.hash.toString("hex"), sealedAt: last.sealedAt };
  return { fault, sealed, pruned, partlyPruned, unsealed: await countUnsealed(last), head };
}
