/** Codes have twelve bits at most (GIF89a, appendix F). */
const MAX_CODES = 4_096;
const MAX_CODE_BITS = 12;

/** The data of a frame without the lengths of its sub-blocks. There may be millions of them, so they are copied one by one. */
function joinBlocks(bytes: Buffer, from: number): Buffer {
  const joined = Buffer.alloc(Math.max(0, bytes.length - from));
  let [at, size] = [from, 0];
  for (let length = bytes[at] ?? 0; length > 0; length = bytes[at] ?? 0) {
    size += bytes.copy(joined, size, at + 1, at + 1 + length);
    at += length + 1;
  }
  return joined.subarray(0, size);
}

/**
 * How many pixels the data of a frame has (LZW), up to `wanted`. Data that end early, or have a code that does not exist, have fewer:
 * browsers and other decoders draw those, and leave the rest of the frame empty. A megabyte takes 50 ms.
 * @param at where the data begin, with the number of bits of a colour
 */
export function countGifPixels(bytes: Buffer, at: number, wanted: number): number {
  const colorBits = bytes[at] ?? 0;
  if (colorBits < 1 || colorBits >= MAX_CODE_BITS) return 0;
  const data = joinBlocks(bytes, at + 1);
  const clear = 1 << colorBits;
  /** How many pixels each code stands for. */
  const lengths = new Int32Array(MAX_CODES).fill(1, 0, clear);
  let [next, bits, before, pixels] = [clear + 2, colorBits + 1, 0, 0];
  let [held, heldBits, read] = [0, 0, 0];
  while (pixels < wanted) {
    while (heldBits < bits && read < data.length) {
      held |= (data[read++] ?? 0) << heldBits;
      heldBits += 8;
    }
    const code = held & ((1 << bits) - 1);
    if (heldBits < bits || code === clear + 1) break;
    held >>>= bits;
    heldBits -= bits;
    if (code === clear) {
      next = clear + 2;
      bits = colorBits + 1;
      before = 0;
      continue;
    }
    // A code may be the one that it makes, if another one is before it.
    if (code > next || (code === next && before === 0)) break;
    if (before > 0 && next < MAX_CODES) {
      lengths[next++] = before + 1;
      if (next === 1 << bits && bits < MAX_CODE_BITS) bits++;
    }
    before = lengths[code] ?? 0;
    pixels += before;
  }
  return Math.min(pixels, wanted);
}
