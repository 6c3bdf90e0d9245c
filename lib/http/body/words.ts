import { ISSUE_LIMIT } from "#lib/http/http-limits.ts";

/** "1 fault", "3 faults". */
export function faultCount(count: number): string {
  return count === 1 ? "1 fault" : `${count >= ISSUE_LIMIT ? `${ISSUE_LIMIT} or more` : count} faults`;
}

/** For messages that say what was got. */
export function nameOfType(value: unknown): string {
  if (value === null) return "null";
  if (value === undefined) return "nothing";
  if (Array.isArray(value)) return "an array";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}
