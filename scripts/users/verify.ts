import { type Verification, verifyAuditTrail } from "#lib/access/audit/verify-trail.ts";
import { auditDays } from "#lib/config.ts";
import { UsageError } from "../run-command.ts";
import { toJson } from "./command.ts";
import { printable } from "./table.ts";

const DAY_MS = 24 * 60 * 60 * 1_000;

/** A hash as the command prints it. @throws UsageError */
export function readHash(text: string | undefined): string | undefined {
  if (text === undefined || /^[0-9a-f]{64}$/i.test(text)) return text?.toLowerCase();
  throw new UsageError(`Got --expect ${printable(text)}, want the 64 hexadecimal digits of a head.`);
}

const counted = (count: number, one: string, many: string) =>
  `${count.toLocaleString("en")} ${count === 1 ? one : many}`;

function describeBatches({ batches, rows, from, to }: NonNullable<Verification["sealed"]>): string {
  const what = `${counted(batches, "batch", "batches")} with ${counted(rows, "entry", "entries")}`;
  return `${what}, from ${from.toISOString()} to ${to.toISOString()}`;
}

function describePruned(pruned: Verification["pruned"]): string[] {
  if (!pruned) return [];
  const days = auditDays();
  const isEarly = days !== undefined && pruned.to.getTime() > Date.now() - days * DAY_MS;
  return [
    `Pruned: ${describeBatches(pruned)}. Their seals are intact.`,
    ...(isEarly ? [`Some of them are younger than ${days} days (SERVICE_AUDIT_DAYS): was that shorter before?`] : []),
  ];
}

function describePartlyPruned(count: number): string[] {
  if (count === 0) return [];
  return [
    `${counted(count, "batch", "batches")} beyond SERVICE_AUDIT_DAYS: a server of an earlier version prunes them.`,
  ];
}

function describeVerification({ sealed, pruned, partlyPruned, unsealed, head }: Verification): string {
  return [
    sealed ? `OK: ${describeBatches(sealed)}, as they were sealed.` : "OK: no entries are sealed.",
    ...describePruned(pruned),
    ...describePartlyPruned(partlyPruned),
    `Not sealed yet: ${counted(unsealed, "entry", "entries")}.`,
    ...(head ? [`Head: ${head.hash} (batch ${head.sequence}, sealed ${head.sealedAt.toISOString()})`] : []),
  ].join("\n");
}

/**
 * Compares the audit trail with its seals.
 * @param expected the hash of a head that was kept elsewhere
 * @returns the report
 * @throws Error with the first fault
 */
export async function verify({ expected, isJson }: { expected: string | undefined; isJson: boolean }): Promise<string> {
  const verification = await verifyAuditTrail(expected);
  if (verification.fault !== undefined) throw new Error(verification.fault);
  return isJson ? toJson(verification) : describeVerification(verification);
}
