import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { drawTemplate } from "#lib/render/draw-template.ts";
import { shutDown } from "#lib/render/render.ts";
import { prepareMachine } from "#tests/render/rig.ts";
import { compileCard } from "../card.ts";
import { faultsOf } from "./faults-of.ts";

beforeAll(prepareMachine);
afterAll(() => shutDown());

const ANTON = readFileSync("node_modules/@expo-google-fonts/anton/400Regular/Anton_400Regular.ttf");
const FILE = 'url("assets/own.ttf")';

const filesWith = (descriptors: string) => ({
  "assets/own.ttf": ANTON,
  "style.css": `@font-face { font-family: "Own"; ${descriptors} }\nh1 { font: 400 40px "Own", serif; }\n`,
});

async function draw(descriptors: string): Promise<Buffer> {
  const template = await compileCard(filesWith(descriptors));
  return (await drawTemplate({ template, variant: "plain", data: {} }, { timings: {} })).png;
}

const unknown = (format: string) =>
  `Got ${format}, which the browser does not know, want format("truetype"), format("opentype") or format("woff2").`;

test.each([
  [`src: ${FILE} format("ttf");`, unknown('format("ttf")')],
  [`src: ${FILE} format(embedded-opentype), ${FILE} format("svg");`, unknown("format(embedded-opentype)")],
  [`src: ${FILE} format(truetype-variations);`, unknown("format(truetype-variations)")],
  [`src: ${FILE} format("opentype", "truetype");`, unknown('format("opentype", "truetype")')],
  [`src: ${FILE} format();`, unknown("format()")],
  [
    `src: ${FILE} format("truetype") tech("variations");`,
    'Got tech("variations"), want tech(variations) without quotes.',
  ],
  ["font-weight: 400;", "Got an @font-face without src, want a file such as url(assets/own.woff2)."],
])("an @font-face that the browser ignores is a fault: %s", async (descriptors, reason) => {
  expect(await faultsOf(filesWith(descriptors))).toEqual([`social/faulty/style.css:1 ${reason}`]);
});

test("one source that the browser knows is enough, and the font is drawn", async () => {
  const wanted = await draw(`src: ${FILE};`);
  for (const source of [
    `src: ${FILE} format("TrueType");`,
    `src: ${FILE} format(truetype) tech(variations);`,
    `src: ${FILE} format("truetype-variations");`,
    `src: ${FILE} format("collection");`,
    `src: ${FILE} format("eot"), ${FILE} format("woff2");`,
    `src: ${FILE}; src: ${FILE} format("eot");`,
  ])
    expect(await draw(source), source).toEqual(wanted);
});
