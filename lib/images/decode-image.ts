import type { Metadata, Sharp } from "sharp";
import type { ImageFormat } from "./format.ts";
import { CUT_SHORT, type ImageFault } from "./image-fault.ts";
import { CHECK_SIDE_PX, CONVERTED_QUALITY, MAX_CONVERTED_PIXELS } from "./image-limits.ts";
import { limitDecodings } from "./image-turns.ts";
import { openDecoder } from "./open-decoder.ts";
import { type Found, findInImage, type Wanted, wantsAnything } from "./prepare/find-in-image.ts";

/** A file whose header was checked against the limits. */
type ImageFile = {
  bytes: Buffer;
  format: ImageFormat;
  header: Metadata;
  /** The `data:` URL with the same bytes, if the image came as one. */
  url?: string | undefined;
};

/** A checked image: a `data:` URL, and what was found in it if anything was wanted. */
export type DecodedImage = { url: string; found?: Found };

type Conversion = { mediaType: string; encode: (image: Sharp) => Sharp };

/**
 * Returns how to convert an image that Chromium would show wrongly, or undefined for any other. Chromium applies the
 * EXIF orientation of JPEG, PNG and AVIF but not of WebP, and supports RGB colour profiles but not CMYK.
 */
function conversionOf({ bytes, format, header }: ImageFile): Conversion | undefined {
  const { space, orientation = 1, pages = 1 } = header;
  const [quality, mediaType] = [CONVERTED_QUALITY, format.mediaType];
  if (format.name === "JPEG" && space === "cmyk")
    // Better Huffman tables would be made of all coefficients, six bytes a pixel.
    return { mediaType, encode: (image) => image.jpeg({ quality, chromaSubsampling: "4:4:4", optimizeCoding: false }) };
  if (format.name !== "WebP" || (orientation === 1 && pages === 1)) return undefined;
  // Noise takes the encoder of lossless WebP five times as long.
  if (bytes.includes("VP8L"))
    return { mediaType: "image/png", encode: (image) => image.png({ compressionLevel: 1, adaptiveFiltering: false }) };
  return { mediaType, encode: (image) => image.webp({ quality, effort: 0 }) };
}

/** Encoding cannot be stopped, and takes longer than decoding. So it is given no more pixels than the largest picture has. */
async function convert({ bytes, header }: ImageFile, { encode }: Conversion): Promise<Buffer> {
  const { width, height } = header.autoOrient;
  const scale = Math.min(1, Math.sqrt(MAX_CONVERTED_PIXELS / (width * height)));
  const upright = openDecoder(bytes).autoOrient();
  return await encode(scale < 1 ? upright.resize({ width: Math.ceil(width * scale) }) : upright).toBuffer();
}

/** Decodes a file, of which `converted` is what Chromium shows instead. @throws when it is damaged */
async function inspect({ bytes, header }: ImageFile, converted: Buffer | undefined, wanted: Wanted) {
  if (!wantsAnything(wanted)) {
    // With its own aspect ratio, a column of one pixel would become millions of pixels high. Its colours do not matter.
    const decoder = openDecoder(bytes, { ignoreIcc: true });
    if (!converted) await decoder.resize(CHECK_SIDE_PX, CHECK_SIDE_PX, { fit: "fill" }).raw().toBuffer();
    return {};
  }
  const orientation = converted ? 1 : header.orientation;
  return { found: await findInImage(openDecoder(converted ?? bytes), { ...wanted, orientation }) };
}

/**
 * Decodes an image to check that it is complete, and converts it where Chromium would show it wrongly.
 * @param wanted what to find in it, which costs no second decoding
 * @returns a `data:` URL of the image: upright, one frame, in colours that Chromium supports
 * @throws the signal's reason
 */
export async function decodeImage(
  file: ImageFile,
  signal?: AbortSignal,
  wanted: Wanted = {},
): Promise<DecodedImage | ImageFault> {
  const { bytes, format, url } = file;
  const conversion = conversionOf(file);
  const pixels = file.header.width * file.header.height;
  const hardPixels = conversion || format.name === "AVIF" ? Math.min(pixels, MAX_CONVERTED_PIXELS) : 0;
  const decoded = await limitDecodings(
    async () => {
      try {
        const converted = conversion && (await convert(file, conversion));
        return { converted, ...(await inspect(file, converted, wanted)) };
      } catch {
        return undefined;
      }
    },
    { signal, pixels, hardPixels },
  );
  if (!decoded) return { fault: CUT_SHORT };
  const { converted, ...found } = decoded;
  if (!converted && url !== undefined) return { url, ...found };
  const { mediaType } = conversion ?? format;
  return { url: `data:${mediaType};base64,${(converted ?? bytes).toString("base64")}`, ...found };
}
