import { MAX_AVIF_BOXES, MAX_AVIF_EXTENTS } from "../image-limits.ts";
import { type Box, BrokenAvif, boxesIn, integersOf, onlyBox } from "./boxes.ts";

/** An item of an AVIF: a picture, a grid of pictures, or data such as EXIF. */
export type AvifItem = {
  /** `av01` for a picture. */
  type: string;
  /** Where its bytes are, part by part. */
  extents: { at: number; end: number }[];
  /** The items that it is made of, once for each place. */
  parts: number[];
};

/** ISO/IEC 14496-12, 8.11.3. */
function extentsOf(bytes: Buffer, meta: Box[]): Map<number, AvifItem["extents"]> {
  const location = onlyBox(meta, "iloc");
  const read = integersOf(bytes, location);
  const version = read(1);
  read(3);
  const sizes = [read(1), read(1)].flatMap((both) => [both >> 4, both & 15]) as [number, number, number, number];
  const [offsetBytes, lengthBytes, baseBytes, indexBytes] = sizes;
  const idBytes = version < 2 ? 2 : 4;
  const items = new Map<number, AvifItem["extents"]>();
  const count = read(idBytes);
  if (count > MAX_AVIF_BOXES) throw new BrokenAvif();
  while (items.size < count) {
    const id = read(idBytes);
    const method = version > 0 ? read(2) & 15 : 0;
    const source = method === 1 ? onlyBox(meta, "idat") : { at: 0, end: bytes.length };
    if (method > 1 || read(2) !== 0 || items.has(id)) throw new BrokenAvif();
    const base = source.at + read(baseBytes);
    const parts = read(2);
    if (parts > MAX_AVIF_EXTENTS) throw new BrokenAvif();
    const extents = Array.from({ length: parts }, () => {
      if (version > 0) read(indexBytes);
      const at = base + read(offsetBytes);
      const length = read(lengthBytes);
      const end = length === 0 ? source.end : at + length;
      if (end > source.end) throw new BrokenAvif();
      return { at, end };
    });
    items.set(id, extents);
  }
  return items;
}

/** ISO/IEC 14496-12, 8.11.6. */
function typesOf(bytes: Buffer, meta: Box[]): Map<number, string> {
  const { at, end } = onlyBox(meta, "iinf");
  const types = new Map<number, string>();
  for (const entry of boxesIn(bytes, { at: at + (bytes[at] === 0 ? 6 : 8), end })) {
    const read = integersOf(bytes, entry);
    const version = read(1);
    const idBytes = version === 2 ? 2 : 4;
    read(3);
    const id = read(idBytes);
    if (![2, 3].includes(version) || types.has(id)) throw new BrokenAvif();
    read(2);
    types.set(id, bytes.toString("latin1", entry.at + 6 + idBytes, entry.at + 10 + idBytes));
  }
  return types;
}

/** ISO/IEC 14496-12, 8.11.12. No tile may be repeated, so there are no more parts than items. */
function partsOf(bytes: Buffer, meta: Box[]): Map<number, number[]> {
  const parts = new Map<number, number[]>();
  let total = 0;
  for (const box of meta.filter(({ type }) => type === "iref")) {
    const idBytes = bytes[box.at] === 0 ? 2 : 4;
    const references = boxesIn(bytes, { at: box.at + 4, end: box.end });
    for (const reference of references.filter(({ type }) => type === "dimg")) {
      const read = integersOf(bytes, reference);
      const id = read(idBytes);
      const count = read(2);
      total += count;
      if (parts.has(id) || total > MAX_AVIF_BOXES) throw new BrokenAvif();
      parts.set(
        id,
        Array.from({ length: count }, () => read(idBytes)),
      );
    }
  }
  return parts;
}

/** The items of a file. @throws BrokenAvif */
export function itemsOf(bytes: Buffer): Map<number, AvifItem> {
  const { at, end } = onlyBox(boxesIn(bytes, { at: 0, end: bytes.length }), "meta");
  const meta = boxesIn(bytes, { at: at + 4, end });
  const [extents, parts] = [extentsOf(bytes, meta), partsOf(bytes, meta)];
  return new Map(
    [...typesOf(bytes, meta)].map(([id, type]) => [
      id,
      { type, extents: extents.get(id) ?? [], parts: parts.get(id) ?? [] },
    ]),
  );
}

/** Whether a picture of a file is cut to a part of itself, its clean aperture (ISO/IEC 14496-12, 12.1.4). */
export function hasCleanAperture(bytes: Buffer): boolean {
  // Faster than to look into boxes, and rarely true: descriptions and pixels may have these letters too.
  if (!bytes.includes("clap")) return false;
  try {
    const { at, end } = onlyBox(boxesIn(bytes, { at: 0, end: bytes.length }), "meta");
    const properties = onlyBox(boxesIn(bytes, { at: at + 4, end }), "iprp");
    return boxesIn(bytes, onlyBox(boxesIn(bytes, properties), "ipco")).some(({ type }) => type === "clap");
  } catch {
    return true;
  }
}
