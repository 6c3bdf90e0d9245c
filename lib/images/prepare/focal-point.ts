import { sharp } from "#lib/sharp.ts";
import type { Sample } from "./sample-image.ts";

/** A place in an image, as fractions of its width and height. */
export type Point = { x: number; y: number };

/** How much the channels of a plain image may differ, of 255. In a plain image, the first pixel would be the point. */
const MAX_PLAIN_RANGE = 12;

function isPlain({ data }: Sample): boolean {
  for (let channel = 0; channel < 4; channel++) {
    let [least, most] = [255, 0];
    for (let at = channel; at < data.length; at += 4) {
      const value = data[at] ?? 0;
      if (value < least) least = value;
      if (value > most) most = value;
      if (most - least > MAX_PLAIN_RANGE) return false;
    }
  }
  return true;
}

const rounded = (fraction: number) => Math.round(fraction * 1_000) / 1_000;

/**
 * The point that a viewer looks at first: libvips finds edges, saturated colours and skin
 * (https://www.libvips.org/API/current/method.Image.smartcrop.html). It does not depend on the shape that is cut out. Undefined
 * for an image that is plain or too small to have one.
 */
export async function findFocalPoint({ data, width, height }: Sample): Promise<Point | undefined> {
  if (width < 2 || height < 2 || isPlain({ data, width, height })) return undefined;
  // Any cut finds the point. This one is as large as the image, so that nothing is scaled.
  const size = width > height ? { width: Math.ceil(width / 2), height } : { width, height: Math.ceil(height / 2) };
  const { info } = await sharp(data, { raw: { width, height, channels: 4 } })
    .resize({ ...size, fit: "cover", position: sharp.strategy.attention })
    .raw()
    .toBuffer({ resolveWithObject: true });
  if (info.attentionX === undefined || info.attentionY === undefined) return undefined;
  return { x: rounded((info.attentionX + 0.5) / width), y: rounded((info.attentionY + 0.5) / height) };
}
