import type { Pixels } from "#lib/images/decode-pixels.ts";
import type { Box } from "./text-unit.ts";

/** Bytes of a pixel in {@link Pixels.data}. */
export const CHANNELS = 3;

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
