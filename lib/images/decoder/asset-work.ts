import { openDecoder } from "../open-decoder.ts";
import { type Found, findInImage, type Wanted } from "../prepare/find-in-image.ts";
import { FINE_SAMPLE_PX } from "../prepare/sample-image.ts";

/*
 * What is done with the images of templates. They may be drawings, which the decoder may take any time for: an SVG of a few lines can
 * have filters and masks over millions of pixels.
 */

/** Dots per inch at which a drawing has its own size. */
const SVG_DENSITY = 72;

/** Decodes all pixels of an image. @returns the reason of the decoder for one that is damaged or too large */
export async function decodeWhole(bytes: Buffer): Promise<{ reason?: string }> {
  try {
    await openDecoder(bytes).stats();
    return {};
  } catch (error) {
    return { reason: String(error instanceof Error ? error.message.split("\n")[0] : error) };
  }
}

/** Looks at an image as at one of a request. @throws when it is damaged */
export async function findInAsset(bytes: Buffer, wanted: Wanted & { isDrawing: boolean }): Promise<Found> {
  const { orientation, width, height } = await openDecoder(bytes).metadata();
  // A small drawing is looked at as large as a photograph.
  const density = (SVG_DENSITY * FINE_SAMPLE_PX) / Math.max(width, height);
  const image = openDecoder(bytes, wanted.isDrawing ? { density: Math.max(SVG_DENSITY, density) } : {});
  return await findInImage(image, { ...wanted, orientation });
}
