/**
 * Everything that does not hang happens within this time, also on a busy machine. It tells apart what waits for a timeout, or
 * for ever, from what does not, and is shorter than the shortest such timeout, the start of a browser. Speed is for the benchmark.
 */
export const SOON_MS = 10_000;

/** A server answers within this time during an outage of the database: one query limit of 1.8 s, and less than two. */
export const AWAY_MS = 3_500;

/** Processor time of this thread in milliseconds. Other processes of a busy machine do not count. */
export function processorMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
