import { setImmediate as nextTurn } from "node:timers/promises";
import { FairTurns } from "#lib/images/fair-turns.ts";
import { currentImages } from "#lib/images/render-images.ts";
import { processState } from "#lib/process-state.ts";

/**
 * The turns of barcodes and QR codes. A Data Matrix takes up to 70 ms of the server's own thread, and a list may have a hundred of
 * them, so callers share its time.
 */
const turns = processState("barcode-turns", () => new FairTurns({ places: 1 }));

/** What drawing one character of a code is estimated to take, in milliseconds, until the real time is known. */
const MS_PER_CHARACTER = 0.1;

/**
 * Draws a code in its caller's turn. Between two codes, other work of the thread gets a turn.
 * @throws the signal's reason before `draw` begins, or what `draw` throws
 */
export async function inBarcodeTurn<T>(
  draw: () => T | Promise<T>,
  { text, signal }: { text: string; signal?: AbortSignal | undefined },
): Promise<T> {
  const images = currentImages();
  const turn = { signal, costMs: text.length * MS_PER_CHARACTER };
  const act = async () => {
    await nextTurn();
    signal?.throwIfAborted();
    return await draw();
  };
  return await images.whileWaiting(() => turns.get().run(images.caller, act, turn));
}
