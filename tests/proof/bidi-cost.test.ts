import { expect, it } from "vitest";
import { bidiFaults } from "#lib/proof/oracle/bidi-faults.ts";
import type { ExaminedPage } from "#lib/proof/page/examine.ts";
import type { Glyph, TextUnit } from "#lib/proof/page/text-unit.ts";

const WIDTH = 10;

/** Texts of one line, whose glyphs count how often their characters are looked at. */
function countingPage(texts: string[]): { page: ExaminedPage; looks: () => number } {
  let looks = 0;
  const glyphOf = (text: string, at: number): Glyph => ({
    at,
    get text() {
      looks++;
      return text;
    },
    box: { left: at * WIDTH, top: 0, right: (at + 1) * WIDTH, bottom: WIDTH },
    line: 0,
  });
  const units = texts.map(
    (text, id): TextUnit => ({
      id,
      field: "items.name",
      text,
      nodes: 1,
      direction: "ltr",
      isVertical: false,
      fontSize: WIDTH,
      fontWeight: 400,
      isCutOut: false,
      box: { left: 0, top: 0, right: text.length * WIDTH, bottom: WIDTH },
      glyphs: Array.from(text, glyphOf),
    }),
  );
  const none = { width: 1, height: 1, data: Buffer.alloc(4) };
  const page = { units, strips: [], faces: { units: new Map(), words: [] }, picture: none, ground: none };
  return { page: page as ExaminedPage, looks: () => looks };
}

/** To read a glyph, to find it twice, and to put it in order. */
const LOOKS = 8;

const ITEMS = 100;
const LENGTH = 60;

it("many values are looked for without reading each text again for each of them", () => {
  const { page, looks } = countingPage(Array.from({ length: ITEMS }, () => "a".repeat(LENGTH)));
  bidiFaults(
    page,
    Array.from({ length: ITEMS }, (_, index) => `${"a".repeat(LENGTH / 2)}${index}`),
  );
  expect(looks()).toBeLessThanOrEqual(LOOKS * ITEMS * LENGTH);
});

it("a value that many items have is judged once in each of their texts", () => {
  const name = "א".repeat(LENGTH);
  const { page, looks } = countingPage(Array.from({ length: ITEMS }, () => name));
  expect(
    bidiFaults(
      page,
      Array.from({ length: ITEMS }, () => name),
    ),
  ).toHaveLength(ITEMS);
  expect(looks()).toBeLessThanOrEqual(LOOKS * ITEMS * LENGTH);
});
