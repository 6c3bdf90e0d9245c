import { sharp } from "#lib/sharp.ts";

/** A picture in memory: three bytes a pixel, in sRGB. */
export type Pixels = { data: Buffer; width: number; height: number };

/** Decodes a picture without its transparency. @throws when it is none */
export async function decodePixels(png: Buffer): Promise<Pixels> {
  const { data, info } = await sharp(png)
    .removeAlpha()
    .toColourspace("srgb")
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}
