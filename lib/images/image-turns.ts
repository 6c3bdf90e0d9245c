import { processState } from "#lib/process-state.ts";
import { FairTurns, type Turn } from "./fair-turns.ts";
import {
  CONCURRENT_DECODINGS,
  CONCURRENT_FETCHES,
  CONCURRENT_FETCHES_OF_SERVER,
  CONCURRENT_LONG_DECODINGS,
  CONCURRENT_QUICK_DECODINGS,
  DECODING_LIMIT_FACTOR,
  DECODING_LIMIT_MS,
  DECODING_MS_PER_PIXEL,
  FETCH_MS,
  HARD_MS_PER_PIXEL,
  LONG_DECODING_MS,
  QUICK_DECODING_MS,
} from "./image-limits.ts";
import { currentImages } from "./render-images.ts";

const decodings = processState(
  "decoding-turns",
  () => new FairTurns({ places: CONCURRENT_DECODINGS, placesOfGroup: CONCURRENT_LONG_DECODINGS }),
);

const quickDecodings = processState(
  "quick-decoding-turns",
  () => new FairTurns({ places: CONCURRENT_QUICK_DECODINGS }),
);

/** Reading a header takes a millisecond. A process of its own is left to them while images are decoded. */
const headers = processState("header-turns", () => new FairTurns({ places: 1 }));

/** The group of the decodings that take long. Others are in none. */
const LONG = "long";

const fetches = processState(
  "fetch-turns",
  () => new FairTurns({ places: CONCURRENT_FETCHES, placesOfGroup: CONCURRENT_FETCHES_OF_SERVER }),
);

type Decoding = Pick<Turn, "signal"> & {
  /** The pixels of the image, from which its time is estimated. */
  pixels?: number;
  /** Pixels of them that take long: those of an AVIF, and those that are encoded again. */
  hardPixels?: number;
};

/**
 * Runs a function that decodes an image when it is the turn of its caller: an image of a few hundred bytes may take a second. Those
 * that take long leave a place to others, and quick ones have places of their own.
 * @param act gets the processor time that it may take, in milliseconds
 * @throws the signal's reason; what `act` throws
 */
export function limitDecodings<T>(
  act: (limitMs: number) => Promise<T>,
  { signal, pixels = 0, hardPixels = 0 }: Decoding = {},
): Promise<T> {
  const images = currentImages();
  images.pixels += pixels;
  const costMs = pixels * DECODING_MS_PER_PIXEL + hardPixels * HARD_MS_PER_PIXEL;
  const turn = { signal, costMs, ...(costMs > LONG_DECODING_MS && { group: LONG }) };
  const limitMs = DECODING_LIMIT_MS + DECODING_LIMIT_FACTOR * costMs;
  const turns = costMs > QUICK_DECODING_MS ? decodings : quickDecodings;
  return images.inPlace(() => turns.get().run(images.caller, () => act(limitMs), turn));
}

/**
 * Runs a function that reads the header of an image when it is the turn of its caller.
 * @param act gets the processor time that it may take, in milliseconds
 * @throws the signal's reason; what `act` throws
 */
export function limitHeaders<T>(act: (limitMs: number) => Promise<T>, signal?: AbortSignal): Promise<T> {
  const images = currentImages();
  return images.inPlace(() => headers.get().run(images.caller, () => act(DECODING_LIMIT_MS), { signal }));
}

type Fetching = Pick<Turn, "signal"> & { server: string };

/**
 * Runs a function that fetches an image when it is the turn of its caller and when its server has a free place: a server that does
 * not answer holds a place until the fetch times out.
 * @throws the signal's reason; what `act` throws
 */
export function limitFetches<T>(act: () => Promise<T>, { signal, server }: Fetching): Promise<T> {
  const images = currentImages();
  const turn = { signal, costMs: FETCH_MS, group: server };
  return images.whileWaiting(() => images.inPlace(() => fetches.get().run(images.caller, act, turn)));
}
