import { setTimeout as delay } from "node:timers/promises";
import type { Worker } from "node:worker_threads";

/**
 * How long colouring one piece of code may take, in milliseconds of processor time. The longest code of ordinary lines takes 60 ms,
 * and 150 ms where it is the first one in C++. A few patterns of the grammars never end with some short lines.
 */
const COLOURING_LIMIT_MS = 1_000;

/** How often to look, in milliseconds. */
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

/** The processor time that a thread has used, in milliseconds. Node before 24.6 does not know it: there, all time counts. */
async function usedMs(worker: Worker): Promise<number> {
  if (!("cpuUsage" in worker)) return performance.now();
  const { user, system } = await worker.cpuUsage();
  return (user + system) / 1_000;
}

/**
 * Watches how much processor time a thread uses from now on. Time on a busy machine, where a thread waits for the processor, does not
 * count: the same code is refused or coloured everywhere.
 * @returns stops watching
 */
export function watchTime(worker: Worker, onSlow: () => void): () => void {
  const watching = new AbortController();
  void (async () => {
    const startMs = await usedMs(worker);
    while (!watching.signal.aborted && (await usedMs(worker)) - startMs < COLOURING_LIMIT_MS)
      await delay(POLL_MS, undefined, { ref: false });
    if (!watching.signal.aborted) onSlow();
    // A thread that has ended uses no time. Whoever waits for it learns of its end from its events.
  })().catch(() => undefined);
  return () => watching.abort();
}
