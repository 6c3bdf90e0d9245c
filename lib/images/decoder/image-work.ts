import type { Matrix3x3, Sharp, SharpOptions } from "sharp";
import { isWholeGif } from "../gif.ts";
import { CHECK_SIDE_PX, CONVERTED_QUALITY, MAX_CONVERTED_PIXELS } from "../image-limits.ts";
import { withMoreRows } from "../jpeg-scans.ts";
import { openDecoder } from "../open-decoder.ts";
import { type Found, findInImage, type Wanted, wantsAnything } from "../prepare/find-in-image.ts";
import { decodeWhole, findInAsset } from "./asset-work.ts";
import { type ImageHeader, inspectImage, readHeader } from "./inspect-image.ts";

/*
 * What is done with the bytes of images, in a process of its own (program.ts). Arguments and results are copied between processes.
 */

/** How an image is encoded again: lossless WebPs as PNG, others in their own format. */
export type Encoding = "jpeg" | "webp" | "png";

const ENCODERS: Record<Encoding, (image: Sharp) => Sharp> = {
  // Better Huffman tables would be made of all coefficients, six bytes a pixel.
  jpeg: (image) => image.jpeg({ quality: CONVERTED_QUALITY, chromaSubsampling: "4:4:4", optimizeCoding: false }),
  webp: (image) => image.webp({ quality: CONVERTED_QUALITY, effort: 0 }),
  png: (image) => image.png({ compressionLevel: 1, adaptiveFiltering: false }),
};

/** Encoding takes longer than decoding. So it is given no more pixels than the largest picture has. */
async function convert(image: Sharp, encoding: Encoding, { autoOrient }: ImageHeader): Promise<Buffer> {
  const { width, height } = autoOrient;
  const scale = Math.min(1, Math.sqrt(MAX_CONVERTED_PIXELS / (width * height)));
  const upright = image.autoOrient();
  const scaled = scale < 1 ? upright.resize({ width: Math.ceil(width * scale) }) : upright;
  return await ENCODERS[encoding](scaled).toBuffer();
}

/**
 * What libjpeg says first where it has made up pixels, because their codes are wrong or missing. It says other things about files
 * that look right, such as those with a few bytes too many.
 */
const MADE_UP_PIXELS = /^VipsJpeg: Corrupt JPEG data: (?:bad Huffman code|premature end of data segment|found marker)/;

/**
 * Reads the last row of a JPEG, for which all rows are decoded. libvips reads eight rows at a time, and reports what libjpeg said about
 * them with the next eight. So the last ones are followed by others. Of a copy at an eighth of the size, the last 64 rows would not be
 * checked. One of several scans is left to the decoding that follows, which reads all of them before its first row.
 */
async function readLastRow(bytes: Buffer): Promise<void> {
  const longer = withMoreRows(bytes);
  if (!longer) return;
  const image = openDecoder(longer.bytes, { ignoreIcc: true, failOn: "warning", limitInputPixels: false });
  await image
    .extract({ left: 0, top: longer.height - 1, width: 1, height: 1 })
    .raw()
    .toBuffer();
}

/**
 * Does work that decodes an image. A JPEG is read as a whole before. One about which libjpeg says something harmless is decoded once more.
 * @throws when the image is damaged, or when pixels of a JPEG are made up
 */
async function withWholePixels<T>(
  bytes: Buffer,
  header: ImageHeader,
  work: (options: SharpOptions) => Promise<T>,
): Promise<T> {
  if (header.format !== "jpeg") return await work({});
  try {
    await readLastRow(bytes);
    return await work({ failOn: "warning" });
  } catch (error) {
    // The lines before the last one may be those of an image before.
    const said = (error as Error).message.trim().split("\n").at(-1) ?? "";
    if (MADE_UP_PIXELS.test(said)) throw error;
    return await work({});
  }
}

type Decoding = { header: ImageHeader; encoding?: Encoding | undefined; wanted: Wanted };

type Decoded = {
  /** The image, encoded again. */
  converted?: Buffer;
  found?: Found;
};

/** Decodes an image whose header was checked, and converts it if an encoding is given. @throws when it is damaged */
async function decode(bytes: Buffer, { header, encoding, wanted }: Decoding): Promise<Decoded> {
  if (header.format === "gif" && !isWholeGif(bytes)) throw new Error("The first frame lacks pixels.");
  return await withWholePixels(bytes, header, async (options) => {
    const converted = encoding && (await convert(openDecoder(bytes, options), encoding, header));
    if (wantsAnything(wanted)) {
      const orientation = converted ? 1 : header.orientation;
      const image = converted ? openDecoder(converted) : openDecoder(bytes, options);
      const found = await findInImage(image, { ...wanted, orientation });
      return { ...(converted && { converted }), found };
    }
    if (converted) return { converted };
    const image = openDecoder(bytes, { ignoreIcc: true, ...options });
    // With its own aspect ratio, a column of one pixel would become millions of pixels high. Its colours do not matter.
    await image.resize(CHECK_SIDE_PX, CHECK_SIDE_PX, { fit: "fill" }).raw().toBuffer();
    return {};
  });
}

/** JPEG quality: two colours and their mixtures show no artefacts at it. */
const TONED_QUALITY = 92;
/** Higher levels take several times as long, for a file that is read once. */
const TONED_PNG_LEVEL = 3;

export type Toning = {
  recomb: Matrix3x3;
  dark: [red: number, green: number, blue: number];
  /** The longest side of the result, in pixels. */
  size: number;
  /** The density at which a drawing becomes so large, in dots per inch. */
  density?: number | undefined;
  hasAlpha: boolean;
};

/** Draws an image in the mixtures of two colours. @returns a PNG where something is transparent, else a JPEG. @throws when it is damaged */
async function tone(bytes: Buffer, { recomb, dark, size, density, hasAlpha }: Toning): Promise<Buffer> {
  const toned = openDecoder(bytes, density === undefined ? {} : { density })
    .autoOrient()
    .resize({ width: size, height: size, fit: "inside", withoutEnlargement: true })
    .recomb(recomb)
    .linear([1, 1, 1], dark);
  const encoded = hasAlpha
    ? toned.png({ compressionLevel: TONED_PNG_LEVEL })
    : toned.jpeg({ quality: TONED_QUALITY, chromaSubsampling: "4:4:4" });
  return await encoded.toBuffer();
}

/** The work by its name. */
export const WORK = { inspectImage, readHeader, decode, tone, decodeWhole, findInAsset };

export type Work = typeof WORK;
