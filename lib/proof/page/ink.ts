import type { Pixels } from "#lib/images/decode-pixels.ts";
import type { PlacedStrip } from "./ink-plan.ts";
import { offsetOf, pixelBox } from "./pixels.ts";
import { type Box, intersect } from "./text-unit.ts";

/** The ink of one line. */
export type InkedStrip = PlacedStrip & {
  /** The part of the picture that was searched, in whole pixels. */
  area: Box;
  /** How much of each pixel of the area is ink, 0 to 255, row by row. */
  cover: Uint8Array;
  /** The smallest box around the ink; absent where there is none. */
  ink?: Box;
};

/** A pixel with less is the soft edge of a letter. */
const INK_COVER = 100;

/** @param pictures the ink pictures, by the number that the strip names */
export function readInk(strip: PlacedStrip, pictures: Pixels[]): InkedStrip {
  const pixels = pictures[strip.picture];
  if (!pixels) throw new Error(`There is no ink picture ${strip.picture}.`);
  const area = pixelBox(strip.region, pixels);
  const [width, height] = [Math.max(0, area.right - area.left), Math.max(0, area.bottom - area.top)];
  const cover = new Uint8Array(width * height);
  const ink = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = offsetOf(pixels, area.left + x, area.top + y);
      const [red = 0, green = 0, blue = 0] = [pixels.data[at], pixels.data[at + 1], pixels.data[at + 2]];
      const value = strip.channel === 3 ? Math.max(red, green, blue) : (pixels.data[at + strip.channel] ?? 0);
      cover[y * width + x] = value;
      if (value < INK_COVER) continue;
      ink.left = Math.min(ink.left, area.left + x);
      ink.right = Math.max(ink.right, area.left + x + 1);
      ink.top = Math.min(ink.top, area.top + y);
      ink.bottom = Math.max(ink.bottom, area.top + y + 1);
    }
  }
  return { ...strip, area, cover, ...(ink.right > ink.left && { ink }) };
}

/** How much of a pixel is ink of this strip. */
function coverAt({ area, cover }: InkedStrip, x: number, y: number): number {
  return cover[(y - area.top) * (area.right - area.left) + x - area.left] ?? 0;
}

/** The pixels that have ink of both lines: how many, and around where. */
export function sharedInk(a: InkedStrip, b: InkedStrip): { pixels: number; box?: Box } {
  const common = intersect(a.area, b.area);
  const box = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
  let pixels = 0;
  for (let y = common.top; y < common.bottom; y++) {
    for (let x = common.left; x < common.right; x++) {
      if (coverAt(a, x, y) < INK_COVER || coverAt(b, x, y) < INK_COVER) continue;
      pixels++;
      box.left = Math.min(box.left, x);
      box.right = Math.max(box.right, x + 1);
      box.top = Math.min(box.top, y);
      box.bottom = Math.max(box.bottom, y + 1);
    }
  }
  return pixels === 0 ? { pixels } : { pixels, box };
}
