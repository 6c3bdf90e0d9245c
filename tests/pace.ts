/**
 * Milliseconds within which whatever does not hang has come about, also where the machine does much else meanwhile. How many
 * fewer it takes is for the benchmark to say: a test tells what waits for a time-out, or for ever, from what does not.
 */
export const SOON_MS = 10_000;

/** Milliseconds of processor time that this thread has had: what others take of the machine meanwhile is not in it. */
export function processorMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
