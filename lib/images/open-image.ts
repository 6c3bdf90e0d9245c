import { type DecodedImage, decodeImage } from "./decode-image.ts";
import { inDecoder } from "./decoder/decoders.ts";
import type { ImageHeader } from "./decoder/inspect-image.ts";
import { formatOf, isSvg } from "./format.ts";
import { CUT_SHORT, type ImageFault, WANTED_FORMATS } from "./image-fault.ts";
import { MAX_AVIF_PIXELS, MAX_DECODED_BYTES, MAX_FRAMES, MAX_IMAGE_PIXELS, MAX_IMAGE_SIDE_PX } from "./image-limits.ts";
import { limitHeaders } from "./image-turns.ts";
import type { Wanted } from "./prepare/find-in-image.ts";

/** An image whose header was read and whose pixels are not decoded yet. */
export type OpenedImage = {
  /** Width times height. */
  pixels: number;
  /** Runs {@link decodeImage}. @throws the signal's reason */
  decode(signal?: AbortSignal, wanted?: Wanted): Promise<DecodedImage | ImageFault>;
};

/** The size that a browser allocates: the logical screen of a GIF can exceed the size that sharp reports. */
function sizeOf(bytes: Buffer, { format, width, height, pageHeight }: ImageHeader): { width: number; height: number } {
  const frame = { width, height: pageHeight ?? height };
  if (format !== "gif") return frame;
  return { width: Math.max(frame.width, bytes.readUInt16LE(6)), height: Math.max(frame.height, bytes.readUInt16LE(8)) };
}

function headerFault(bytes: Buffer, header: ImageHeader): string | undefined {
  const { width, height } = sizeOf(bytes, header);
  const decodedBytes = width * height * header.channels * (header.depth === "ushort" ? 2 : 1);
  const limit = header.format === "heif" ? MAX_AVIF_PIXELS : MAX_IMAGE_PIXELS;
  if (width * height > limit)
    return `Got ${width}×${height} pixels, want at most ${limit.toLocaleString("en")} in ${limit === MAX_IMAGE_PIXELS ? "all" : "an AVIF"}.`;
  if (Math.max(width, height) > MAX_IMAGE_SIDE_PX)
    return `Got ${width}×${height} pixels, want at most ${MAX_IMAGE_SIDE_PX.toLocaleString("en")} on each side.`;
  if (decodedBytes > MAX_DECODED_BYTES)
    return `Got ${decodedBytes} bytes once decoded, want at most ${MAX_DECODED_BYTES}.`;
  const { pages = 1 } = header;
  return pages > MAX_FRAMES ? `Got ${pages} frames, want at most ${MAX_FRAMES}.` : undefined;
}

function unknownFormat(bytes: Buffer): string {
  if (bytes.length === 0) return `Got no bytes, want a ${WANTED_FORMATS} image.`;
  if (isSvg(bytes)) return `Got SVG, which is a document rather than an image, want ${WANTED_FORMATS}.`;
  return `Got bytes that are not an image, want ${WANTED_FORMATS}.`;
}

/**
 * Detects the format of an image by its content, and checks its size and frames against the limits.
 * @param url the `data:` URL that the bytes came from, which is reused if they stay unchanged
 * @throws the signal's reason; AppError `unavailable` when nothing can be decoded
 */
export async function openImage(
  bytes: Buffer,
  { url, signal }: { url?: string; signal?: AbortSignal | undefined } = {},
): Promise<OpenedImage | ImageFault> {
  const format = formatOf(bytes);
  if (!format) return { fault: unknownFormat(bytes) };
  const inspect = (limitMs: number) => inDecoder("inspectImage", [bytes, format.name], limitMs);
  const inspected = await limitHeaders(inspect, signal);
  if ("fault" in inspected) return inspected;
  const { header, still = bytes } = inspected;
  if (header.format !== format.sharpName) return { fault: CUT_SHORT };
  const fault = headerFault(still, header);
  if (fault !== undefined) return { fault };
  const { width, height } = sizeOf(still, header);
  const file = { bytes: still, format, header, ...(still === bytes && { url }) };
  return { pixels: width * height, decode: (signal, wanted) => decodeImage(file, signal, wanted) };
}
