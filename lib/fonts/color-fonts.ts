import { promisify } from "node:util";
import { brotliCompress, constants } from "node:zlib";
import { type Coverage, contains } from "./coverage.ts";
import { isWoff2, readWoff2Directory, tableEntries, unpackWoff2, WOFF2_HEADER_BYTES } from "./read-table.ts";

/** The tables with glyphs in colour that Chromium knows. */
const COLOR_TABLES = ["COLR", "CBDT", "sbix"];

/** Emoji fonts have this character, and have digits for keycaps only. */
const KEYCAP = 0x20e3;

/** Platform and encoding of a table of variation sequences in a `cmap`. */
const SEQUENCES = 0x0000_0005;

/**
 * Variation sequences with U+FE0E for #, *, 0 to 9, ©, ® and ™. Each has the same glyph as the character alone.
 * Format 14 of https://learn.microsoft.com/typography/opentype/spec/cmap
 */
const TEXT_FORMS = Buffer.from(
  "000e000000310000000100fe0e0000001500000000000000060000230000002a00000030090000a9000000ae0000212200",
  "hex",
);

/** Adds {@link TEXT_FORMS} to a `cmap` without variation sequences. Its entries are in the order of their encodings. */
function addTextForms(cmap: Buffer): Buffer | undefined {
  const bodies = 4 + cmap.readUInt16BE(2) * 8;
  const entries: [encoding: number, offset: number][] = [[SEQUENCES, cmap.length]];
  for (let at = 4; at < bodies; at += 8) entries.push([cmap.readUInt32BE(at), cmap.readUInt32BE(at + 4)]);
  if (entries.filter(([encoding]) => encoding === SEQUENCES).length > 1) return undefined;
  const head = Buffer.alloc(bodies + 8);
  head.writeUInt16BE(entries.length, 2);
  for (const [index, [encoding, offset]] of entries.toSorted(([a], [b]) => a - b).entries()) {
    head.writeUInt32BE(encoding, 4 + index * 8);
    head.writeUInt32BE(offset + 8, 8 + index * 8);
  }
  return Buffer.concat([head, cmap.subarray(bodies), TEXT_FORMS]);
}

const padding = (bytes: number) => Buffer.alloc(-bytes & 3);

/** A TrueType or OpenType file with another `cmap`, at its end. Browsers ignore the checksums. */
function replaceCmap(file: Buffer, { entry, cmap }: { entry: number; cmap: Buffer }): Buffer {
  const before = Buffer.concat([file, padding(file.length)]);
  before.writeUInt32BE(before.length, entry + 8);
  before.writeUInt32BE(cmap.length, entry + 12);
  return Buffer.concat([before, cmap]);
}

/** The shortest form, because another one is invalid. */
function base128(value: number): Buffer {
  const bytes = [value & 0x7f];
  for (let rest = value >> 7; rest > 0; rest >>= 7) bytes.unshift((rest & 0x7f) | 0x80);
  return Buffer.from(bytes);
}

/** A WOFF2 file with another `cmap`, without metadata and private data. */
async function repackWoff2(file: Buffer, cmap: Buffer): Promise<Buffer> {
  const directory = readWoff2Directory(file);
  const table = directory.tables.find(({ tag }) => tag === "cmap");
  if (!table) return file;
  const tables = await unpackWoff2(file, directory.end);
  const changed = [tables.subarray(0, table.offset), cmap, tables.subarray(table.offset + table.bytes)];
  // The best quality takes ten times as long. No font of the usual kind becomes twice as large.
  const options = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 }, maxOutputLength: file.length * 2 };
  const packed = await promisify(brotliCompress)(Buffer.concat(changed), options);
  const font = Buffer.concat([
    file.subarray(0, table.lengths),
    base128(cmap.length),
    file.subarray(table.end, directory.end),
    packed,
  ]);
  const whole = Buffer.concat([font, padding(font.length)]);
  whole.writeUInt32BE(whole.length, 8);
  whole.writeUInt32BE(packed.length, 20);
  return whole.fill(0, 28, WOFF2_HEADER_BYTES);
}

/**
 * Makes digits, and the few other signs of texts that are also emoji, drawable by a font with glyphs in colour. In a text with
 * `font-variant-emoji: unicode`, Chromium takes their text form, and from a font in colour only where its `cmap` has that form.
 * @returns undefined where the font may stay as it is: it has no colours, is an emoji font, or has variation sequences
 */
export async function withTextForms(
  file: Buffer,
  { cmap, glyphs }: { cmap: Buffer; glyphs: Coverage },
): Promise<Buffer | undefined> {
  const entries = isWoff2(file) ? undefined : tableEntries(file);
  const tags = entries ? [...entries.keys()] : readWoff2Directory(file).tables.map(({ tag }) => tag);
  if (!COLOR_TABLES.some((tag) => tags.includes(tag)) || contains(glyphs, KEYCAP)) return undefined;
  const changed = addTextForms(cmap);
  if (!changed) return undefined;
  const entry = entries?.get("cmap");
  return entry === undefined ? await repackWoff2(file, changed) : replaceCmap(file, { entry, cmap: changed });
}
