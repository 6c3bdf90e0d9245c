import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { drawTemplate } from "#lib/render/draw-template.ts";
import { shutDown } from "#lib/render/render.ts";
import { prepareMachine } from "#tests/render/rig.ts";
import { compileCard } from "../card.ts";

const TRUE_TYPE = readFileSync("node_modules/@expo-google-fonts/anton/400Regular/Anton_400Regular.ttf");

beforeAll(prepareMachine);
afterAll(() => shutDown());

/** Numbers of 16 bits. */
function words(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 2);
  for (const [index, value] of values.entries()) bytes.writeUInt16BE(value, index * 2);
  return bytes;
}

/** A font whose characters from `first` to `last` are listed in one encoding of Windows. */
function fontWith(encoding: number, [first, last]: [first: number, last: number]): Buffer {
  const head = words(0, 1, 3, encoding, 0, 12);
  // Format 4: two segments, the second of which has to be 0xFFFF. The first character has glyph 30.
  const segments = words(last, 0xffff, 0, first, 0xffff, (30 - first) & 0xffff, 1, 0, 0);
  const cmap = Buffer.concat([head, words(4, 32, 0, 4, 4, 1, 0), segments]);
  const font = Buffer.concat([TRUE_TYPE, cmap]);
  const entry = font.indexOf("cmap", 12, "latin1");
  font.writeUInt32BE(TRUE_TYPE.length, entry + 8);
  font.writeUInt32BE(cmap.length, entry + 12);
  return font;
}

const STYLE = '@font-face { font-family: "Own"; src: url("assets/own.ttf"); }\nh1 { font: 400 80px "Own"; }\n';

async function draw(font: Buffer, title: string) {
  const template = await compileCard({ "assets/own.ttf": font, "style.css": STYLE });
  return {
    glyphs: template.glyphs,
    png: (await drawTemplate({ template, variant: "plain", data: { title } }, { timings: {} })).png,
  };
}

test("a symbol font draws its symbols, by their own code points and by letters", async () => {
  const letters = await draw(fontWith(1, [0x20, 0x7e]), "abc");
  const symbols = fontWith(0, [0xf020, 0xf07e]);
  for (const title of ["abc", "\uf061\uf062\uf063"]) {
    const { glyphs, png } = await draw(symbols, title);
    expect(glyphs).toEqual([0x20, 0x7e, 0xf020, 0xf07e, 0xffff, 0xffff]);
    expect(png).toEqual(letters.png);
  }
});
