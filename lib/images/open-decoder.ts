import pLimit from "p-limit";
import type { Sharp, SharpOptions } from "sharp";
import { sharp } from "#lib/sharp.ts";
import { CONCURRENT_DECODINGS, DECODING_TIMEOUT_SECONDS, MAX_IMAGE_PIXELS } from "./image-limits.ts";

/** Runs a function that decodes an image when it is its turn. */
export const limitDecodings = pLimit(CONCURRENT_DECODINGS);

/** Opens a file whose header was checked. A file that ends early is an error. */
export function openDecoder(bytes: Buffer, options: SharpOptions = {}): Sharp {
  return sharp(bytes, { failOn: "truncated", limitInputPixels: MAX_IMAGE_PIXELS, ...options }).timeout({
    seconds: DECODING_TIMEOUT_SECONDS,
  });
}
