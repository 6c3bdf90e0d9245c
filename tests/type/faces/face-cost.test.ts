import { beforeAll, describe, expect, it } from "vitest";
import { buildFonts } from "#lib/fonts/build.ts";
import type { DocumentFonts } from "#lib/type/faces/document-fonts.ts";
import { buildFaceTable } from "#lib/type/faces/face-table.ts";
import { ScriptRuns } from "#lib/type/faces/script-runs.ts";
import { processorMs } from "#tests/pace.ts";

const FONTS: DocumentFonts = {
  lists: [
    ["Anton", "sans-serif"],
    ["Archivo", "sans-serif"],
    ["Instrument Serif", "serif"],
  ],
  own: {},
};

/** Half a second in practice. What grows with the pairs of letters takes a minute. */
const LIMIT_MS = 10_000;

const MARKS = Array.from({ length: 100 }, (_, index) => String.fromCodePoint(0x300 + index));

/** Letters with two marks each, all of them different. */
const clusters = (count: number) =>
  Array.from({ length: count }, (_, index) => {
    const [letter, one, other] = [index % 20, Math.floor(index / 20) % 100, Math.floor(index / 2_000)];
    return String.fromCodePoint(0x430 + letter) + MARKS[one] + MARKS[other];
  }).join("");

function lettersBetween(first: number, last: number): string {
  const all = Array.from({ length: last - first }, (_, index) => String.fromCodePoint(first + index));
  return all.filter((each) => /\p{L}/u.test(each)).join("");
}

function processorMsOf(act: () => void): number {
  const begun = processorMs();
  act();
  return processorMs() - begun;
}

describe("a document with tens of thousands of different letters", () => {
  beforeAll(() => {
    buildFonts();
  });

  it.each([
    { what: "Han characters", text: lettersBetween(0x4e00, 0x9fff) + lettersBetween(0x20000, 0x22000) },
    { what: "letters with marks", text: clusters(30_000) },
  ])("of $what holds the thread no longer than each letter takes", ({ text }) => {
    const spent = processorMsOf(() => expect(buildFaceTable({ fonts: FONTS, glyphs: undefined, text })).toBeDefined());
    expect(spent).toBeLessThan(LIMIT_MS);
    if (process.env.SHOW_FIGURES) console.log(`${text.length} units: ${spent.toFixed(0)} ms`);
  });

  it("of many scripts names for each companion only letters that it may have to draw", () => {
    const text = lettersBetween(0x370, 0x1_0000);
    const { table } = buildFaceTable({ fonts: FONTS, glyphs: undefined, text }) ?? expect.fail("no table");
    const listed = Object.values(table.lacks).reduce((sum, { characters }) => sum + characters.length, 0);
    expect(Object.keys(table.lacks).length).toBeGreaterThan(100);
    expect(listed / text.length).toBeLessThan(25);
  });

  it("finds the script of a number from the letters around it, however long it is", () => {
    const runs = new ScriptRuns({ Han: "漢" });
    const text = `漢${"1".repeat(30_000)}字`;
    let found: unknown;
    const spent = processorMsOf(() => {
      found = runs.of({ text: `${text}a`, language: "zh", isCode: false });
    });
    expect(found).toEqual([
      { start: 0, end: 1, script: "Han" },
      { start: 1, end: text.length + 1, script: "Latin" },
    ]);
    expect(spent).toBeLessThan(LIMIT_MS);
  });
});
