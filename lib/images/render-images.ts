import { AsyncLocalStorage } from "node:async_hooks";
import pLimit from "p-limit";
import { onlySender, type Senders } from "#lib/addresses/senders.ts";
import { processState } from "#lib/process-state.ts";

/**
 * How many images of one render are fetched, read or decoded, or wait for their turn. The more images are in a queue, the longer it takes to
 * choose the next one, and to leave it: 40,000 images of four renders held the thread for half a minute when they left.
 */
const IMAGES_AT_ONCE = 32;

/** What the images of one render cost, as far as it is known. */
export class RenderImages {
  readonly caller: string;
  /** Who waits for the render, where the caller stands for many. */
  readonly senders: Senders;
  /** Ends the render with an error, because its images take too much memory. */
  readonly giveWay: (error: Error) => void;
  /** The pixels of all its images that were decoded, or wait for that. */
  pixels = 0;
  readonly #places = pLimit(IMAGES_AT_ONCE);
  #waits = 0;
  #waitingSince = 0;

  constructor(caller: string, giveWay: (error: Error) => void = () => undefined, senders = onlySender()) {
    this.caller = caller;
    this.senders = senders;
    this.giveWay = giveWay;
  }

  /** Runs work on one of its images once fewer than {@link IMAGES_AT_ONCE} others are under way. */
  async inPlace<T>(act: () => Promise<T>): Promise<T> {
    return await this.#places(act);
  }

  /** For how long it has waited in {@link whileWaiting}, in milliseconds. Zero when it does not wait. */
  get waitingMs(): number {
    return this.#waits > 0 ? performance.now() - this.#waitingSince : 0;
  }

  /** Runs `act`, which waits for an image to be fetched, or for a thread that draws. */
  async whileWaiting<T>(act: () => Promise<T>): Promise<T> {
    if (this.#waits++ === 0) this.#waitingSince = performance.now();
    try {
      return await act();
    } finally {
      this.#waits--;
    }
  }
}

const current = processState("render-images", () => new AsyncLocalStorage<RenderImages>());

/** Runs `act`, whose images count as those of the render. */
export function imagesFor<T>(images: RenderImages, act: () => T): T {
  return current.get().run(images, act);
}

/** The images of the render that runs now. Outside of {@link imagesFor}, those of no caller. */
export function currentImages(): RenderImages {
  return current.get().getStore() ?? new RenderImages("");
}
