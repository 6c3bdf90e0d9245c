import { inflateSync } from "node:zlib";

const HEADER_BYTES = 44;
const ENTRY_BYTES = 20;

/** Tables of a TrueType file start at multiples of this. */
const ALIGNMENT_BYTES = 4;

type Table = { tag: Buffer; checksum: number; data: Buffer };

function readTables(woff: Buffer): Table[] {
  return Array.from({ length: woff.readUInt16BE(12) }, (_, index) => {
    const entry = HEADER_BYTES + index * ENTRY_BYTES;
    const [start, packedBytes, bytes] = [4, 8, 12].map((at) => woff.readUInt32BE(entry + at)) as [
      number,
      number,
      number,
    ];
    const packed = woff.subarray(start, start + packedBytes);
    const data = packedBytes < bytes ? inflateSync(packed) : packed;
    return { tag: woff.subarray(entry, entry + 4), checksum: woff.readUInt32BE(entry + 16), data };
  });
}

/**
 * Turns a WOFF file into the TrueType file that it holds: Chromium takes only those from fontconfig.
 * The format is at https://www.w3.org/TR/WOFF/.
 * @throws Error for any other file
 */
export function trueTypeOf(woff: Buffer): Buffer {
  if (woff.toString("latin1", 0, 4) !== "wOFF") throw new Error("Got a file of another format, want WOFF.");
  const tables = readTables(woff);
  const powers = 2 ** Math.floor(Math.log2(tables.length));
  const header = Buffer.alloc(12 + tables.length * 16);
  woff.copy(header, 0, 4, 8);
  header.writeUInt16BE(tables.length, 4);
  header.writeUInt16BE(powers * 16, 6);
  header.writeUInt16BE(Math.log2(powers), 8);
  header.writeUInt16BE((tables.length - powers) * 16, 10);
  let end = header.length;
  const bodies = tables.map(({ tag, checksum, data }, index) => {
    const at = 12 + index * 16;
    tag.copy(header, at);
    header.writeUInt32BE(checksum, at + 4);
    header.writeUInt32BE(end, at + 8);
    header.writeUInt32BE(data.length, at + 12);
    const padding = Buffer.alloc(-data.length & (ALIGNMENT_BYTES - 1));
    end += data.length + padding.length;
    return Buffer.concat([data, padding]);
  });
  return Buffer.concat([header, ...bodies]);
}
