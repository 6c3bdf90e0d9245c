import { readFileSync } from "node:fs";
import { brotliCompressSync } from "node:zlib";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { withTextForms } from "#lib/fonts/color-fonts.ts";
import { readCoverage } from "#lib/fonts/read-coverage.ts";
import { readCmap } from "#lib/fonts/read-table.ts";
import { drawTemplate } from "#lib/render/draw-template.ts";
import { shutDown } from "#lib/render/render.ts";
import { prepareMachine } from "#tests/render/rig.ts";
import { compileCard } from "../card.ts";

beforeAll(prepareMachine);
afterAll(() => shutDown());

const ANTON = readFileSync("node_modules/@expo-google-fonts/anton/400Regular/Anton_400Regular.ttf");

type Tables = Map<string, Buffer>;
type Span = [first: number, last: number];

/** Numbers of 16 bits. */
function words(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 2);
  for (const [index, value] of values.entries()) bytes.writeUInt16BE(value, index * 2);
  return bytes;
}

/** A table `cmap` of spans of characters, which have the glyphs from 1 on. */
function cmapOf(spans: Span[]): Buffer {
  let glyph = 1;
  const groups = spans.flatMap(([first, last]) => {
    const group = [0, first, 0, last, 0, glyph];
    glyph += last - first + 1;
    return group;
  });
  return words(0, 1, 3, 10, 0, 12, 12, 0, 0, 16 + groups.length * 2, 0, 0, 0, spans.length, ...groups);
}

/** The tables of a font of these characters, whose first 200 glyphs are pure red. */
function redTables(...spans: Span[]): Tables {
  const entries = Array.from({ length: ANTON.readUInt16BE(4) }, (_, index) => 12 + index * 16);
  const tables: Tables = new Map(
    entries.map((at) => {
      const start = ANTON.readUInt32BE(at + 8);
      return [ANTON.toString("latin1", at, at + 4), ANTON.subarray(start, start + ANTON.readUInt32BE(at + 12))];
    }),
  );
  const glyphs = Array.from({ length: 200 }, (_, glyph) => glyph);
  const bases = glyphs.flatMap((glyph) => [glyph, glyph, 1]);
  const layers = glyphs.flatMap((glyph) => [glyph, 0]);
  tables.set("COLR", words(0, 200, 0, 14, 0, 14 + bases.length * 2, 200, ...bases, ...layers));
  tables.set("CPAL", words(0, 1, 1, 1, 0, 14, 0, 0x0000, 0xffff));
  tables.set("cmap", cmapOf(spans));
  return new Map([...tables].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

const padded = (table: Buffer) => Buffer.concat([table, Buffer.alloc(-table.length & 3)]);

/** A TrueType file. Its length is odd. */
function trueTypeOf(tables: Tables): Buffer {
  const head = Buffer.alloc(12 + tables.size * 16);
  ANTON.copy(head, 0, 0, 12);
  head.writeUInt16BE(tables.size, 4);
  let end = head.length;
  for (const [index, [tag, table]] of [...tables].entries()) {
    head.write(tag, 12 + index * 16, "latin1");
    head.writeUInt32BE(end, 12 + index * 16 + 8);
    head.writeUInt32BE(table.length, 12 + index * 16 + 12);
    end += padded(table).length;
  }
  return Buffer.concat([head, ...[...tables.values()].map(padded), Buffer.alloc(1)]);
}

/** WOFF2 with its tables as they are, and with private data at its end. */
function woff2Of(tables: Tables): Buffer {
  const directory = [...tables].map(([tag, { length }]) => {
    const isOutlines = tag === "glyf" || tag === "loca";
    const size = [0x80 | (length >> 21), 0x80 | (length >> 14), 0x80 | (length >> 7), length & 0x7f];
    while (size[0] === 0x80) size.shift();
    const name = tag === "COLR" ? [34] : [isOutlines ? 0xff : 0x3f, ...Buffer.from(tag, "latin1")];
    return Buffer.from([...name, ...size]);
  });
  const [entries, packed] = [Buffer.concat(directory), brotliCompressSync(Buffer.concat([...tables.values()]))];
  const own = Buffer.from("note");
  const [head, body] = [Buffer.alloc(48), padded(Buffer.concat([Buffer.alloc(48), entries, packed]))];
  head.write("wOF2", "latin1");
  head.writeUInt32BE(0x00010000, 4);
  head.writeUInt32BE(body.length + own.length, 8);
  head.writeUInt16BE(tables.size, 12);
  head.writeUInt32BE(trueTypeOf(tables).length, 16);
  head.writeUInt32BE(packed.length, 20);
  head.writeUInt32BE(body.length, 40);
  head.writeUInt32BE(own.length, 44);
  head.copy(body);
  return Buffer.concat([body, own]);
}

/** Draws a title in a font, and tells whether it has pure red and black. */
async function draw(font: Buffer, title: string) {
  const template = await compileCard({
    "assets/own.ttf": font,
    "style.css": `@font-face { font-family: "Own"; src: url("assets/own.ttf"); }\nh1 { margin: 0; font: 400 60px "Own", serif; }\n`,
  });
  const { png } = await drawTemplate({ template, variant: "plain", data: { title } }, { timings: {} });
  const pixels = await sharp(png).removeAlpha().raw().toBuffer();
  let [red, black] = [0, 0];
  for (let at = 0; at < pixels.length; at += 3) {
    const [r = 0, g = 0] = pixels.subarray(at, at + 2);
    if (r > 250 && g < 5) red++;
    if (r < 5 && g < 5) black++;
  }
  return { red: red > 0, black: black > 0, png };
}

const RED = { red: true, black: false };
const BLACK = { red: false, black: true };

const ASCII: Span = [0x20, 0x7e];
const TEXT_FONT = redTables(ASCII, [0xa9, 0xae], [0x2122, 0x2122], [0x2665, 0x2665]);

test.each(["2026", "#", "*", "A 1", "\u{a9}", "\u{ae}", "\u{2122}"])("a font in colour draws %s", async (title) => {
  const [trueType, woff2] = [await draw(trueTypeOf(TEXT_FONT), title), await draw(woff2Of(TEXT_FONT), title)];
  expect(trueType).toMatchObject(RED);
  expect(woff2.png).toEqual(trueType.png);
});

test("a character that is rather an emoji has its text form, which a font in colour lacks, unless U+FE0F asks for colour", async () => {
  expect(await draw(trueTypeOf(TEXT_FONT), "\u{2665}")).toMatchObject(BLACK);
  expect(await draw(trueTypeOf(TEXT_FONT), "\u{2665}\u{fe0f}")).toMatchObject(RED);
});

test("digits of emoji fonts, which are parts of keycaps, are not drawn", async () => {
  expect(await draw(trueTypeOf(redTables(ASCII, [0x20e3, 0x20e3])), "2026")).toMatchObject(BLACK);
});

test("a font without colours, or with variation sequences, is used as it is", async () => {
  const change = async (font: Buffer) => {
    const cmap = await readCmap(font);
    return withTextForms(font, { cmap, glyphs: readCoverage([cmap]) });
  };
  expect(await change(ANTON)).toBeUndefined();
  const changed = (await change(trueTypeOf(TEXT_FONT))) ?? expect.fail("The font is as it was.");
  expect(await change(changed)).toBeUndefined();
});
