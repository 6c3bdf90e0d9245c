import { countGifPixels } from "./gif-pixels.ts";
import { CUT_SHORT, type ImageFault } from "./image-fault.ts";
import { MAX_FRAMES } from "./image-limits.ts";

const EXTENSION = 0x21;
const IMAGE = 0x2c;
const TRAILER = 0x3b;

/** The signature and the logical screen descriptor. */
const HEADER_BYTES = 13;
const IMAGE_HEAD_BYTES = 10;

/** The length of a colour table, which the preceding flags contain. */
function tableBytes(flags: number): number {
  return flags & 0x80 ? 3 * 2 ** ((flags & 0x07) + 1) : 0;
}

/** The position after a sequence of sub-blocks, or beyond the end of a file that is cut short. */
function skipBlocks(bytes: Buffer, from: number): number {
  let at = from;
  for (let length = bytes[at]; length !== 0; length = bytes[at]) {
    if (length === undefined) return bytes.length + 1;
    at += length + 1;
  }
  return at + 1;
}

/** The position of the data of an image, which begin with the LZW code size. */
function dataOf(bytes: Buffer, at: number): number {
  return at + IMAGE_HEAD_BYTES + tableBytes(bytes[at + 9] ?? 0);
}

/** The position after the extension or image that starts here. Undefined where neither does. */
function skipPart(bytes: Buffer, at: number): number | undefined {
  if (bytes[at] === EXTENSION) return skipBlocks(bytes, at + 2);
  if (bytes[at] !== IMAGE) return undefined;
  return skipBlocks(bytes, dataOf(bytes, at) + 1);
}

/** Removes all frames but the first. A GIF with one frame is returned unchanged. */
export function stillGif(bytes: Buffer): { bytes: Buffer } | ImageFault {
  let frames = 0;
  let firstEnd = 0;
  let at = HEADER_BYTES + tableBytes(bytes[10] ?? 0);
  // Some programs write no trailer. Browsers then show the frames before the unknown byte.
  while (at < bytes.length && bytes[at] !== TRAILER) {
    const end = skipPart(bytes, at);
    if (end === undefined) break;
    if (end > bytes.length) return { fault: CUT_SHORT };
    if (bytes[at] === IMAGE && ++frames === 1) firstEnd = end;
    at = end;
  }
  if (frames === 0) return { fault: CUT_SHORT };
  if (frames > MAX_FRAMES) return { fault: `Got ${frames} frames, want at most ${MAX_FRAMES}.` };
  if (frames === 1) return { bytes };
  return { bytes: Buffer.concat([bytes.subarray(0, firstEnd), Buffer.from([TRAILER])]) };
}

/** Whether the first frame has all of its pixels. @param bytes what {@link stillGif} returns */
export function isWholeGif(bytes: Buffer): boolean {
  let at = HEADER_BYTES + tableBytes(bytes[10] ?? 0);
  while (bytes[at] === EXTENSION) at = skipBlocks(bytes, at + 2);
  const pixels = bytes.readUInt16LE(at + 5) * bytes.readUInt16LE(at + 7);
  return countGifPixels(bytes, dataOf(bytes, at), pixels) === pixels;
}
