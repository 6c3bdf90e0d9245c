import { sharp } from "#lib/sharp.ts";

const WHITE = { r: 255, g: 255, b: 255, alpha: 1 };
const CLEAR = { r: 0, g: 0, b: 0, alpha: 0 };

async function dataUrl(image: ReturnType<typeof sharp>): Promise<string> {
  return `data:image/png;base64,${(await image.png().toBuffer()).toString("base64")}`;
}

async function plain(width: number, height: number, background: typeof WHITE): Promise<string> {
  return await dataUrl(sharp({ create: { width, height, channels: 4, background } }));
}

/** A gradient from dark to light with a frame, so that a crop can be seen. */
async function framed(width: number, height: number): Promise<string> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><defs><linearGradient id="g" x2="1" y2="1"><stop stop-color="#123a5c"/><stop offset="1" stop-color="#f2c14e"/></linearGradient></defs><rect width="100%" height="100%" fill="url(#g)"/><rect x="8" y="8" width="${width - 16}" height="${height - 16}" fill="none" stroke="#fff" stroke-width="6"/></svg>`;
  return await dataUrl(sharp(Buffer.from(svg)));
}

/** Makes it at the first call. The grid of each template has all images. */
function once(make: () => Promise<string>): () => Promise<string> {
  let made: Promise<string> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/** Images that are hard to place, as `data:` URLs. */
export const IMAGES: { name: string; make: () => Promise<string> }[] = [
  { name: "10:1", make: once(() => framed(2_000, 200)) },
  { name: "1:10", make: once(() => framed(200, 2_000)) },
  { name: "1x1", make: once(() => plain(1, 1, { r: 200, g: 40, b: 60, alpha: 1 })) },
  { name: "transparent", make: once(() => plain(800, 800, CLEAR)) },
  { name: "white", make: once(() => plain(1_600, 1_600, WHITE)) },
];

/** Colours that leave little room for contrast. */
export const COLORS: { name: string; value: string }[] = [
  { name: "black", value: "#000000" },
  { name: "white", value: "#ffffff" },
  { name: "mid-grey", value: "#808080" },
  { name: "translucent", value: "#06507f20" },
];
