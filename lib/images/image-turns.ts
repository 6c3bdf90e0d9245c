import { AsyncLocalStorage } from "node:async_hooks";
import { processState } from "#lib/process-state.ts";
import { FairTurns, type Turn } from "./fair-turns.ts";
import { CONCURRENT_DECODINGS, CONCURRENT_FETCHES, CONCURRENT_FETCHES_OF_HOST } from "./image-limits.ts";

/** A lossless image of 50 megapixels that has to be encoded again takes a second. */
const MS_PER_PIXEL = 1_000 / 50e6;

/** How long a fetch is estimated to take. */
const FETCH_MS = 100;

const decodings = processState("decoding-turns", () => new FairTurns({ places: CONCURRENT_DECODINGS }));

const fetches = processState(
  "fetch-turns",
  () => new FairTurns({ places: CONCURRENT_FETCHES, placesOfGroup: CONCURRENT_FETCHES_OF_HOST }),
);

/** A render, as far as its images need to know it. */
export type ImageRender = {
  readonly caller: string;
  /** The pixels of all images that were decoded for it, or wait for that. */
  imagePixels: number;
  /** How many of its images are being fetched, or wait for that. */
  fetches: number;
  /** When the first of them began, on the clock of `performance.now()`. */
  fetchingSince: number;
};

const renders = processState("image-renders", () => new AsyncLocalStorage<ImageRender>());

/** The caller whose image is read. Empty outside of {@link imagesFor}. */
export const currentCaller = () => renders.get().getStore()?.caller ?? "";

/** Runs `act`, whose decodings and fetches count as the render's. */
export function imagesFor<T>(render: ImageRender, act: () => T): T {
  return renders.get().run(render, act);
}

/** The pixels of a render's images. An image that is being fetched counts as one that takes as long to decode. */
export function pixelsOf({ imagePixels, fetches, fetchingSince }: ImageRender): number {
  const fetchMs = fetches > 0 ? performance.now() - fetchingSince : 0;
  return imagePixels + fetchMs / MS_PER_PIXEL;
}

type Decoding = Pick<Turn, "signal"> & {
  /** The pixels of the image, from which its time is estimated. */
  pixels?: number;
};

/**
 * Runs a function that decodes an image when it is the turn of its caller: an image of a few hundred bytes may take a second.
 * @throws the signal's reason; what `act` throws
 */
export function limitDecodings<T>(act: () => Promise<T>, { signal, pixels = 0 }: Decoding = {}): Promise<T> {
  const render = renders.get().getStore();
  if (render) render.imagePixels += pixels;
  return decodings.get().run(currentCaller(), act, { signal, costMs: pixels * MS_PER_PIXEL });
}

/**
 * Runs a function that fetches an image when it is the turn of its caller and its server: one that does not answer takes all the
 * time that a fetch may take. @throws the signal's reason; what `act` throws
 */
export async function limitFetches<T>(
  act: () => Promise<T>,
  { signal, host }: Pick<Turn, "signal"> & { host: string },
): Promise<T> {
  const render = renders.get().getStore();
  if (render && render.fetches++ === 0) render.fetchingSince = performance.now();
  try {
    return await fetches.get().run(currentCaller(), act, { signal, costMs: FETCH_MS, group: host });
  } finally {
    if (render) render.fetches--;
  }
}
