import { hasCleanAperture } from "./avif/items.ts";
import { inDecoder } from "./decoder/decoders.ts";
import type { Encoding } from "./decoder/image-work.ts";
import type { ImageHeader } from "./decoder/inspect-image.ts";
import { formatOf, type ImageFormat } from "./format.ts";
import type { ImageFault } from "./image-fault.ts";
import { MAX_CONVERTED_PIXELS } from "./image-limits.ts";
import { limitDecodings } from "./image-turns.ts";
import type { Found, Wanted } from "./prepare/find-in-image.ts";

/** A file whose header was checked against the limits. */
type ImageFile = {
  bytes: Buffer;
  format: ImageFormat;
  header: ImageHeader;
  /** The `data:` URL with the same bytes, if the image came as one. */
  url?: string | undefined;
};

/** A checked image: a `data:` URL, and what was found in it if anything was wanted. */
export type DecodedImage = { url: string; found?: Found };

const dataUrl = (mediaType: string, bytes: Buffer) => `data:${mediaType};base64,${bytes.toString("base64")}`;

/**
 * Returns how to convert an image that Chromium would show wrongly, or undefined for any other. Chromium applies the
 * EXIF orientation of JPEG, PNG and AVIF but not of WebP, supports RGB colour profiles but not CMYK, and draws what the
 * clean aperture of an AVIF cuts off.
 */
function encodingOf({ bytes, format, header }: ImageFile): Encoding | undefined {
  const { space, orientation = 1, pages = 1 } = header;
  if (format.name === "JPEG" && space === "cmyk") return "jpeg";
  if (format.name === "AVIF" && hasCleanAperture(bytes)) return "webp";
  if (format.name !== "WebP" || (orientation === 1 && pages === 1)) return undefined;
  // Noise takes the encoder of lossless WebP five times as long.
  return bytes.includes("VP8L") ? "png" : "webp";
}

/**
 * Decodes an image to check that it is complete, and converts it where Chromium would show it wrongly.
 * @param wanted what to find in it, which costs no second decoding
 * @returns a `data:` URL of the image: upright, one frame, in colours that Chromium supports
 * @throws the signal's reason; AppError `unavailable` when nothing can be decoded
 */
export async function decodeImage(
  file: ImageFile,
  signal?: AbortSignal,
  wanted: Wanted = {},
): Promise<DecodedImage | ImageFault> {
  const { bytes, format, header, url } = file;
  const encoding = encodingOf(file);
  const area = header.width * header.height;
  // Those of 16 bits a channel take twice as long.
  const pixels = header.depth === "ushort" ? 2 * area : area;
  const hardPixels = encoding || format.name === "AVIF" ? Math.min(area, MAX_CONVERTED_PIXELS) : 0;
  const decoded = await limitDecodings(
    (limitMs) => inDecoder("decode", [bytes, { header, encoding, wanted }], limitMs),
    { signal, pixels, hardPixels },
  );
  if ("fault" in decoded) return decoded;
  const { converted, ...found } = decoded;
  if (!converted && url !== undefined) return { url, ...found };
  const mediaType = encoding ? `image/${encoding}` : format.mediaType;
  return { url: dataUrl(mediaType, converted ?? bytes), ...found };
}

/**
 * Converts an image of a template where Chromium would show it wrongly, as {@link decodeImage} does for those of requests. Of an
 * animation, the first frame is left: a background goes on with the next one where an earlier document of the page began it.
 * @param limitMs the processor time that each step may take, in milliseconds
 * @returns a `data:` URL, undefined for an image that stays as it is, or the fault of one that Chromium leaves out
 */
export async function convertAsset(bytes: Buffer, limitMs: number): Promise<string | ImageFault | undefined> {
  const format = formatOf(bytes);
  if (!format || (format.name === "PNG" && !bytes.includes("acTL"))) return undefined;
  const inspected = await inDecoder("inspectImage", [bytes, format.name], limitMs);
  if ("fault" in inspected) return inspected;
  const { header, still } = inspected;
  const encoding = encodingOf({ bytes, format, header });
  if (!encoding) return still && dataUrl(format.mediaType, still);
  const decoded = await inDecoder("decode", [bytes, { header, encoding, wanted: {} }], limitMs);
  if ("fault" in decoded) return decoded;
  return decoded.converted && dataUrl(`image/${encoding}`, decoded.converted);
}
