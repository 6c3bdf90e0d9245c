import { QUERY_TIMEOUT_MS } from "#lib/db/database-limits.ts";

/**
 * Milliseconds within which anything that does not hang is done, even on a busy machine. A test with this limit detects waiting
 * for a time-out, not slowness: it is shorter than the shortest of the time-outs, that of a browser's start.
 */
export const SOON_MS = 10_000;

/**
 * Milliseconds within which the service answers while the database is away, and renders again after its return. They allow a busy
 * machine to add to the contract's two and five seconds, but less than a second query would.
 */
export const AWAY_MS = 2 * QUERY_TIMEOUT_MS - 100;
export const BACK_MS = 5_000 + QUERY_TIMEOUT_MS;

/** Milliseconds of processor time that this thread has used. Other processes do not change it. */
export function processorMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
