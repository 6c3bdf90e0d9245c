import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { drawTemplate } from "#lib/render/draw-template.ts";
import { shutDown } from "#lib/render/render.ts";
import { compileRegistry } from "#lib/templates/build-registry.ts";
import { prepareMachine } from "#tests/render/rig.ts";
import { compileCard } from "../card.ts";
import { templatesRoot, writeTemplate } from "../template-folder.ts";

const TRUE_TYPE = readFileSync("node_modules/@expo-google-fonts/anton/400Regular/Anton_400Regular.ttf");

beforeAll(prepareMachine);
afterAll(() => shutDown());

const STYLE = '@font-face { font-family: "Own"; src: url("assets/own.ttf"); }\nh1 { font: 400 80px "Own"; }\n';
const cardWith = (font: Buffer, style = STYLE) => ({ "assets/own.ttf": font, "style.css": style });

/** The font with the first bytes of one of its tables overwritten. Its directory stays as it is. */
function withDamaged(table: string): Buffer {
  const font = Buffer.from(TRUE_TYPE);
  const entries = Array.from({ length: font.readUInt16BE(4) }, (_, index) => 12 + index * 16);
  const entry = entries.find((at) => font.toString("latin1", at, at + 4) === table) ?? expect.fail(`no ${table}`);
  const start = font.readUInt32BE(entry + 8);
  return font.fill(0xff, start, start + 64);
}

async function draw(font: Buffer, style?: string) {
  const template = await compileCard(cardWith(font, style));
  return await drawTemplate({ template, variant: "plain", data: {} }, { timings: {} });
}

/** A collection of one face. */
function collectionOf(font: Buffer): Buffer {
  const head = Buffer.alloc(16);
  head.write("ttcf", "latin1");
  head.writeUInt32BE(0x00010000, 4);
  head.writeUInt32BE(1, 8);
  head.writeUInt32BE(head.length, 12);
  const moved = Buffer.from(font);
  for (let index = 0; index < moved.readUInt16BE(4); index++) {
    const at = 12 + index * 16 + 8;
    moved.writeUInt32BE(moved.readUInt32BE(at) + head.length, at);
  }
  return Buffer.concat([head, moved]);
}

test.each([
  ["almost nothing", TRUE_TYPE.subarray(0, 10)],
  ["its first tables only", TRUE_TYPE.subarray(0, 10_000)],
  ["all but its last table's end", TRUE_TYPE.subarray(0, TRUE_TYPE.length - 8)],
  ["a collection without its end", collectionOf(TRUE_TYPE).subarray(0, TRUE_TYPE.length - 8)],
])("a font that is cut short is a fault of its template: %s", async (_, font) => {
  const root = templatesRoot();
  writeTemplate(root, "card", cardWith(font));
  const { templates, faults } = await compileRegistry(root);
  expect(templates).toEqual([]);
  expect(faults).toEqual([expect.objectContaining({ file: "assets/own.ttf", reason: expect.stringMatching(/font/) })]);
});

test.each(["glyf", "maxp", "OS/2"])("a font with a damaged table %s is not replaced silently", async (table) => {
  const message =
    '"card" cannot be drawn in "Own": the browser refuses the font\'s file. Save it again with another program.';
  await expect(draw(withDamaged(table))).rejects.toMatchObject({ code: "render_failed", message });
});

test("a damaged font that nothing is drawn in does no harm, and neither does one with a second source", async () => {
  const unused = `${STYLE}h1 { font-family: serif; }\n`;
  await expect(draw(withDamaged("glyf"), unused)).resolves.toMatchObject({ warnings: [] });
  const second = STYLE.replace('url("assets/own.ttf")', 'url("assets/own.ttf"), local("Anton-Regular")');
  await expect(draw(withDamaged("glyf"), second)).resolves.toMatchObject({ warnings: [] });
});

test("a whole font and a collection are drawn", async () => {
  await expect(draw(TRUE_TYPE)).resolves.toMatchObject({ warnings: [] });
  await expect(draw(collectionOf(TRUE_TYPE))).resolves.toMatchObject({ warnings: [] });
});
