import { AsyncLocalStorage } from "node:async_hooks";
import { processState } from "#lib/process-state.ts";
import { CONCURRENT_DECODINGS } from "./image-limits.ts";

type Waiting = { caller: string; costMs: number; start: () => void };

type Decoding = {
  /** Whether the answer is still wanted. */
  signal?: AbortSignal | undefined;
  /** The pixels of the image, from which its time is estimated. */
  pixels?: number | undefined;
};

/** A lossless image of 50 megapixels that has to be encoded again takes a second. */
const MS_PER_PIXEL = 1_000 / 50e6;

/** How many callers have a clock, at most. One that is forgotten counts as new. */
const CALLERS_KEPT = 1_000;

/**
 * Lets a bounded number of decodings run at once. Callers share the time: an image of a few hundred bytes may take a second, and
 * many of them must not delay another caller's only image.
 *
 * Each caller has a clock. A decoding moves its caller's clock forward by the time that it takes. The next decoding is the one that
 * would end first by its caller's clock. This is fair queuing (Demers, Keshav and Shenker, 1989).
 */
export class DecodingTurns {
  readonly #places: number;
  readonly #waiting = new Set<Waiting>();
  /** Milliseconds, by caller. */
  readonly #clocks = new Map<string, number>();
  /** How many decodings of a caller run. */
  readonly #running = new Map<string, number>();
  #taken = 0;
  /** The clock of the caller that began last. A caller's clock is never behind it, so that a pause saves no time for later. */
  #now = 0;

  constructor(places: number) {
    this.#places = places;
  }

  /** Runs `act` when it is the caller's turn. @throws the signal's reason, before `act` begins; what `act` throws */
  async run<T>(caller: string, act: () => Promise<T>, { signal, pixels = 0 }: Decoding = {}): Promise<T> {
    await this.#turn(caller, pixels * MS_PER_PIXEL, signal);
    const began = this.#clockOf(caller);
    this.#now = Math.max(this.#now, began);
    const startedAt = performance.now();
    try {
      return await act();
    } finally {
      this.#clocks.set(caller, Math.max(this.#clockOf(caller), began) + performance.now() - startedAt);
      this.#end(caller);
    }
  }

  #clockOf(caller: string): number {
    return Math.max(this.#now, this.#clocks.get(caller) ?? 0);
  }

  #turn(caller: string, costMs: number, signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    return new Promise((resolve, reject) => {
      const start = () => {
        signal?.removeEventListener("abort", leave);
        resolve();
      };
      const waiting = { caller, costMs, start };
      const leave = () => {
        this.#waiting.delete(waiting);
        reject(signal?.reason);
      };
      signal?.addEventListener("abort", leave, { once: true });
      this.#waiting.add(waiting);
      this.#startNext();
    });
  }

  /** Of callers with the fewest running decodings, the decoding that would end first. */
  #next(): Waiting | undefined {
    let [best, running, end]: [Waiting | undefined, number, number] = [undefined, 0, 0];
    for (const waiting of this.#waiting) {
      const own = this.#running.get(waiting.caller) ?? 0;
      const ownEnd = this.#clockOf(waiting.caller) + waiting.costMs;
      if (best && (own > running || (own === running && ownEnd >= end))) continue;
      [best, running, end] = [waiting, own, ownEnd];
    }
    return best;
  }

  #startNext(): void {
    if (this.#taken >= this.#places) return;
    const next = this.#next();
    if (!next) return;
    this.#waiting.delete(next);
    this.#taken++;
    this.#running.set(next.caller, (this.#running.get(next.caller) ?? 0) + 1);
    next.start();
  }

  #end(caller: string): void {
    this.#taken--;
    const left = (this.#running.get(caller) ?? 1) - 1;
    if (left > 0) this.#running.set(caller, left);
    else this.#running.delete(caller);
    if (this.#clocks.size > CALLERS_KEPT)
      for (const [name, clock] of this.#clocks) if (clock <= this.#now) this.#clocks.delete(name);
    if (this.#clocks.size > CALLERS_KEPT) this.#clocks.clear();
    this.#startNext();
  }
}

const turns = processState("decoding-turns", () => new DecodingTurns(CONCURRENT_DECODINGS));
const callers = processState("decoding-callers", () => new AsyncLocalStorage<string>());

/** Runs `act`, whose decodings count as the caller's. */
export function decodingFor<T>(caller: string, act: () => T): T {
  return callers.get().run(caller, act);
}

/** Runs a function that decodes an image when it is the turn of its caller. @throws the signal's reason; what `act` throws */
export function limitDecodings<T>(act: () => Promise<T>, decoding: Decoding = {}): Promise<T> {
  return turns.get().run(callers.get().getStore() ?? "", act, decoding);
}
