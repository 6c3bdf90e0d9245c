import type { Metadata } from "sharp";
import { sharp } from "#lib/sharp.ts";
import { avifFault } from "../avif/avif-work.ts";
import { type ImageFormat, isAvifSequence } from "../format.ts";
import { stillGif } from "../gif.ts";
import type { ImageFault } from "../image-fault.ts";
import { scansFault } from "../jpeg-scans.ts";
import { stillPng } from "../png-chunks.ts";
import { profileFault } from "../profile.ts";
import { framesFault } from "../webp-frames.ts";

const HEADER_KEYS = [
  ...(["format", "width", "height", "autoOrient", "orientation", "pages", "pageHeight"] as const),
  ...(["space", "channels", "depth", "hasAlpha"] as const),
];

/** What the header of an image says. */
export type ImageHeader = Pick<Metadata, (typeof HEADER_KEYS)[number]>;

export type InspectedImage = {
  header: ImageHeader;
  /** The image with its first frame only, and without what no decoder needs. Undefined where it is unchanged. */
  still?: Buffer;
};

/** Removes all frames but the first. */
function keepFirstFrame(bytes: Buffer, name: ImageFormat["name"]): { bytes: Buffer } | ImageFault {
  if (name === "PNG") return stillPng(bytes);
  if (name === "GIF") return stillGif(bytes);
  if (name === "AVIF" && isAvifSequence(bytes)) return { fault: "Got an animated AVIF, want a still one." };
  return { bytes };
}

/** The fault of an image that takes long to decode for its bytes and pixels. */
function slowness(bytes: Buffer, name: ImageFormat["name"]): string | undefined {
  if (name === "JPEG") return scansFault(bytes);
  if (name === "WebP") return framesFault(bytes);
  return name === "AVIF" ? avifFault(bytes) : undefined;
}

async function readMetadata(bytes: Buffer): Promise<Metadata> {
  return await sharp(bytes, { limitInputPixels: false }).metadata();
}

function headerOf(metadata: Metadata): ImageHeader {
  return Object.fromEntries(HEADER_KEYS.map((key) => [key, metadata[key]])) as ImageHeader;
}

/** Reads the header of an image of any size. @throws when it is damaged */
export async function readHeader(bytes: Buffer): Promise<ImageHeader> {
  return headerOf(await readMetadata(bytes));
}

/**
 * Checks everything about a file but its size, before its pixels are decoded. How long that takes depends on the file, which may
 * be written to take long: the server's own thread would keep everyone waiting meanwhile.
 * @throws when its header is damaged
 */
export async function inspectImage(bytes: Buffer, name: ImageFormat["name"]): Promise<InspectedImage | ImageFault> {
  const reduced = keepFirstFrame(bytes, name);
  if ("fault" in reduced) return reduced;
  const tooSlow = slowness(bytes, name);
  if (tooSlow !== undefined) return { fault: tooSlow };
  const metadata = await readMetadata(reduced.bytes);
  const fault = metadata.icc && profileFault(metadata.icc);
  if (fault !== undefined) return { fault };
  return { header: headerOf(metadata), ...(reduced.bytes !== bytes && { still: reduced.bytes }) };
}
