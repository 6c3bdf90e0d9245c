import { setImmediate as nextTurn } from "node:timers/promises";

/** How many records are handled before other requests get a turn: a few milliseconds of work. */
const SLICE_RECORDS = 250;

/** The slices of a long list, each in a turn of the event loop of its own, so that no other request waits for the whole list. */
export async function* inSlices<T>(list: readonly T[]): AsyncGenerator<T[]> {
  for (let from = 0; from < list.length; from += SLICE_RECORDS) {
    if (from > 0) await nextTurn();
    yield list.slice(from, from + SLICE_RECORDS);
  }
}
