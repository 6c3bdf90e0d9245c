import { setImmediate as nextTurn, setTimeout as rest } from "node:timers/promises";
import { processState } from "#lib/process-state.ts";
import { FairTurns, type Turn } from "./fair-turns.ts";
import { currentImages } from "./render-images.ts";

const turns = processState("thread-turns", () => new FairTurns({ places: 1 }));

/** Handshakes of TLS, apart: an image of others is not to wait for documents until its fetch times out. */
const handshakes = processState("handshake-turns", () => new FairTurns({ places: 1 }));

/** What arrives over TLS later, in many pieces, each of which takes little. */
const pieces = processState("tls-turns", () => new FairTurns({ places: 1 }));

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
  return await runIn(turns.get(), act, { signal, costMs });
}

/** As {@link inThreadTurn}, for a part of a TLS handshake. */
export async function inHandshakeTurn(act: () => void, signal: AbortSignal): Promise<void> {
  await runIn(handshakes.get(), act, { signal });
}

/** As {@link inThreadTurn}, for a piece of what arrives over TLS, of which a large image has hundreds. */
export async function inPieceTurn(act: () => void, signal: AbortSignal): Promise<void> {
  await runIn(pieces.get(), act, { signal });
}

async function runIn<T>(shared: FairTurns, act: () => T | Promise<T>, turn: Omit<Turn, "group">): Promise<T> {
  const work = async () => {
    await nextTurn();
    turn.signal?.throwIfAborted();
    const startedAt = performance.now();
    try {
      return await act();
    } finally {
      const ms = performance.now() - startedAt;
      if (ms > LONG_MS) await rest(Math.min(ms, REST_LIMIT_MS));
    }
  };
  const images = currentImages();
  return await images.whileWaiting(() => shared.run(images.caller, work, turn));
}
