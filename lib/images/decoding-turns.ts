import { AsyncLocalStorage } from "node:async_hooks";
import { FairClock, type Share } from "#lib/fair-clock.ts";
import { processState } from "#lib/process-state.ts";
import { CONCURRENT_DECODINGS } from "./image-limits.ts";

type Waiting = { share: Share; start: () => void };

type Decoding = {
  /** Whether the answer is still wanted. */
  signal?: AbortSignal | undefined;
  /** The pixels of the image, from which its time is estimated. */
  pixels?: number | undefined;
};

/** A lossless image of 50 megapixels that has to be encoded again takes a second. */
const MS_PER_PIXEL = 1_000 / 50e6;

/**
 * Lets a bounded number of decodings run at once. Callers share the time: an image of a few hundred bytes may take a second, and
 * many of them must not delay another caller's only image.
 */
export class DecodingTurns {
  readonly #places: number;
  readonly #clock = new FairClock();
  readonly #waiting = new Set<Waiting>();
  #taken = 0;

  constructor(places: number) {
    this.#places = places;
  }

  /** Runs `act` when it is the caller's turn. @throws the signal's reason, before `act` begins; what `act` throws */
  async run<T>(caller: string, act: () => Promise<T>, { signal, pixels = 0 }: Decoding = {}): Promise<T> {
    signal?.throwIfAborted();
    const share = this.#clock.enter(caller, pixels * MS_PER_PIXEL);
    await this.#turn(share, signal);
    const startedAt = performance.now();
    try {
      return await act();
    } finally {
      this.#clock.end(share, performance.now() - startedAt);
      this.#taken--;
      this.#startNext();
    }
  }

  #turn(share: Share, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const start = () => {
        signal?.removeEventListener("abort", leave);
        resolve();
      };
      const waiting = { share, start };
      const leave = () => {
        this.#waiting.delete(waiting);
        this.#clock.end(share, 0);
        reject(signal?.reason);
      };
      signal?.addEventListener("abort", leave, { once: true });
      this.#waiting.add(waiting);
      this.#startNext();
    });
  }

  #startNext(): void {
    if (this.#taken >= this.#places) return;
    const [next] = [...this.#waiting].toSorted(({ share: a }, { share: b }) => a.endsAt - b.endsAt);
    if (!next) return;
    this.#waiting.delete(next);
    this.#taken++;
    next.start();
  }
}

const turns = processState("decoding-turns", () => new DecodingTurns(CONCURRENT_DECODINGS));

/** A render, as far as decoding needs to know it. */
export type DecodingRender = {
  readonly caller: string;
  /** The pixels of all images that were decoded for it, or wait for that. */
  imagePixels: number;
};

const renders = processState("decoding-renders", () => new AsyncLocalStorage<DecodingRender>());

/** Runs `act`, whose decodings count as the render's. */
export function decodingFor<T>(render: DecodingRender, act: () => T): T {
  return renders.get().run(render, act);
}

/** Runs a function that decodes an image when it is the turn of its caller. @throws the signal's reason; what `act` throws */
export function limitDecodings<T>(act: () => Promise<T>, decoding: Decoding = {}): Promise<T> {
  const render = renders.get().getStore();
  if (render) render.imagePixels += decoding.pixels ?? 0;
  return turns.get().run(render?.caller ?? "", act, decoding);
}
