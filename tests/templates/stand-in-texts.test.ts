import { expect, it } from "vitest";
import { missingGlyphs } from "#lib/fonts/coverage.ts";
import { withStandIns } from "#lib/templates/lists/stand-in-texts.ts";
import type { Template } from "#lib/templates/template.ts";
import { STAND_IN } from "#lib/type/text/stand-ins.ts";

const text = { type: "text", label: "Text" };
const FIELDS = {
  title: text,
  words: { type: "emphasis", label: "Words" },
  source: { type: "code", label: "Source" },
  points: { type: "series", label: "Points" },
  people: { type: "list", label: "People", item: { name: text } },
  link: { type: "qr", label: "Link" },
};
const template = { fields: FIELDS } as unknown as Template;

/** Characters that no font has: Anatolian hieroglyphs. */
const hieroglyphs = (from: number, count = 100) =>
  Array.from({ length: count }, (_, index) => String.fromCodePoint(0x14400 + from + index)).join("");

const VALUES = {
  title: `Title 漢 ${hieroglyphs(0)}`,
  words: `*Words* ${hieroglyphs(100)}`,
  source: {
    text: hieroglyphs(200),
    language: "text",
    lines: [{ number: 1, marked: false, tokens: [{ text: hieroglyphs(200), kind: "plain" }] }],
  },
  points: { labels: [hieroglyphs(300)], series: [{ name: "Sales", values: [1, null] }] },
  people: { items: [{ name: hieroglyphs(400) }], more: 0 },
  link: hieroglyphs(0),
};

it("has boxes for characters without a glyph in all that a picture shows as text, and nothing else changes", () => {
  const values = withStandIns(template, VALUES);
  const { link, ...shown } = values;
  expect(link).toBe(VALUES.link);
  expect(missingGlyphs(JSON.stringify(shown))).toEqual([]);
  const boxed = JSON.stringify(VALUES).replaceAll(/[\u{14400}-\u{14646}]/gu, STAND_IN);
  expect({ ...values, link: "" }).toEqual({ ...JSON.parse(boxed), link: "" });
});

it("returns the same values where there are few", () => {
  const few = { ...VALUES, title: "Title 漢", words: null, source: null, points: null, people: { items: [], more: 0 } };
  expect(withStandIns(template, few)).toBe(few);
});
