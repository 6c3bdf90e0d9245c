import { MAX_AVIF_BOXES } from "../image-limits.ts";

/** The content of a box, from `at` to `end` of the file. */
export type Box = { type: string; at: number; end: number };

type Range = Pick<Box, "at" | "end">;

/** Thrown for a file that is cut short, or that readers could understand differently. */
export class BrokenAvif extends Error {
  override name = "BrokenAvif";
}

/** Reads unsigned integers, one after the other, each of so many bytes. */
export function integersOf(bytes: Buffer, { at, end }: Range): (length: number) => number {
  let next = at;
  return (length) => {
    if (next + length > end) throw new BrokenAvif();
    let value = 0;
    for (const last = next + length; next < last; next++) value = value * 256 + (bytes[next] ?? 0);
    return value;
  };
}

/** The boxes between two places of a file (ISO/IEC 14496-12, 4.2). @throws BrokenAvif */
export function boxesIn(bytes: Buffer, { at, end }: Range): Box[] {
  const boxes: Box[] = [];
  for (let start = at; start < end; ) {
    const read = integersOf(bytes, { at: start, end });
    const short = read(4);
    read(4);
    const headBytes = short === 1 ? 16 : 8;
    const length = short === 0 ? end - start : short === 1 ? read(8) : short;
    if (length < headBytes || start + length > end || boxes.length >= MAX_AVIF_BOXES) throw new BrokenAvif();
    const type = bytes.toString("latin1", start + 4, start + 8);
    boxes.push({ type, at: start + headBytes, end: start + length });
    start += length;
  }
  return boxes;
}

/** The box of a type that a file has once. @throws BrokenAvif where it has none or several */
export function onlyBox(boxes: Box[], type: string): Box {
  const [found, ...others] = boxes.filter((box) => box.type === type);
  if (!found || others.length > 0) throw new BrokenAvif();
  return found;
}
