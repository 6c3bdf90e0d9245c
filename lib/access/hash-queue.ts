import { AppError } from "#lib/errors.ts";
import { processState } from "#lib/process-state.ts";
import { HASHES_AT_ONCE, HASHES_RETRY_SECONDS, HASHES_WAITING } from "./access-limits.ts";

type Queue = { running: number; waiting: Set<() => void> };

const queue = processState("hash-queue", (): Queue => ({ running: 0, waiting: new Set() }));

function overloaded(): AppError {
  return new AppError("overloaded", "Too many passwords are being checked at the moment. Please try again shortly.", {
    headers: { "Retry-After": String(HASHES_RETRY_SECONDS) },
  });
}

/** Waits for a place, and leaves the queue at once when `signal` aborts. */
function enterQueue(signal: AbortSignal | undefined): Promise<void> {
  const { waiting } = queue.get();
  if (waiting.size >= HASHES_WAITING) return Promise.reject(overloaded());
  return new Promise((resolve, reject) => {
    const enter = () => {
      signal?.removeEventListener("abort", leave);
      resolve();
    };
    const leave = () => {
      waiting.delete(enter);
      reject(signal?.reason);
    };
    waiting.add(enter);
    signal?.addEventListener("abort", leave, { once: true });
  });
}

/**
 * Runs `work` when few enough others run.
 * @throws AppError `overloaded` when too many wait already; the signal's reason when the client has left before its turn
 */
export async function whenTurnComes<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  signal?.throwIfAborted();
  const current = queue.get();
  if (current.running >= HASHES_AT_ONCE) await enterQueue(signal);
  else current.running++;
  try {
    return await work();
  } finally {
    const [next] = current.waiting;
    // The place is handed over, so that nobody who comes in between can take it.
    if (next) {
      current.waiting.delete(next);
      next();
    } else current.running--;
  }
}
