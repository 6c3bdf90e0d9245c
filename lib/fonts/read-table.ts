import { promisify } from "node:util";
import { brotliDecompress } from "node:zlib";

/** What a font may become when it is unpacked, in bytes. A few kilobytes of WOFF2 may unpack to gigabytes. */
const UNPACKED_MAX_BYTES = 64_000_000;

/** The most that a table of characters may have, in bytes. A glyph of its own for each of 65,536 characters takes 0.8 MB. */
const CMAP_MAX_BYTES = 4_000_000;

const [HEADER_BYTES, ENTRY_BYTES, WOFF2_HEADER_BYTES] = [12, 16, 48];

const signatureOf = (file: Buffer) => file.toString("latin1", 0, 4);

/** Signatures of single faces: TrueType outlines, those of Apple, and OpenType with CFF outlines. */
const FACES = ["\0\x01\0\0", "true", "OTTO"];

/** Where the face begins that a browser draws: the first one of a collection. @throws Error for a file of another format */
export function faceStart(file: Buffer): number {
  const signature = signatureOf(file);
  if (signature === "ttcf") return file.readUInt32BE(HEADER_BYTES);
  if (!FACES.includes(signature)) throw new Error("Got a file that is no font.");
  return 0;
}

/** A table of a TrueType or OpenType file. @throws Error when it has none, or is no such file */
export function tableOf(file: Buffer, tag: string): Buffer {
  const start = faceStart(file);
  const first = start + HEADER_BYTES;
  const end = first + file.readUInt16BE(start + 4) * ENTRY_BYTES;
  for (let entry = first; entry < end; entry += ENTRY_BYTES) {
    if (file.toString("latin1", entry, entry + 4) !== tag) continue;
    const offset = file.readUInt32BE(entry + 8);
    return file.subarray(offset, offset + file.readUInt32BE(entry + 12));
  }
  throw new Error(`The font has no table ${tag}.`);
}

/** Common tags are written as numbers in WOFF2. */
const [NUMBER_OF_CMAP, NUMBER_OF_GLYF, NUMBER_OF_LOCA, WRITTEN_TAG] = [0, 10, 11, 63];

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

/** An entry of a directory of WOFF2: whether it is of `cmap`, how many bytes the table has, and where the entry ends. */
function readWoff2Entry(file: Buffer, at: number): { isCmap: boolean; bytes: number; end: number } {
  const flags = file.readUInt8(at);
  const [number, version] = [flags & 0x3f, flags >> 6];
  const isWritten = number === WRITTEN_TAG;
  const tag = isWritten ? file.toString("latin1", at + 1, at + 5) : "";
  const isOutlines = number === NUMBER_OF_GLYF || number === NUMBER_OF_LOCA || tag === "glyf" || tag === "loca";
  const whole = readBase128(file, at + (isWritten ? 5 : 1));
  const isTransformed = isOutlines ? version === 0 : version !== 0;
  const { value: bytes, end } = isTransformed ? readBase128(file, whole.end) : whole;
  return { isCmap: number === NUMBER_OF_CMAP || tag === "cmap", bytes, end };
}

/** https://www.w3.org/TR/WOFF2/ */
async function woff2Cmap(file: Buffer): Promise<Buffer> {
  if (file.toString("latin1", 4, 8) === "ttcf") throw new Error("Got a collection in WOFF2, want a single font.");
  let [at, offset] = [WOFF2_HEADER_BYTES, 0];
  let found: { start: number; end: number } | undefined;
  for (let index = file.readUInt16BE(12); index > 0; index--) {
    const { isCmap, bytes, end } = readWoff2Entry(file, at);
    if (isCmap) found ??= { start: offset, end: offset + bytes };
    [at, offset] = [end, offset + bytes];
  }
  if (!found) throw new Error("The font has no table cmap.");
  const packed = file.subarray(at, at + file.readUInt32BE(20));
  const tables = await promisify(brotliDecompress)(packed, { maxOutputLength: UNPACKED_MAX_BYTES });
  return tables.subarray(found.start, found.end);
}

/**
 * The table of a font that says which characters it has.
 * @param file TrueType, OpenType or WOFF2. It may be damaged, or made to take long
 * @throws Error when it cannot be read, or is longer than {@link CMAP_MAX_BYTES}
 */
export async function readCmap(file: Buffer): Promise<Buffer> {
  const cmap = signatureOf(file) === "wOF2" ? await woff2Cmap(file) : tableOf(file, "cmap");
  if (cmap.length > CMAP_MAX_BYTES)
    throw new Error(`Got a cmap of ${cmap.length} bytes, want ${CMAP_MAX_BYTES} at most.`);
  // A copy, because a part of a buffer keeps the whole font in memory.
  return Buffer.from(cmap);
}
