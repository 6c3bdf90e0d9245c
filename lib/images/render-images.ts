import { AsyncLocalStorage } from "node:async_hooks";
import { processState } from "#lib/process-state.ts";
import { DECODING_MS_PER_PIXEL } from "./image-limits.ts";

/** What the images of one render have taken so far. */
export class RenderImages {
  readonly caller: string;
  /** Ends the render with an error, because its images take too much memory. */
  readonly giveWay: (error: Error) => void;
  #decodedPixels = 0;
  #fetches = 0;
  #fetchingSince = 0;

  constructor(caller: string, giveWay: (error: Error) => void = () => undefined) {
    this.caller = caller;
    this.giveWay = giveWay;
  }

  /** The pixels of all its images. Time that it waits for a fetch counts like pixels that take as long to decode. */
  get pixels(): number {
    const fetchMs = this.#fetches > 0 ? performance.now() - this.#fetchingSince : 0;
    return this.#decodedPixels + fetchMs / DECODING_MS_PER_PIXEL;
  }

  /** Adds the pixels of an image that is decoded, or waits for that. */
  addPixels(pixels: number): void {
    this.#decodedPixels += pixels;
  }

  async whileFetching<T>(act: () => Promise<T>): Promise<T> {
    if (this.#fetches++ === 0) this.#fetchingSince = performance.now();
    try {
      return await act();
    } finally {
      this.#fetches--;
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
