import { deflateSync } from "node:zlib";
import sharp from "sharp";
import { pngChunk } from "#lib/images/png-first-frame.ts";
import { readImage } from "#lib/images/read-image.ts";

/** A plain image of this size. */
export function picture(width: number, height: number, background = "#a30") {
  return sharp({ create: { width, height, channels: 3, background } });
}

export function dataUrl(type: string, bytes: Buffer): string {
  return `data:image/${type};base64,${bytes.toString("base64")}`;
}

export function bytesOf(url: string): Buffer {
  return Buffer.from(url.slice(url.indexOf(",") + 1), "base64");
}

/** Checks an embedded image from its header to its pixels. */
export async function check(url: string): Promise<{ pixels: number; url: string } | { fault: string }> {
  const opened = await readImage(url, {});
  if ("fault" in opened) return { fault: opened.fault };
  const finished = await opened.decode();
  return "fault" in finished ? { fault: finished.fault } : { pixels: opened.pixels, url: finished.url };
}

/** Puts chunks behind the header of a PNG. */
export function withChunks(png: Buffer, ...chunks: Buffer[]): Buffer {
  return Buffer.concat([png.subarray(0, 33), ...chunks, png.subarray(33)]);
}

/** A PNG of a few hundred bytes whose header claims this size. */
export function pngBomb(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2], 8);
  return Buffer.concat([
    Buffer.from("89504e470d0a1a0a", "hex"),
    pngChunk("IHDR", header),
    pngChunk("IDAT", deflateSync(Buffer.alloc(1_000))),
    pngChunk("IEND", Buffer.alloc(0)),
  ]);
}

/** Deflated text of this many bytes, a thousandth of that in length, as a `zTXt` chunk. */
export function textBomb(bytes: number): Buffer {
  return pngChunk("zTXt", Buffer.concat([Buffer.from("Comment\0\0"), deflateSync(Buffer.alloc(bytes, 120))]));
}

/** The same as an `iTXt` chunk, which holds international text. */
export function internationalTextBomb(bytes: number): Buffer {
  return pngChunk("iTXt", Buffer.concat([Buffer.from("Comment\0\x01\0\0\0"), deflateSync(Buffer.alloc(bytes, 120))]));
}

/** A copy with another number at this offset. */
export function withUInt32(bytes: Buffer, offset: number, value: number): Buffer {
  const copy = Buffer.from(bytes);
  copy.writeUInt32BE(value, offset);
  return copy;
}

/** An animation of plain frames. */
export async function animation(format: "gif" | "webp", colors: string[], size = { width: 80, height: 60 }) {
  const frames = await Promise.all(colors.map((color) => picture(size.width, size.height, color).png().toBuffer()));
  const joined = sharp(frames, { join: { animated: true } });
  return format === "gif" ? await joined.gif().toBuffer() : await joined.webp({ lossless: true }).toBuffer();
}

/** A GIF of so many frames, made without drawing them. */
export async function longGif(frames: number): Promise<Buffer> {
  const one = (await picture(2, 2).gif().toBuffer()).subarray(0, -1);
  const image = one.subarray(one.lastIndexOf(0x2c));
  return Buffer.concat([one, ...Array.from({ length: frames - 1 }, () => image), Buffer.from([0x3b])]);
}

/** A WebP of so many frames, made by repeating the last chunk of an animation. */
export async function longWebp(frames: number): Promise<Buffer> {
  const two = await animation("webp", ["#f00", "#0f0"], { width: 2, height: 2 });
  const frame = two.subarray(two.lastIndexOf("ANMF"));
  const all = Buffer.concat([two, ...Array.from({ length: frames - 2 }, () => frame)]);
  all.writeUInt32LE(all.length - 8, 4);
  return all;
}

/** An animated PNG: the still picture of `first`, then one of `second`. */
export async function animatedPng(first: string, second: string, frames = 2): Promise<Buffer> {
  const [one, two] = await Promise.all([first, second].map((color) => picture(80, 60, color).png().toBuffer()));
  if (!one || !two) throw new Error("No frames.");
  const control = Buffer.alloc(8);
  control.writeUInt32BE(frames, 0);
  const frame = (sequence: number) => {
    const data = Buffer.alloc(26);
    for (const [index, value] of [sequence, 80, 60, 0, 0].entries()) data.writeUInt32BE(value, index * 4);
    data.set([0, 1, 0, 10], 20);
    return pngChunk("fcTL", data);
  };
  const idat = two.indexOf("IDAT");
  const pixels = two.subarray(idat + 4, idat + 4 + two.readUInt32BE(idat - 4));
  const later = pngChunk("fdAT", Buffer.concat([Buffer.from([0, 0, 0, 2]), pixels]));
  const still = withChunks(one, pngChunk("acTL", control), frame(0));
  const end = still.lastIndexOf("IEND") - 4;
  return Buffer.concat([still.subarray(0, end), frame(1), later, still.subarray(end)]);
}
