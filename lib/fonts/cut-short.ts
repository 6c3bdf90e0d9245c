const HEADER_BYTES = 12;
const TABLE_ENTRY_BYTES = 16;

/** Where the last table of a face ends in its file. The face has its directory at `start`. */
function tablesEnd(file: Buffer, start: number): number {
  const tables = file.readUInt16BE(start + 4);
  const ends = Array.from({ length: tables }, (_, index) => {
    const entry = start + HEADER_BYTES + index * TABLE_ENTRY_BYTES;
    return file.readUInt32BE(entry + 8) + file.readUInt32BE(entry + 12);
  });
  return Math.max(0, ...ends);
}

/** Where the faces of a collection begin, or the only face of another file. */
function faceStarts(file: Buffer): number[] {
  if (file.toString("latin1", 0, 4) !== "ttcf") return [0];
  return Array.from({ length: file.readUInt32BE(8) }, (_, index) => file.readUInt32BE(HEADER_BYTES + index * 4));
}

/**
 * Whether a part of a font is missing at the end of its file, as after an interrupted download. A browser refuses such a font and draws
 * with another one, although the list of its characters, which comes early, can still be read.
 * The formats are at https://learn.microsoft.com/typography/opentype/spec/otff and https://www.w3.org/TR/WOFF2/.
 * @param file TrueType, OpenType or WOFF2
 * @throws RangeError when the file ends within its directory
 */
export function isCutShort(file: Buffer): boolean {
  const needed =
    file.toString("latin1", 0, 4) === "wOF2"
      ? file.readUInt32BE(8)
      : Math.max(...faceStarts(file).map((start) => tablesEnd(file, start)));
  return needed > file.length;
}
