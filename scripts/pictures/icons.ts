import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";
import { PROJECT_DIR } from "#lib/config.ts";

const PUBLIC_DIR = join(PROJECT_DIR, "public");

/** The width and height of `icon.svg`, in its own units. */
const ICON_UNITS = 32;

/** Dots per inch at which sharp draws one unit of an SVG as one pixel. */
const UNIT_DPI = 72;

/** The sizes that browsers and desktops take from an ICO file, in pixels. */
const FAVICON_SIZES_PX = [16, 32, 48];

const ICO_HEADER_BYTES = 6;
const ICO_ENTRY_BYTES = 16;

async function drawIcon(svg: string, sizePx: number): Promise<Buffer> {
  return await sharp(Buffer.from(svg), { density: (UNIT_DPI * sizePx) / ICON_UNITS })
    .png({ compressionLevel: 9 })
    .toBuffer();
}

/** An ICO file with PNG images. Layout: https://learn.microsoft.com/windows/win32/menurc/newheader */
function toIco(images: { sizePx: number; png: Buffer }[]): Buffer {
  const head = Buffer.alloc(ICO_HEADER_BYTES + images.length * ICO_ENTRY_BYTES);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(images.length, 4);
  let offset = head.length;
  for (const [index, { sizePx, png }] of images.entries()) {
    const entry = ICO_HEADER_BYTES + index * ICO_ENTRY_BYTES;
    head.writeUInt8(sizePx, entry);
    head.writeUInt8(sizePx, entry + 1);
    head.writeUInt16LE(1, entry + 4);
    head.writeUInt16LE(32, entry + 6);
    head.writeUInt32LE(png.length, entry + 8);
    head.writeUInt32LE(offset, entry + 12);
    offset += png.length;
  }
  return Buffer.concat([head, ...images.map(({ png }) => png)]);
}

/** Writes every icon of `public/` from `icon.svg`. */
export async function drawIcons(): Promise<void> {
  const svg = readFileSync(join(PUBLIC_DIR, "icon.svg"), "utf8");
  // Phones cut the corners themselves.
  const square = svg.replace(' rx="7"', "");
  // A mask shows at least the circle of 80 % of the width: https://www.w3.org/TR/appmanifest/#icon-masks
  const maskable = square.replace("<g>", '<g transform="translate(3.2 3.2) scale(.8)">');
  const images = await Promise.all(
    FAVICON_SIZES_PX.map(async (sizePx) => ({ sizePx, png: await drawIcon(svg, sizePx) })),
  );
  const files: Record<string, Buffer> = {
    "favicon.ico": toIco(images),
    "apple-touch-icon.png": await drawIcon(square, 180),
    "icon-192.png": await drawIcon(svg, 192),
    "icon-512.png": await drawIcon(svg, 512),
    "icon-maskable-512.png": await drawIcon(maskable, 512),
  };
  for (const [name, content] of Object.entries(files)) writeFileSync(join(PUBLIC_DIR, name), content);
}
