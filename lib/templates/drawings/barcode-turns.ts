import { inThreadTurn } from "#lib/images/thread-turns.ts";

/** What drawing one character of a code is estimated to take, in milliseconds, until the real time is known. */
const MS_PER_CHARACTER = 0.1;

/**
 * Draws a code in its caller's turn: a Data Matrix takes up to 70 ms, and a list may have a hundred of them.
 * @throws the signal's reason before `draw` begins, or what `draw` throws
 */
export async function inBarcodeTurn<T>(
  draw: () => T | Promise<T>,
  { text, signal }: { text: string; signal?: AbortSignal | undefined },
): Promise<T> {
  return await inThreadTurn(draw, { signal, costMs: text.length * MS_PER_CHARACTER });
}
