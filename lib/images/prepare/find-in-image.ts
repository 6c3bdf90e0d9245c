import type { Sharp } from "sharp";
import { type EmptyEdge, findSubject, type Part } from "./empty-edges.ts";
import { findFocalPoint, type Point } from "./focal-point.ts";
import { isOpaque, type PaletteColor, readPalette } from "./palette.ts";
import { FINE_SAMPLE_PX, SAMPLE_PX, type Sample, sampleImage, shrinkSample } from "./sample-image.ts";

/** What to find in an image. */
export type Wanted = { focalPoint?: boolean; edges?: EmptyEdge | undefined; palette?: boolean };

/** What was found in an image. All of it is JSON. */
export type Found = {
  /** The point that a viewer looks at first. */
  focalPoint?: Point;
  /** The part inside its empty edges. */
  subject?: Part;
  /** Its colours, without those of empty edges of one colour. */
  palette?: PaletteColor[];
  /** Whether nothing behind it is seen. */
  isOpaque?: boolean;
};

/** Whether anything is to be found. */
export function wantsAnything({ focalPoint = false, edges, palette = false }: Wanted): boolean {
  return focalPoint || edges !== undefined || palette;
}

/** The pixels of a part. */
function cut({ data, width, height }: Sample, { left, top, right, bottom }: Part): Sample {
  const from = Math.min(Math.round(left * width), width - 1);
  const to = Math.max(Math.round(right * width), from + 1);
  const first = Math.min(Math.round(top * height), height - 1);
  const end = Math.max(Math.round(bottom * height), first + 1);
  const rows = Array.from({ length: end - first }, (_, row) => {
    const start = (first + row) * width;
    return data.subarray((start + from) * 4, (start + to) * 4);
  });
  return { data: Buffer.concat(rows), width: to - from, height: rows.length };
}

/**
 * Decodes an image once, and looks at it.
 * @param orientation as EXIF has it
 * @throws when the image cannot be decoded
 */
export async function findInImage(image: Sharp, wanted: Wanted & { orientation?: number | undefined }): Promise<Found> {
  const { focalPoint, edges, palette, orientation } = wanted;
  const sample = await sampleImage(image, { orientation, side: edges ? FINE_SAMPLE_PX : SAMPLE_PX });
  const subject = edges && findSubject(sample, edges);
  const small = await shrinkSample(sample);
  const point = focalPoint ? await findFocalPoint(small) : undefined;
  const inside = subject ? cut(small, subject) : small;
  return {
    ...(point && { focalPoint: point }),
    ...(subject && { subject }),
    ...(palette && { palette: readPalette(inside), isOpaque: isOpaque(inside) }),
  };
}
