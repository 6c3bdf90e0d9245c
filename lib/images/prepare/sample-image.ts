import type { Sharp } from "sharp";
import { sharp } from "#lib/sharp.ts";

/** A small upright copy of an image: four bytes a pixel, in sRGB, not premultiplied. */
export type Sample = { data: Buffer; width: number; height: number };

/** The longer side of a copy, in pixels. */
export const SAMPLE_PX = 256;

/** The longer side of a copy in which edges are looked for, which are then true to a 500th of the image. */
export const FINE_SAMPLE_PX = 1_024;

/** How a copy is made. Other kernels ring: they draw faint lines beside contours, which would count as something to see. */
function shrunk(image: Sharp, side: number): Sharp {
  return image
    .resize({ width: side, height: side, fit: "inside", withoutEnlargement: true, kernel: "linear" })
    .toColourspace("srgb")
    .ensureAlpha()
    .raw({ depth: "uchar" });
}

/** How to turn a picture upright, by its EXIF orientation: mirrored first, then turned clockwise by so many degrees. */
const UPRIGHT: Record<number, { isMirrored: boolean; degrees: number }> = {
  2: { isMirrored: true, degrees: 0 },
  3: { isMirrored: false, degrees: 180 },
  4: { isMirrored: true, degrees: 180 },
  5: { isMirrored: true, degrees: 270 },
  6: { isMirrored: false, degrees: 90 },
  7: { isMirrored: true, degrees: 90 },
  8: { isMirrored: false, degrees: 270 },
};

type Copy = {
  /** The orientation of the image as EXIF has it. */
  orientation?: number | undefined;
  /** {@link SAMPLE_PX} or {@link FINE_SAMPLE_PX}. */
  side?: number;
};

/**
 * Decodes a small copy. The copy is turned upright rather than the image, of which the decoder then never holds more than a few
 * rows.
 * @throws when the image cannot be decoded
 */
export async function sampleImage(image: Sharp, { orientation = 1, side = SAMPLE_PX }: Copy): Promise<Sample> {
  const { data, info } = await shrunk(image, side).toBuffer({ resolveWithObject: true });
  const sample = { data, width: info.width, height: info.height };
  const turn = UPRIGHT[orientation];
  if (!turn) return sample;
  const upright = await openSample(sample)
    .flop(turn.isMirrored)
    .rotate(turn.degrees)
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { data: upright.data, width: upright.info.width, height: upright.info.height };
}

function openSample({ data, width, height }: Sample): Sharp {
  return sharp(data, { raw: { width, height, channels: 4 } });
}

/** A copy of a copy, as small as {@link SAMPLE_PX}. */
export async function shrinkSample(sample: Sample): Promise<Sample> {
  if (Math.max(sample.width, sample.height) <= SAMPLE_PX) return sample;
  return await sampleImage(openSample(sample), {});
}
