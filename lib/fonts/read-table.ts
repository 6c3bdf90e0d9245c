import { promisify } from "node:util";
import { brotliDecompress } from "node:zlib";

/** What a font may become when it is unpacked, in bytes. A few kilobytes of WOFF2 may unpack to gigabytes. */
const UNPACKED_MAX_BYTES = 64_000_000;

/** The most that a table of characters may have, in bytes. A glyph of its own for each of 65,536 characters takes 0.8 MB. */
const CMAP_MAX_BYTES = 4_000_000;

const [HEADER_BYTES, ENTRY_BYTES] = [12, 16];

export const WOFF2_HEADER_BYTES = 48;

const signatureOf = (file: Buffer) => file.toString("latin1", 0, 4);

export const isWoff2 = (file: Buffer) => signatureOf(file) === "wOF2";

/** Signatures of single faces: TrueType outlines, those of Apple, and OpenType with CFF outlines. */
const FACES = ["\0\x01\0\0", "true", "OTTO"];

/** Where the face begins that a browser draws: the first one of a collection. @throws Error for a file of another format */
export function faceStart(file: Buffer): number {
  const signature = signatureOf(file);
  if (signature === "ttcf") return file.readUInt32BE(HEADER_BYTES);
  if (!FACES.includes(signature)) throw new Error("Got a file that is no font.");
  return 0;
}

/** Where a face has the entries of its tables, by their tags. @throws Error for a file of another format */
export function tableEntries(file: Buffer): Map<string, number> {
  const start = faceStart(file);
  const first = start + HEADER_BYTES;
  const end = first + file.readUInt16BE(start + 4) * ENTRY_BYTES;
  const entries = new Map<string, number>();
  for (let entry = first; entry < end; entry += ENTRY_BYTES) {
    const tag = file.toString("latin1", entry, entry + 4);
    if (!entries.has(tag)) entries.set(tag, entry);
  }
  return entries;
}

/** A table of a TrueType or OpenType file. @throws Error when it has none, or is no such file */
export function tableOf(file: Buffer, tag: string): Buffer {
  const entry = tableEntries(file).get(tag);
  if (entry === undefined) throw new Error(`The font has no table ${tag}.`);
  const offset = file.readUInt32BE(entry + 8);
  return file.subarray(offset, offset + file.readUInt32BE(entry + 12));
}

/** Common tags are written as numbers in WOFF2. These are the ones that are looked for. */
const NUMBERED_TAGS: Record<number, string> = { 0: "cmap", 10: "glyf", 11: "loca", 32: "CBDT", 34: "COLR", 37: "sbix" };
const WRITTEN_TAG = 63;

/** A number of one to five bytes with seven bits each, and where it ends. */
function readBase128(file: Buffer, at: number): { value: number; end: number } {
  let value = 0;
  for (let end = at; end < at + 5; ) {
    const byte = file.readUInt8(end++);
    value = value * 128 + (byte & 0x7f);
    if (byte < 0x80) return { value, end };
  }
  throw new Error("Got a number that does not end.");
}

/** A table of WOFF2. Its lengths are at `lengths` to `end` of the file, and its bytes at `offset` of the unpacked tables. */
type PackedTable = { tag: string; lengths: number; end: number; offset: number; bytes: number };

function readWoff2Entry(file: Buffer, at: number): Omit<PackedTable, "offset"> {
  const flags = file.readUInt8(at);
  const [number, version] = [flags & 0x3f, flags >> 6];
  const isWritten = number === WRITTEN_TAG;
  const tag = isWritten ? file.toString("latin1", at + 1, at + 5) : (NUMBERED_TAGS[number] ?? "");
  const lengths = at + (isWritten ? 5 : 1);
  const whole = readBase128(file, lengths);
  const isTransformed = tag === "glyf" || tag === "loca" ? version === 0 : version !== 0;
  const { value: bytes, end } = isTransformed ? readBase128(file, whole.end) : whole;
  return { tag, lengths, end, bytes };
}

/** The tables of WOFF2, https://www.w3.org/TR/WOFF2/. Their bytes, packed, begin at `end`. */
export function readWoff2Directory(file: Buffer): { tables: PackedTable[]; end: number } {
  if (file.toString("latin1", 4, 8) === "ttcf") throw new Error("Got a collection in WOFF2, want a single font.");
  let [end, offset] = [WOFF2_HEADER_BYTES, 0];
  const tables: PackedTable[] = [];
  for (let index = file.readUInt16BE(12); index > 0; index--) {
    const table = { ...readWoff2Entry(file, end), offset };
    tables.push(table);
    [end, offset] = [table.end, offset + table.bytes];
  }
  return { tables, end };
}

/** Unpacks the tables of WOFF2. @param start where they begin in the file */
export async function unpackWoff2(file: Buffer, start: number): Promise<Buffer> {
  const packed = file.subarray(start, start + file.readUInt32BE(20));
  return await promisify(brotliDecompress)(packed, { maxOutputLength: UNPACKED_MAX_BYTES });
}

async function woff2Cmap(file: Buffer): Promise<Buffer> {
  const { tables, end } = readWoff2Directory(file);
  const cmap = tables.find(({ tag }) => tag === "cmap");
  if (!cmap) throw new Error("The font has no table cmap.");
  return (await unpackWoff2(file, end)).subarray(cmap.offset, cmap.offset + cmap.bytes);
}

/**
 * The table of a font that says which characters it has.
 * @param file TrueType, OpenType or WOFF2. It may be damaged, or made to take long
 * @throws Error when it cannot be read, or is longer than {@link CMAP_MAX_BYTES}
 */
export async function readCmap(file: Buffer): Promise<Buffer> {
  const cmap = isWoff2(file) ? await woff2Cmap(file) : tableOf(file, "cmap");
  if (cmap.length > CMAP_MAX_BYTES)
    throw new Error(`Got a cmap of ${cmap.length} bytes, want ${CMAP_MAX_BYTES} at most.`);
  // A copy, because a part of a buffer keeps the whole font in memory.
  return Buffer.from(cmap);
}
