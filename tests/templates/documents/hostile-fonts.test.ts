import { readFileSync } from "node:fs";
import { brotliCompressSync, constants } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { drawTemplate } from "#lib/render/draw-template.ts";
import { shutDown } from "#lib/render/render.ts";
import { prepareMachine } from "#tests/render/rig.ts";
import { compileCard } from "../card.ts";
import { faultsOf } from "../faults/faults-of.ts";

const TRUE_TYPE = readFileSync("node_modules/@expo-google-fonts/anton/400Regular/Anton_400Regular.ttf");

beforeAll(prepareMachine);
afterAll(() => shutDown());

const STYLE = '@font-face { font-family: "Own"; src: url("assets/own.ttf"); }\nh1 { font: 400 80px "Own"; }\n';
const cardWith = (font: Buffer) => ({ "assets/own.ttf": font, "style.css": STYLE });

async function draw(font: Buffer): Promise<Buffer> {
  const template = await compileCard(cardWith(font));
  return (await drawTemplate({ template, variant: "plain", data: {} }, { timings: {} })).png;
}

const glyphsOf = async (font: Buffer) => (await compileCard(cardWith(font))).glyphs;

/** Where the entries of a font's tables are in its directory. */
const entriesOf = (font: Buffer) => Array.from({ length: font.readUInt16BE(4) }, (_, index) => 12 + index * 16);

/** A collection of fonts of which all but the first are the second one. */
function collectionOf(first: Buffer, second: Buffer, faces: number): Buffer {
  const head = Buffer.alloc(12 + faces * 4);
  head.write("ttcf", "latin1");
  head.writeUInt32BE(0x00010000, 4);
  head.writeUInt32BE(faces, 8);
  const starts = [head.length, head.length + first.length];
  for (let index = 0; index < faces; index++) head.writeUInt32BE(starts[Math.min(index, 1)] ?? 0, 12 + index * 4);
  const moved = [first, second].map((font, index) => {
    const face = Buffer.from(font);
    for (const at of entriesOf(face)) face.writeUInt32BE(face.readUInt32BE(at + 8) + (starts[index] ?? 0), at + 8);
    return face;
  });
  return Buffer.concat([head, ...moved]);
}

/** The head of a table `cmap` with one subtable, of Unicode. */
const CMAP_HEAD = Buffer.from([0, 0, 0, 1, 0, 3, 0, 10, 0, 0, 0, 12]);

/** The font with another table `cmap`, which has one subtable. */
function withCharacters(subtable: Buffer): Buffer {
  const font = Buffer.concat([TRUE_TYPE, CMAP_HEAD, subtable]);
  const entry = entriesOf(font).find((at) => font.toString("latin1", at, at + 4) === "cmap") ?? expect.fail("no cmap");
  font.writeUInt32BE(TRUE_TYPE.length, entry + 8);
  font.writeUInt32BE(font.length - TRUE_TYPE.length, entry + 12);
  return font;
}

/** Numbers of 32 bits, the format first. */
function numbers(format: number, ...rest: number[]): Buffer {
  const table = Buffer.alloc(4 + rest.length * 4);
  table.writeUInt16BE(format);
  for (const [index, value] of rest.entries()) table.writeUInt32BE(value, 4 + index * 4);
  return table;
}

/** A table `cmap` with the letter A. */
const CMAP = Buffer.concat([CMAP_HEAD, numbers(12, 28, 0, 1, 0x41, 0x41, 1)]);

/** A number of up to 35 bits, as WOFF2 writes it. */
const base128 = (value: number) =>
  Array.from({ length: 5 }, (_, at) => (Math.floor(value / 128 ** (4 - at)) % 128) | (at < 4 ? 0x80 : 0));

/** WOFF2 with a list of characters, and a table of so many zeros. */
function woff2Of(cmap: Buffer, zeros: number): Buffer {
  const tables = Buffer.concat([cmap, Buffer.alloc(zeros)]);
  const packed = brotliCompressSync(tables, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } });
  const directory = Buffer.from([0, ...base128(cmap.length), 1, ...base128(zeros)]);
  const head = Buffer.alloc(48);
  head.write("wOF2", "latin1");
  head.writeUInt32BE(head.length + directory.length + packed.length, 8);
  head.writeUInt16BE(2, 12);
  head.writeUInt32BE(packed.length, 20);
  return Buffer.concat([head, directory, packed]);
}

test("of a collection, which may have any number of faces, only the first is read, because only that one is drawn", async () => {
  const other = withCharacters(numbers(12, 0, 0, 1, 0x900, 0x901, 1));
  expect(await glyphsOf(collectionOf(TRUE_TYPE, other, 20_000))).toEqual(await glyphsOf(TRUE_TYPE));
  const [alone, collected] = await Promise.all([TRUE_TYPE, collectionOf(TRUE_TYPE, other, 3)].map(draw));
  expect(collected).toEqual(alone);
});

test("a font that names two hundred million characters, most of them again and again, is read", async () => {
  const group = [0x20, 0x20 + 100_000, 1];
  const table = numbers(12, 0, 0, 2_000, ...Array.from({ length: 2_000 }, () => group).flat());
  expect(await glyphsOf(withCharacters(table))).toEqual([0x20, 0x20 + 100_000]);
});

test("characters that Unicode does not have are none", async () => {
  expect(await glyphsOf(withCharacters(numbers(12, 0, 0, 1, 0x41, 0xffff_fffe, 1)))).toEqual([0x41, 0x10ffff]);
  expect(await glyphsOf(withCharacters(numbers(12, 0, 0, 1, 0x11_0000, 0xffff_fffe, 1)))).toEqual([]);
});

test("a list of characters that is said to be longer than its file is a fault", async () => {
  const [fault] = await faultsOf(cardWith(withCharacters(numbers(12, 0, 0, 0xffff_ffff, 0x41, 0x42, 1))));
  expect(fault).toMatch(/own\.ttf:1 The font cannot be read/);
});

test("a small font that unpacks to more than a font has is a fault", async () => {
  expect(await glyphsOf(woff2Of(CMAP, 1_000))).toEqual([0x41, 0x41]);
  const font = woff2Of(CMAP, 70_000_000);
  expect(font.length).toBeLessThan(20_000);
  expect(await faultsOf(cardWith(font))).toEqual([
    "social/faulty/assets/own.ttf:1 The font cannot be read, want TrueType, OpenType or WOFF2.",
  ]);
});

test("a small font whose list of characters unpacks to millions of groups is a fault", async () => {
  const listOf = (groups: number) =>
    woff2Of(Buffer.concat([CMAP_HEAD, numbers(12, 0, 0, groups), Buffer.alloc(groups * 12)]), 0);
  expect(await glyphsOf(listOf(100_000))).toEqual([0, 0]);
  const font = listOf(5_000_000);
  expect(font.length).toBeLessThan(20_000);
  expect(await faultsOf(cardWith(font))).toEqual([
    "social/faulty/assets/own.ttf:1 The font cannot be read, want TrueType, OpenType or WOFF2.",
  ]);
});
