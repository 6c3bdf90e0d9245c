import { CUT_SHORT } from "../image-fault.ts";
import { MAX_AVIF_FRAMES, MAX_AVIF_OBUS } from "../image-limits.ts";
import { BrokenAvif } from "./boxes.ts";
import { type AvifItem, itemsOf } from "./items.ts";

/** The OBUs with which a frame begins: a header, a frame with its header, and a repeated header (AV1, 6.2.2). */
const FRAME_OBUS = [3, 6, 7];

/** The place after an OBU whose length, in LEB128 (AV1, 4.10.5), begins here. */
function endOfObu(data: Buffer, from: number): number {
  let length = 0;
  for (let index = 0; index < 8; index++) {
    const byte = data[from + index] ?? 0;
    length += (byte & 127) * 128 ** index;
    if (byte < 128) return from + index + 1 + length;
  }
  throw new BrokenAvif();
}

/** How many frames the data of a picture has. A decoder draws all of them, and returns the last. */
function countFrames(data: Buffer): number {
  let [frames, obus, at] = [0, 0, 0];
  while (at < data.length) {
    const head = data[at++] ?? 0;
    // Decoders skip zeros.
    if (head === 0) continue;
    const [type, isExtended, hasLength] = [(head >> 3) & 15, (head & 4) !== 0, (head & 2) !== 0];
    if (!hasLength || ++obus > MAX_AVIF_OBUS) throw new BrokenAvif();
    if (FRAME_OBUS.includes(type)) frames++;
    at = endOfObu(data, isExtended ? at + 1 : at);
  }
  return frames;
}

const lengthOf = ({ extents }: AvifItem) => extents.reduce((sum, { at, end }) => sum + end - at, 0);

/** The fault of the items that others are made of. Browsers leave out a picture with one of these faults. */
function partsFault(items: Map<number, AvifItem>): string | undefined {
  const composed = [...items.values()].filter(({ type, parts }) => parts.length > 0 && type !== "tmap");
  const isOther = composed.some(
    ({ type, parts }) => type !== "grid" || parts.some((id) => items.get(id)?.type !== "av01"),
  );
  if (isOther) return "Got an AVIF of images that are made of other images, want one image.";
  const used = composed.flatMap(({ parts }) => parts);
  return new Set(used).size < used.length ? "Got an AVIF that repeats a tile, want one image." : undefined;
}

function findFault(bytes: Buffer): string | undefined {
  const items = itemsOf(bytes);
  const fault = partsFault(items);
  if (fault !== undefined) return fault;
  const pictures = [...items.values()].filter(({ type }) => type === "av01");
  if (pictures.reduce((sum, item) => sum + lengthOf(item), 0) > bytes.length)
    return "Got an AVIF whose tiles share their bytes, want one image.";
  const hasMany = pictures.some(({ extents }) => {
    const data = Buffer.concat(extents.map(({ at, end }) => bytes.subarray(at, end)));
    return countFrames(data) > MAX_AVIF_FRAMES;
  });
  return hasMany ? `Got an AVIF with more than ${MAX_AVIF_FRAMES} frames in one picture, want one.` : undefined;
}

/**
 * The fault of an AVIF that takes a decoder long for its size: one of many frames, of which only the last is shown, or one that
 * repeats its tiles. A decoder of AVIF cannot be stopped.
 */
export function avifFault(bytes: Buffer): string | undefined {
  try {
    return findFault(bytes);
  } catch (error) {
    if (error instanceof BrokenAvif) return CUT_SHORT;
    throw error;
  }
}
