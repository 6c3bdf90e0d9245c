import type { Sharp, SharpOptions } from "sharp";
import { sharp } from "#lib/sharp.ts";
import { MAX_IMAGE_PIXELS } from "./image-limits.ts";

/** Opens a file whose header was checked. A file that ends early is an error. */
export function openDecoder(bytes: Buffer, options: SharpOptions = {}): Sharp {
  return sharp(bytes, { failOn: "truncated", limitInputPixels: MAX_IMAGE_PIXELS, ...options });
}
