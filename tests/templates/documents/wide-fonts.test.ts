import { readFileSync } from "node:fs";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { drawTemplate } from "#lib/render/draw-template.ts";
import { shutDown } from "#lib/render/render.ts";
import { prepareMachine } from "#tests/render/rig.ts";
import { compileCard } from "../card.ts";

beforeAll(prepareMachine);
afterAll(() => shutDown());

const CHART = { width: 640, height: 200, size: 22 };
const MONTHS = ["January", "February", "March", "April", "May", "June"];

/** Anton with three times the distance between its letters, as wide as Press Start 2P and others. */
function wideFont(): Buffer {
  const font = readFileSync("node_modules/@expo-google-fonts/anton/400Regular/Anton_400Regular.ttf");
  const startOf = (table: string) => {
    const entries = Array.from({ length: font.readUInt16BE(4) }, (_, index) => 12 + index * 16);
    const entry = entries.find((at) => font.toString("latin1", at, at + 4) === table) ?? expect.fail(`no ${table}`);
    return font.readUInt32BE(entry + 8);
  };
  const glyphs = font.readUInt16BE(startOf("hhea") + 34);
  for (let at = startOf("hmtx"), end = at + glyphs * 4; at < end; at += 4)
    font.writeUInt16BE(font.readUInt16BE(at) * 3, at);
  return font;
}

const OWN = '@font-face { font-family: "Own"; src: url("assets/own.ttf"); }\n';

type Part = { rows: [top: number, bottom: number]; mostGrey: number };

/** Draws a chart alone, and returns whether each of its columns has ink of this darkness in these rows. */
async function inkOf(filter: string, style: string, { rows: [top, bottom], mostGrey }: Part): Promise<boolean[]> {
  const { width, height, size } = CHART;
  const figures = MONTHS.map((label, index) => ({ label, value: 12_000 + 1_000 * index }));
  const template = await compileCard({
    "template.json": JSON.stringify({
      title: "Chart",
      description: "A chart alone.",
      width,
      height,
      defaultVariant: "plain",
      fields: { figures: { type: "series", label: "Figures" } },
    }),
    "content.json": JSON.stringify({ plain: { figures } }),
    "template.html": `<main>{% if figures %}{{ figures | ${filter}: width: ${width}, height: ${height}, size: ${size} }}{% endif %}</main>`,
    "style.css": `${style.includes('"Own"') ? OWN : ""}main { background: #fff; ${style} }\nsvg { display: block; }\n`,
    ...(style.includes('"Own"') && { "assets/own.ttf": wideFont() }),
  });
  const { png } = await drawTemplate({ template, variant: "plain", data: {} }, { timings: {} });
  const pixels = await sharp(png).greyscale().raw().toBuffer();
  return Array.from({ length: width }, (_, x) =>
    Array.from({ length: bottom - top }, (_, row) => pixels[(top + row) * width + x] ?? 0).some(
      (grey) => grey < mostGrey,
    ),
  );
}

test.each([
  [
    "in capitals by the style sheet",
    'font: 800 16px "Inter", sans-serif; text-transform: uppercase; letter-spacing: 0.06em',
  ],
  ["with wide spaces between letters", 'font-family: "Inter", sans-serif; letter-spacing: 0.3em'],
  ["in a wide font of the template", 'font-family: "Own", sans-serif'],
])("names below bars stay apart: %s", async (_, style) => {
  const isInk = await inkOf("bar_chart", `${style};`, { rows: [174, CHART.height], mostGrey: 200 });
  const pitch = CHART.width / (MONTHS.length - 0.28);
  const between = MONTHS.slice(1).map((_, index) => Math.round(pitch * (index + 0.36 + 0.5)));
  expect(between.map((x) => isInk.slice(x - 3, x + 4).some(Boolean))).toEqual(MONTHS.slice(1).map(() => false));
  expect(isInk.filter(Boolean).length).toBeGreaterThan(100);
});

test("the total of a donut in a wide font stays within its ring", async () => {
  const isBlack = await inkOf("donut_chart", 'font-family: "Own", sans-serif;', { rows: [90, 120], mostGrey: 40 });
  const [first, last] = [isBlack.indexOf(true), isBlack.slice(0, 210).lastIndexOf(true)];
  // The ring is around 100, and its hole has a radius of 58.
  expect(first).toBeGreaterThan(42);
  expect(last).toBeLessThan(158);
  expect(last - first).toBeGreaterThan(60);
});
