import { faceStart, isWoff2 } from "./read-table.ts";

const HEADER_BYTES = 12;
const TABLE_ENTRY_BYTES = 16;

/** Where the last table of a face ends in its file. The face has its directory at `start`. */
function tablesEnd(file: Buffer, start: number): number {
  let last = 0;
  for (
    let entry = start + HEADER_BYTES, left = file.readUInt16BE(start + 4);
    left > 0;
    entry += TABLE_ENTRY_BYTES, left--
  )
    last = Math.max(last, file.readUInt32BE(entry + 8) + file.readUInt32BE(entry + 12));
  return last;
}

/**
 * Whether a part of a font is missing at the end of its file, as after an interrupted download. A browser refuses such a font and draws
 * with another one, although the list of its characters, which comes early, can still be read. Of a collection, only the first face is
 * drawn.
 * The formats are at https://learn.microsoft.com/typography/opentype/spec/otff and https://www.w3.org/TR/WOFF2/.
 * @param file TrueType, OpenType or WOFF2
 * @throws RangeError when the file ends within its directory; Error for a file of another format
 */
export function isCutShort(file: Buffer): boolean {
  const needed = isWoff2(file) ? file.readUInt32BE(8) : tablesEnd(file, faceStart(file));
  return needed > file.length;
}
