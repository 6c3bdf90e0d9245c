import type { Matrix3x3 } from "sharp";
import { inDecoder } from "./decoder/decoders.ts";
import type { ImageHeader } from "./decoder/inspect-image.ts";
import type { ImageFault } from "./image-fault.ts";
import { limitDecodings, limitHeaders } from "./image-turns.ts";

/** What becomes of shadows and of lights, as three channels from 0 to 255. */
export type Tones = { dark: Channels; light: Channels };

type Channels = [red: number, green: number, blue: number];

/** How much each channel adds to the luma of a pixel (ITU-R BT.709). */
const LUMA = [0.2126, 0.7152, 0.0722] as const;

/** The longest side, in pixels, of an image that is drawn in two colours. Formats and browsers have limits beyond it. */
const MAX_TONED_PX = 16_384;

/**
 * The pixels of an image that is drawn in two colours: as many as the largest picture has. Transparent images are encoded without
 * loss, so that with more pixels, 10 MB of a request would become 100 MB of the document.
 */
const MAX_TONED_PIXELS = 4_096 * 4_096;

/** Dots per inch at which a drawing has its own size. */
const SVG_DENSITY = 72;
const MAX_SVG_DENSITY = 2_400;

/** The density at which a drawing becomes as large as it is needed. Files of pixels have none. */
function densityFor({ format, width, height }: ImageHeader, side: number): number | undefined {
  if (format !== "svg") return undefined;
  return Math.min(MAX_SVG_DENSITY, Math.max(SVG_DENSITY, (SVG_DENSITY * side) / Math.max(width, height)));
}

/** The longest side of the result: large enough to fill a square of the wanted side, within the limits above. */
function longestSide({ width, height }: ImageHeader, side: number): number {
  const [longest, shortest] = [Math.max(width, height), Math.max(1, Math.min(width, height))];
  const aspect = longest / shortest;
  return Math.ceil(Math.min(MAX_TONED_PX, aspect * side, Math.sqrt(MAX_TONED_PIXELS * aspect)));
}

/**
 * Draws an image in the mixtures of two colours, by the lightness of its pixels. What is transparent stays so.
 * @param side the side of a square that the image has to fill, in pixels: larger images become smaller
 * @returns a `data:` URL
 * @throws the signal's reason; AppError `unavailable` when nothing can be decoded
 */
export async function drawDuotone(
  bytes: Buffer,
  { dark, light, side }: Tones & { side: number },
  signal?: AbortSignal,
): Promise<string | ImageFault> {
  const recomb = dark.map((channel, index) =>
    LUMA.map((weight) => (weight * ((light[index] ?? 0) - channel)) / 255),
  ) as unknown as Matrix3x3;
  const header = await limitHeaders((limitMs) => inDecoder("readHeader", [bytes], limitMs), signal);
  if ("fault" in header) return header;
  const { hasAlpha } = header;
  const size = longestSide(header, side);
  const toning = { recomb, dark, size, density: densityFor(header, size), hasAlpha };
  const pixels = header.width * header.height;
  const decoding = { signal, pixels, hardPixels: Math.min(pixels, side * side) };
  const drawn = await limitDecodings((limitMs) => inDecoder("tone", [bytes, toning], limitMs), decoding);
  return "fault" in drawn ? drawn : `data:image/${hasAlpha ? "png" : "jpeg"};base64,${drawn.toString("base64")}`;
}
