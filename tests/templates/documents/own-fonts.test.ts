import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { drawTemplate } from "#lib/render/draw-template.ts";
import { shutDown } from "#lib/render/render.ts";
import { prepareMachine } from "#tests/render/rig.ts";
import { compileCard } from "../card.ts";

beforeAll(prepareMachine);
afterAll(() => shutDown());

const ANTON = readFileSync("node_modules/@expo-google-fonts/anton/400Regular/Anton_400Regular.ttf");

/** The font with other characters: those of one span, in glyphs that it has. */
function withSpan(first: number, last: number): Buffer {
  const [font, cmap] = [Buffer.from(ANTON), Buffer.alloc(40)];
  cmap.writeUInt16BE(1, 2);
  cmap.writeUInt16BE(3, 4);
  cmap.writeUInt16BE(10, 6);
  cmap.writeUInt32BE(12, 8);
  cmap.writeUInt16BE(12, 12);
  for (const [index, value] of [28, 0, 1, first, last, 1].entries()) cmap.writeUInt32BE(value, 16 + index * 4);
  const entries = Array.from({ length: font.readUInt16BE(4) }, (_, index) => 12 + index * 16);
  const entry = entries.find((at) => font.toString("latin1", at, at + 4) === "cmap") ?? expect.fail("no cmap");
  font.writeUInt32BE(font.length, entry + 8);
  font.writeUInt32BE(cmap.length, entry + 12);
  return Buffer.concat([font, cmap]);
}

const HEAD = '@font-face { font-family: "Head"; src: url("assets/head.ttf"); }\n';
const TITLE = 'h1 { margin: 0; font: 400 60px "Head", sans-serif; }\n';
const files = { "content.json": JSON.stringify({ plain: { title: "Łódź" } }), "assets/head.ttf": withSpan(0x20, 0x7e) };

async function draw(given: Record<string, string | Buffer>): Promise<Buffer> {
  const template = await compileCard({ ...files, ...given });
  return (await drawTemplate({ template, variant: "plain", data: {} }, { timings: {} })).png;
}

test("a word is drawn in one face where another font of the template has the letters that its own font lacks", async () => {
  const alone = await draw({ "style.css": HEAD + TITLE });
  const other = '@font-face { font-family: "Body"; src: url("assets/body.ttf"); }\n';
  const beside = await draw({ "style.css": HEAD + other + TITLE, "assets/body.ttf": ANTON });
  expect(beside).toEqual(alone);
});

test("a family has the characters of all its files", async () => {
  const { fonts } = await compileCard({
    ...files,
    "style.css": `${HEAD}@font-face { font-family: "Head"; src: url("./assets/more.ttf"); unicode-range: U+100-17F; }\n${TITLE}`,
    "assets/more.ttf": withSpan(0x100, 0x17f),
  });
  expect(fonts.own).toEqual({ Head: { glyphs: [0x20, 0x7e, 0x100, 0x17f] } });
});
