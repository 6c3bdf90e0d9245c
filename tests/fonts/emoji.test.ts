import sharp from "sharp";
import { afterAll, expect, test } from "vitest";
import { renderPicture, shutDown } from "#lib/render/render.ts";
import { compileRegistry } from "#lib/templates/build-registry.ts";
import { composeDocument } from "#lib/templates/compose.ts";
import { compileCard } from "../templates/card.ts";
import { manifestWith, templatesRoot, writeTemplate } from "../templates/template-folder.ts";

afterAll(() => shutDown());

const CELL_PX = 32;
const CELLS_A_ROW = 48;

const UNICODE = Array.from({ length: 0x1fb00 }, (_, point) => String.fromCodePoint(point));
const EMOJI = UNICODE.filter((character) => /\p{Emoji_Presentation}/u.test(character));
const TEXT = UNICODE.filter((character) => /(?!\p{Emoji_Presentation})\p{Emoji}/u.test(character));

const FLAGS = ["🇫🇷", "🇺🇳", "🏴󠁧󠁢󠁥󠁮󠁧󠁿"];
const SKIN_TONES = ["👍🏽", "✌🏽", "☝🏿", "⛹🏽‍♀️"];
const JOINED = ["👩‍🚀", "👨‍👩‍👧‍👦", "🏳️‍🌈", "🏴‍☠️", "👁️‍🗨️", "❤️‍🔥", "🐈‍⬛", "🧑🏽‍🤝‍🧑🏻"];
const KEYCAPS = [..."#*0123456789"].map((character) => `${character}\ufe0f\u20e3`);
const SEQUENCES = [...FLAGS, ...SKIN_TONES, ...JOINED, ...KEYCAPS];

const asEmoji = (character: string) => `${character}\ufe0f`;
const asText = (character: string) => `${character}\ufe0e`;

/** Some emoji that a symbol family has too. */
const BOTH = [..."🌍⚡⭐👍⌚♈🔒🕐"];

type Look = "emoji" | "text" | "nothing";

/** Text is magenta on white, so any other colour belongs to an emoji. */
function lookOf(cell: Buffer): Look {
  let hasInk = false;
  for (let at = 0; at < cell.length; at += 3) {
    const [red = 0, green = 0, blue = 0] = cell.subarray(at, at + 3);
    if (Math.min(red, blue) < 250) return "emoji";
    hasInk ||= green < 128;
  }
  return hasInk ? "text" : "nothing";
}

type Styled = { css?: string; style?: string };

/** Renders each character in an element of its own, and tells how each looks. */
async function looks(characters: string[], { css = "", style = "" }: Styled): Promise<Map<string, Look>> {
  const [width, height] = [CELLS_A_ROW * CELL_PX, Math.ceil(characters.length / CELLS_A_ROW) * CELL_PX];
  const fields = { title: { type: "text", label: "Title" } };
  const template = await compileCard({
    "template.json": manifestWith(fields, { width, height: Math.max(height, 2 * CELL_PX) }),
    "style.css": `h1 { display: none } main { color: #f0f; font-size: 20px; line-height: ${CELL_PX}px }
i { float: left; width: ${CELL_PX}px; height: ${CELL_PX}px; overflow: hidden; text-align: center; font-style: normal } ${css}`,
    "template.html": `<h1>{{ title }}</h1><main>${characters.map((text) => `<i style="${style}">${text}</i>`).join("")}</main>`,
  });
  const picture = sharp((await renderPicture(composeDocument(template, { title: null }))).png).removeAlpha();
  const pixels = await picture.raw().toBuffer();
  const lookAt = (index: number) => {
    const [left, top] = [(index % CELLS_A_ROW) * CELL_PX, Math.floor(index / CELLS_A_ROW) * CELL_PX];
    const rows = Array.from({ length: CELL_PX }, (_, row) => ((top + row) * width + left) * 3);
    return lookOf(Buffer.concat(rows.map((start) => pixels.subarray(start, start + CELL_PX * 3))));
  };
  return new Map(characters.map((text, index) => [text, lookAt(index)]));
}

const FAMILIES: [where: string, styled: Styled][] = [
  ["the body's own families", {}],
  ["a display family before a generic one", { css: 'i { font-family: "Inter", serif }' }],
  ["a display family alone", { css: 'i { font-family: "Anton" }' }],
  ["a family that has some emoji itself", { css: 'i { font-family: "Noto Sans JP", sans-serif }' }],
  ["a generic family that has some itself", { css: "i { font-family: monospace }" }],
];

test.each(FAMILIES)("in %s, every character has its default presentation of Unicode", async (_, styled) => {
  const emoji = [...EMOJI, ...SEQUENCES, ...TEXT.map(asEmoji)];
  const text = [...TEXT, ...BOTH.map(asText)];
  const drawn = await looks([...emoji, ...text], styled);
  expect(emoji.length).toBeGreaterThan(1_400);
  expect(emoji.filter((character) => drawn.get(character) !== "emoji")).toEqual([]);
  expect(text.filter((character) => drawn.get(character) !== "text")).toEqual([]);
});

const RESETTING: [what: string, styled: Styled][] = [
  ["font", { css: `i { font: 20px/${CELL_PX}px monospace }` }],
  ["an important font", { css: `i { font: 20px/${CELL_PX}px monospace !important }` }],
  ["font-variant", { css: "i { font-variant: small-caps }" }],
  [
    "all",
    {
      css: "i { all: initial !important; font-family: monospace !important; display: inline-block !important; width: 32px !important; color: #f0f !important }",
    },
  ],
  ["the first letter's font", { css: `i::first-letter { font: 20px/${CELL_PX}px monospace }` }],
  ["a style attribute", { style: `font: 20px/${CELL_PX}px 'JetBrains Mono', 'Noto Sans Symbols 2'` }],
];

test.each(RESETTING)("%s does not change the presentation of characters", async (_, styled) => {
  const drawn = await looks([...BOTH, "♥", "✔"], styled);
  expect([...drawn].filter(([, look]) => look === "text").map(([character]) => character)).toEqual(["♥", "✔"]);
  expect([...drawn.values()]).not.toContain("nothing");
});

test("a style sheet with font-variant-emoji is refused, because it would affect other templates", async () => {
  const root = templatesRoot();
  writeTemplate(root, "card", { "style.css": "h1 {\n  font-variant-emoji: text;\n}" });
  const { faults } = await compileRegistry(root);
  expect(faults).toMatchObject([{ line: 2, reason: expect.stringContaining("font-variant-emoji") }]);
});

test.each([
  "font-variant-emoji:text",
  "color: red; FONT-VARIANT-EMOJI : text !important",
  "font: 20px 'Inter' ! important",
  "color:red;all:initial!important",
  "font-variant: small-caps !important",
])("a style attribute that changes the presentation is refused: %s", async (style) => {
  const root = templatesRoot();
  writeTemplate(root, "card", { "template.html": `<h1 style="${style}">{{ title }}</h1>` });
  const { faults } = await compileRegistry(root);
  expect(faults).toMatchObject([{ file: "template.html", reason: expect.stringContaining("font-variant-emoji") }]);
});

test.each([
  "font: 20px 'Inter'",
  "font-size: 20px !important",
  "--all: 1",
  "color: red !important; font: 20px 'Inter'",
])("a style attribute that does not change the presentation is accepted: %s", async (style) => {
  const root = templatesRoot();
  writeTemplate(root, "card", { "template.html": `<h1 style="${style}">{{ title }}</h1>` });
  expect((await compileRegistry(root)).faults).toEqual([]);
});
