import { QUERY_TIMEOUT_MS } from "#lib/db/database-limits.ts";

/**
 * Milliseconds within which whatever does not hang has come about, also where the machine does much else meanwhile. How many
 * fewer it takes is for the benchmark to say: a test tells what waits for a time-out, or for ever, from what does not. Less
 * than the shortest such time-out, which is that of a browser's start.
 */
export const SOON_MS = 10_000;

/**
 * Milliseconds within which the service answers while the database is away, and draws again after its return. What a machine
 * adds to the two and the five seconds of the contract is less than a second question would.
 */
export const AWAY_MS = 2 * QUERY_TIMEOUT_MS - 100;
export const BACK_MS = 5_000 + QUERY_TIMEOUT_MS;

/** Milliseconds of processor time that this thread has had: what others take of the machine meanwhile is not in it. */
export function processorMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
