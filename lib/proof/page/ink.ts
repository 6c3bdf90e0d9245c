import type { Pixels } from "#lib/images/decode-pixels.ts";
import type { PlacedStrip } from "./ink-plan.ts";
import { CHANNELS, offsetOf, pixelBox } from "./pixels.ts";
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

/** How much of each pixel of an area is ink. */
function coverOf({ channel }: PlacedStrip, area: Box, pixels: Pixels): Uint8Array {
  const { data } = pixels;
  const [width, height] = [Math.max(0, area.right - area.left), Math.max(0, area.bottom - area.top)];
  const cover = new Uint8Array(width * height);
  for (let y = 0, index = 0; y < height; y++) {
    let at = offsetOf(pixels, area.left, area.top + y);
    for (let x = 0; x < width; x++, index++, at += CHANNELS)
      cover[index] =
        channel === 3 ? Math.max(data[at] ?? 0, data[at + 1] ?? 0, data[at + 2] ?? 0) : (data[at + channel] ?? 0);
  }
  return cover;
}

/** The smallest box around the ink of an area; undefined where there is none. */
function inkBox(cover: Uint8Array, area: Box): Box | undefined {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let y = area.top, index = 0; y < area.bottom; y++) {
    for (let x = area.left; x < area.right; x++, index++) {
      if ((cover[index] ?? 0) < INK_COVER) continue;
      if (x < left) left = x;
      if (x >= right) right = x + 1;
      if (y < top) top = y;
      bottom = y + 1;
    }
  }
  return right > left ? { left, top, right, bottom } : undefined;
}

/** @param pixels the ink picture that the strip names */
export function readInk(strip: PlacedStrip, pixels: Pixels): InkedStrip {
  const area = pixelBox(strip.region, pixels);
  const cover = coverOf(strip, area, pixels);
  const ink = inkBox(cover, area);
  return { ...strip, area, cover, ...(ink && { ink }) };
}

/** How much of a pixel is ink of this strip. */
function coverAt({ area, cover }: InkedStrip, x: number, y: number): number {
  return cover[(y - area.top) * (area.right - area.left) + x - area.left] ?? 0;
}

/** The pixels that have ink of both lines: how many, and around where. */
export function sharedInk(a: InkedStrip, b: InkedStrip): { pixels: number; box?: Box } {
  if (!a.ink || !b.ink) return { pixels: 0 };
  // The areas around the lines are several times as large.
  const common = intersect(a.ink, b.ink);
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
