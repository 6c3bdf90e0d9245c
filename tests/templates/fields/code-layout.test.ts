import { expect, it } from "vitest";
import { type CodeRoom, layOutCode } from "#lib/templates/drawings/code-layout.ts";

const ROOM: CodeRoom = {
  width: 240,
  height: 4_000,
  size: 20,
  minSize: 20,
  leading: 1,
  long: "wrap",
  hasNumbers: false,
};

/** The rows of a single line, as texts. */
function rowsOf(text: string, room: Partial<CodeRoom> = {}): string[] {
  const { rows } = layOutCode([{ number: 1, marked: false, tokens: [{ text, kind: "plain" }] }], { ...ROOM, ...room });
  return rows.map(({ tokens }) => tokens.map((token) => token.text).join(""));
}

it("breaks a line after a space or a sign that is near the end of a row", () => {
  expect(rowsOf("const total = prices.reduce((sum, price)")).toEqual([
    "const total = ",
    "prices.reduce((",
    "sum, price)",
  ]);
});

it("fills rows with the characters of a grapheme that is longer than a row", () => {
  // Each of these signs belongs to the grapheme of the next one (GB9b of Unicode Standard Annex 29).
  const rows = rowsOf("\u0600".repeat(1_200));
  expect(rows.join("")).toHaveLength(1_200);
  expect(rows.length).toBeLessThan(1_200 / 9);
});

it("breaks within no character, and within a grapheme only where it has no room", () => {
  const family = "👨‍👩‍👧‍👦";
  expect(rowsOf(family.repeat(5)).every((row) => row.isWellFormed())).toBe(true);
  expect(rowsOf("e\u0301".repeat(40))).toEqual(["e\u0301".repeat(20), "e\u0301".repeat(18), "e\u0301".repeat(2)]);
  expect(rowsOf(family.repeat(9), { long: "cut" })[0]?.isWellFormed()).toBe(true);
});

it.each(["👨‍👩‍👧‍👦", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "❤️‍🔥", "❤‍🔥"])("breaks within no %s", (emoji) => {
  const rows = rowsOf(emoji.repeat(30));
  expect(rows.length).toBeGreaterThan(1);
  expect(rows.map((row) => row.replaceAll(emoji, ""))).toEqual(rows.map(() => ""));
});

it.each(["😀", "⚠️", "1️⃣", "🇪🇸", "👍🏽", "👨‍👩‍👧‍👦", "❤‍🔥"])("counts %s as wide as it is drawn", (emoji) => {
  // A row of 20 characters is 240 px wide, and an emoji of 20 px is 24.9 px wide.
  expect(rowsOf(emoji.repeat(20))[0]).toBe(emoji.repeat(9));
});
