import { crc32, deflateSync } from "node:zlib";
import { pngChunk } from "#lib/images/png-first-frame.ts";

/** PNG files by the chapters of the specification (ISO/IEC 15948), drawn here: a flat picture in every form that is allowed. */

const SIGNATURE = Buffer.from("89504e470d0a1a0a", "hex");
const SIDE = 32;

/** Bit depths by colour type, with the number of samples of a pixel. */
const COLOUR_TYPES: [type: number, samples: number, depths: number[]][] = [
  [0, 1, [1, 2, 4, 8, 16]],
  [2, 3, [8, 16]],
  [3, 1, [1, 2, 4, 8]],
  [4, 2, [8, 16]],
  [6, 4, [8, 16]],
];

/** The passes of Adam7: first column, first row, distance of columns, distance of rows. */
const PASSES = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;

type Form = { type: number; samples: number; depth: number; interlaced: boolean; width?: number; height?: number };

function header({ type, depth, interlaced, width = SIDE, height = SIDE }: Form): Buffer {
  const data = Buffer.alloc(13);
  data.writeUInt32BE(width, 0);
  data.writeUInt32BE(height, 4);
  data.set([depth, type, 0, 0, Number(interlaced)], 8);
  return data;
}

/** The rows of a flat picture. Every filter type occurs. */
function rows({ samples, depth, interlaced, width = SIDE, height = SIDE }: Form): Buffer {
  const bytes = (pixels: number) => Math.ceil((pixels * samples * depth) / 8);
  const passes = interlaced ? PASSES : ([[0, 0, 1, 1]] as const);
  const lines = passes.flatMap(([left, top, across, down]) => {
    const [columns, count] = [Math.ceil((width - left) / across), Math.ceil((height - top) / down)];
    if (columns <= 0 || count <= 0) return [];
    return Array.from({ length: count }, (_, row) => Buffer.concat([Buffer.of(row % 5), Buffer.alloc(bytes(columns))]));
  });
  return Buffer.concat(lines);
}

const PALETTE = pngChunk("PLTE", Buffer.from("aa3300ffffff", "hex"));

function chunksOf(form: Form): Buffer[] {
  const palette = form.type === 3 ? [PALETTE] : [];
  return [
    pngChunk("IHDR", header(form)),
    ...palette,
    pngChunk("IDAT", deflateSync(rows(form))),
    pngChunk("IEND", Buffer.alloc(0)),
  ];
}

const file = (...chunks: Buffer[]) => Buffer.concat([SIGNATURE, ...chunks]);

const FORMS: Form[] = COLOUR_TYPES.flatMap(([type, samples, depths]) =>
  depths.flatMap((depth) => [false, true].map((interlaced) => ({ type, samples, depth, interlaced }))),
);

const nameOf = ({ type, depth, interlaced }: Form) =>
  `colour type ${type}, ${depth} bits${interlaced ? ", interlaced" : ""}`;

const RGB: Form = { type: 2, samples: 3, depth: 8, interlaced: false };
const [IHDR, IDAT, IEND] = chunksOf(RGB) as [Buffer, Buffer, Buffer];
const pixels = deflateSync(rows(RGB));
const half = pixels.length >> 1;

/** Puts ancillary chunks between the header and the pixels. */
const withAncillary = (...chunks: Buffer[]) => file(IHDR, ...chunks, IDAT, IEND);

/** Files that every decoder must read. */
export const VALID_PNGS: [name: string, bytes: Buffer][] = [
  ...FORMS.map((form): [string, Buffer] => [nameOf(form), file(...chunksOf(form))]),
  ...[1, 2, 3, 7, 9, 33].map((side): [string, Buffer] => [
    `${side} × ${side} pixels, interlaced`,
    file(...chunksOf({ ...RGB, interlaced: true, width: side, height: side })),
  ]),
  ["pixels in many chunks", file(IHDR, ...Array.from(pixels, (byte) => pngChunk("IDAT", Buffer.of(byte))), IEND)],
  ["an empty chunk of pixels", file(IHDR, pngChunk("IDAT", Buffer.alloc(0)), IDAT, IEND)],
  ["pixels that are not compressed", file(IHDR, pngChunk("IDAT", deflateSync(rows(RGB), { level: 0 })), IEND)],
  ["a gamma", withAncillary(pngChunk("gAMA", Buffer.from("0000b18f", "hex")))],
  ["a background", withAncillary(pngChunk("bKGD", Buffer.alloc(6)))],
  ["a transparent colour", withAncillary(pngChunk("tRNS", Buffer.alloc(6)))],
  ["a physical size", withAncillary(pngChunk("pHYs", Buffer.from("00000b1300000b1301", "hex")))],
  ["a time", withAncillary(pngChunk("tIME", Buffer.from("07d001010c2238", "hex")))],
  ["a text", withAncillary(pngChunk("tEXt", Buffer.from("Title\0x")))],
  ["significant bits", withAncillary(pngChunk("sBIT", Buffer.of(8, 8, 8)))],
  ["an unknown ancillary chunk", withAncillary(pngChunk("abCd", Buffer.from("x")))],
];

/** Changes the check sum of a chunk. */
function withBadChecksum(chunk: Buffer): Buffer {
  const copy = Buffer.from(chunk);
  copy.writeUInt32BE((crc32(copy.subarray(4, -4)) ^ 1) >>> 0, copy.length - 4);
  return copy;
}

const headed = (form: Partial<Form>) => file(pngChunk("IHDR", header({ ...RGB, ...form })), IDAT, IEND);

/** Files that a decoder must not take for a picture. */
export const BROKEN_PNGS: [name: string, bytes: Buffer][] = [
  ["a signature without its first byte", file(IHDR, IDAT, IEND).subarray(1)],
  ["a signature whose line end was converted", Buffer.concat([Buffer.from("89504e470a1a0a", "hex"), IHDR, IDAT, IEND])],
  ["a signature alone", SIGNATURE],
  ["a header alone", file(IHDR)],
  ["no pixels", file(IHDR, IEND)],
  ["a wrong check sum of the header", file(withBadChecksum(IHDR), IDAT, IEND)],
  ["a wrong check sum of the pixels", file(IHDR, withBadChecksum(IDAT), IEND)],
  ["a wrong check sum of a text", withAncillary(withBadChecksum(pngChunk("tEXt", Buffer.from("Title\0x"))))],
  ["no width", headed({ width: 0 })],
  ["no height", headed({ height: 0 })],
  ["a width of 2^31", headed({ width: 2 ** 31 })],
  ["more pixels than any picture", headed({ width: 60_000, height: 60_000 })],
  ["colour type 1", headed({ type: 1 })],
  ["colour type 9", headed({ type: 9 })],
  ["99 bits", headed({ depth: 99 })],
  ["3 bits", headed({ type: 0, samples: 1, depth: 3 })],
  ["16 bits with a palette", headed({ type: 3, samples: 1, depth: 16 })],
  [
    "a palette colour type without a palette",
    file(...chunksOf({ ...RGB, type: 3, samples: 1 }).filter((chunk) => chunk !== PALETTE)),
  ],
  ["pixels that end early", file(IHDR, pngChunk("IDAT", pixels.subarray(0, half)), IEND)],
  ["a file that ends in the pixels", file(IHDR, IDAT).subarray(0, 60)],
  ["pixels that are no zlib stream", file(IHDR, pngChunk("IDAT", Buffer.from("hello world")), IEND)],
  ["a length beyond the file", file(IHDR, Buffer.from("7fffffff49444154", "hex"), IDAT, IEND)],
];
