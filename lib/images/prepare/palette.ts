import type { Sample } from "./sample-image.ts";

/** A colour of an image as `#rrggbb`, and the part of what is seen that has about this colour, from 0 to 1. */
export type PaletteColor = { color: string; share: number };

/** Colours of a palette. More are shades of these. */
const MAX_COLORS = 12;

/** Colours whose three channels agree in so many leading bits are counted together. */
const KEPT_BITS = 3;

/** Alpha from which a pixel shows its colour rather than what is behind it, of 255. */
const MIN_ALPHA = 128;

type Bin = { count: number; red: number; green: number; blue: number };

function binsOf({ data }: Sample): { bins: Bin[]; seen: number } {
  const bins = new Map<number, Bin>();
  const dropped = 8 - KEPT_BITS;
  let seen = 0;
  for (let at = 0; at < data.length; at += 4) {
    if ((data[at + 3] ?? 0) < MIN_ALPHA) continue;
    const [red = 0, green = 0, blue = 0] = [data[at], data[at + 1], data[at + 2]];
    const key = ((red >> dropped) << (2 * KEPT_BITS)) | ((green >> dropped) << KEPT_BITS) | (blue >> dropped);
    const bin = bins.get(key) ?? { count: 0, red: 0, green: 0, blue: 0 };
    bins.set(key, bin);
    bin.count++;
    bin.red += red;
    bin.green += green;
    bin.blue += blue;
    seen++;
  }
  return { bins: [...bins.values()], seen };
}

function hexOf({ count, red, green, blue }: Bin): string {
  const channels = [red, green, blue].map((sum) => Math.round(sum / count));
  return `#${channels.map((value) => value.toString(16).padStart(2, "0")).join("")}`;
}

/** The colours that cover most of an image, the largest first. Empty for an image of which nothing is seen. */
export function readPalette(sample: Sample): PaletteColor[] {
  const { bins, seen } = binsOf(sample);
  const colors = bins.map((bin) => ({ color: hexOf(bin), share: Math.round((bin.count / seen) * 10_000) / 10_000 }));
  // Equal shares are put in order, so that the result never depends on where the pixels are.
  return colors.toSorted((a, b) => b.share - a.share || a.color.localeCompare(b.color)).slice(0, MAX_COLORS);
}

/** Whether an image covers its whole area, so that nothing behind it is seen. */
export function isOpaque({ data }: Sample): boolean {
  for (let at = 3; at < data.length; at += 4) if ((data[at] ?? 0) < MIN_ALPHA) return false;
  return true;
}
