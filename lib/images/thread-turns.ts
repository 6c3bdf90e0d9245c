import { setImmediate as nextTurn, setTimeout as rest } from "node:timers/promises";
import { processState } from "#lib/process-state.ts";
import { FairTurns, type Turn } from "./fair-turns.ts";
import { currentImages } from "./render-images.ts";

const turns = processState("thread-turns", () => new FairTurns({ places: 1 }));

/** After work that took longer, in milliseconds, the thread is left to everything else for as long. */
const LONG_MS = 100;

/** At most so long, in milliseconds. No work takes longer, unless the machine or this process stood still meanwhile. */
const REST_LIMIT_MS = 1_000;

/**
 * Runs work of the server's own thread that takes milliseconds, such as filling a document, in the turn of the caller whose render
 * runs now. Callers share the time, and between two such works everything else gets a turn of the event loop. Without turns, one
 * client would keep all others waiting for as many works as it has requests, and each of them may have a hundred.
 * @throws the signal's reason before `act` begins; what `act` throws
 */
export async function inThreadTurn<T>(
  act: () => T | Promise<T>,
  { signal, costMs = 0 }: Omit<Turn, "group"> = {},
): Promise<T> {
  const work = async () => {
    await nextTurn();
    signal?.throwIfAborted();
    const startedAt = performance.now();
    try {
      return await act();
    } finally {
      const ms = performance.now() - startedAt;
      if (ms > LONG_MS) await rest(Math.min(ms, REST_LIMIT_MS));
    }
  };
  const images = currentImages();
  return await images.whileWaiting(() => turns.get().run(images.caller, work, { signal, costMs }));
}
