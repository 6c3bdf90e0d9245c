import { setImmediate as nextTurn } from "node:timers/promises";

/** How long work of many steps may hold the thread, in milliseconds. */
const PIECE_MS = 10;

/**
 * Maps a list in order. Each step may take milliseconds, and a long list seconds: every few milliseconds, everything else gets a turn of
 * the event loop.
 */
export async function mapInPieces<T, Result>(
  list: readonly T[],
  map: (item: T, index: number) => Result,
): Promise<Result[]> {
  const results: Result[] = [];
  let startedAt = performance.now();
  for (const [index, item] of list.entries()) {
    if (performance.now() - startedAt >= PIECE_MS) {
      await nextTurn();
      startedAt = performance.now();
    }
    results.push(map(item, index));
  }
  return results;
}

/** How many records are handled before other requests get a turn: a few milliseconds of work. */
const SLICE_RECORDS = 250;

/** The slices of a long list, each in a turn of the event loop of its own, so that no other request waits for the whole list. */
export async function* inSlices<T>(list: readonly T[]): AsyncGenerator<T[]> {
  for (let from = 0; from < list.length; from += SLICE_RECORDS) {
    if (from > 0) await nextTurn();
    yield list.slice(from, from + SLICE_RECORDS);
  }
}
