import { setTimeout as delay } from "node:timers/promises";
import type { Worker } from "node:worker_threads";

/**
 * Limit for colouring one piece of code, in milliseconds of processor time. The longest code with ordinary lines takes 60 ms, and
 * 150 ms if it is the first one in C++. A few patterns of the grammars never end on some short lines.
 */
const COLOURING_LIMIT_MS = 1_000;

/** Time between two checks, in milliseconds. */
const POLL_MS = 100;

const NAME = "SlowCode";

/** Code whose colours take longer than {@link COLOURING_LIMIT_MS} to find. */
export class SlowCode extends Error {
  override readonly name = NAME;

  /** Makes `instanceof` compare the name, because the thread is shared by all copies of this class that Next's bundler makes. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof Error && value.name === NAME;
  }

  constructor() {
    super("Finding the colours of this code takes too long.");
  }
}

/** The processor time that a thread has used, in milliseconds. Node before 24.6 does not report it: there, elapsed time counts. */
async function usedMs(worker: Worker): Promise<number> {
  if (!("cpuUsage" in worker)) return performance.now();
  const { user, system } = await worker.cpuUsage();
  return (user + system) / 1_000;
}

/**
 * Watches the processor time that a thread uses from now on. Waiting for a busy processor does not count, so the same code is refused
 * on every machine.
 * @returns a function that stops watching
 */
export function watchTime(worker: Worker, onSlow: () => void): () => void {
  const watching = new AbortController();
  void (async () => {
    const startMs = await usedMs(worker);
    while (!watching.signal.aborted && (await usedMs(worker)) - startMs < COLOURING_LIMIT_MS)
      await delay(POLL_MS, undefined, { ref: false });
    if (!watching.signal.aborted) onSlow();
    // `cpuUsage` rejects once the thread has ended. Its `exit` event reports the end to the caller.
  })().catch(() => undefined);
  return () => watching.abort();
}
