import pLimit from "p-limit";
import type { Metadata, Sharp } from "sharp";
import { sharp } from "#lib/sharp.ts";
import type { ImageFormat } from "./format.ts";
import { CUT_SHORT, type ImageFault } from "./image-fault.ts";
import {
  CONCURRENT_DECODINGS,
  DECODING_TIMEOUT_SECONDS,
  MAX_IMAGE_PIXELS,
  PROOF_WIDTH_PX,
  REDRAWN_QUALITY,
} from "./image-limits.ts";

/** A file whose header is within the limits. */
type ImageFile = {
  bytes: Buffer;
  format: ImageFormat;
  header: Metadata;
  /** The `data:` URL that holds the same bytes, where there is one. */
  url?: string | undefined;
};

const limitDecodings = pLimit(CONCURRENT_DECODINGS);

function decode(bytes: Buffer): Sharp {
  return sharp(bytes, { failOn: "truncated", limitInputPixels: MAX_IMAGE_PIXELS }).timeout({
    seconds: DECODING_TIMEOUT_SECONDS,
  });
}

/**
 * How an image is made anew that a browser would show otherwise than it is meant, or undefined where it would not: Chromium
 * turns JPEG, PNG and AVIF as they say and WebP not, knows the colours of every RGB profile and of no CMYK profile.
 */
function redrawing({ bytes, format, header }: ImageFile): ((image: Sharp) => Sharp) | undefined {
  const { space, orientation = 1, pages = 1 } = header;
  if (format.name === "JPEG" && space === "cmyk")
    return (image) => image.autoOrient().jpeg({ quality: REDRAWN_QUALITY, chromaSubsampling: "4:4:4" });
  if (format.name !== "WebP" || (orientation === 1 && pages === 1)) return undefined;
  const isLossless = bytes.includes("VP8L");
  return (image) => image.autoOrient().webp({ quality: REDRAWN_QUALITY, lossless: isLossless, effort: 0 });
}

/**
 * Decodes an image, for the proof that it is whole or to make it anew.
 * @returns a `data:` URL that shows it as it is meant: upright, its first frame, in colours that Chromium knows
 * @throws the signal's reason
 */
export async function finishImage(file: ImageFile, signal?: AbortSignal): Promise<{ url: string } | ImageFault> {
  const { bytes, format, url } = file;
  const redraw = redrawing(file);
  const decoded = await limitDecodings(async () => {
    signal?.throwIfAborted();
    const work = redraw ? redraw(decode(bytes)) : decode(bytes).resize(PROOF_WIDTH_PX).raw();
    return await work.toBuffer().catch(() => undefined);
  });
  if (!decoded) return { fault: CUT_SHORT };
  if (!redraw && url !== undefined) return { url };
  return { url: `data:${format.mediaType};base64,${(redraw ? decoded : bytes).toString("base64")}` };
}
