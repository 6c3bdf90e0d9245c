import { crc32 } from "node:zlib";
import type { ImageFault } from "./image-fault.ts";

/** Sequence number, width, height, left and top of a frame (PNG, third edition, 11.3.6.2). */
const FRAME_HEAD_BYTES = 20;
/** A sequence number comes before the pixels of a frame. */
const SEQUENCE_BYTES = 4;

/** A chunk of a PNG, with its length and checksum. */
export function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const chunk = Buffer.alloc(body.length + 8);
  chunk.writeUInt32BE(data.length, 0);
  body.copy(chunk, 4);
  chunk.writeUInt32BE(crc32(body), body.length + 4);
  return chunk;
}

/**
 * Finds the first frame of an animated PNG whose still picture is no part of the animation. Browsers never show such a still picture, which
 * is for programs that know no animations, and often says so.
 */
export class PngFirstFrame {
  #isAnimated = false;
  #hasPixels = false;
  #showsStill = false;
  #heads: Buffer[] = [];
  readonly #pixels: Buffer[] = [];

  /** Takes the chunks of a file, in their order. */
  add(type: string, data: Buffer): void {
    if (type === "IDAT") this.#hasPixels = true;
    else if (type === "acTL") this.#isAnimated ||= !this.#hasPixels;
    else if (type === "fcTL" && this.#hasPixels) this.#heads.push(data);
    else if (type === "fcTL") this.#showsStill = true;
    else if (type === "fdAT" && this.#heads.length === 1) this.#pixels.push(data.subarray(SEQUENCE_BYTES));
  }

  /**
   * The pixels of that frame, as those of a still picture. Undefined where the still picture is shown.
   * @param header what begins with the width and the height of the picture, as IHDR does
   */
  read(header: Buffer): Buffer | ImageFault | undefined {
    const [head] = this.#heads;
    if (!this.#isAnimated || this.#showsStill || this.#pixels.length === 0 || !head) return undefined;
    const place = Buffer.concat([header.subarray(0, 8), Buffer.alloc(8)]);
    if (!head.subarray(4, FRAME_HEAD_BYTES).equals(place))
      return { fault: "Got an animated PNG whose first frame fills a part of it, want a still PNG." };
    return pngChunk("IDAT", Buffer.concat(this.#pixels));
  }
}
