import { sharp } from "#lib/sharp.ts";
import type { Box } from "./text-unit.ts";

/** A picture in memory: three bytes a pixel. */
export type Pixels = { data: Buffer; width: number; height: number };

const CHANNELS = 3;

export async function decode(png: Buffer): Promise<Pixels> {
  const { data, info } = await sharp(png)
    .removeAlpha()
    .toColourspace("srgb")
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}

/** Whole pixels that a box touches, within the picture. */
export function pixelBox(box: Box, { width, height }: Pixels): Box {
  return {
    left: Math.max(0, Math.floor(box.left)),
    top: Math.max(0, Math.floor(box.top)),
    right: Math.min(width, Math.ceil(box.right)),
    bottom: Math.min(height, Math.ceil(box.bottom)),
  };
}

/** Offset of a pixel in {@link Pixels.data}. */
export function offsetOf({ width }: Pixels, x: number, y: number): number {
  return (y * width + x) * CHANNELS;
}
