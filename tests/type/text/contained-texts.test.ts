import { expect, test, vi } from "vitest";
import { containedTexts } from "#lib/type/text/contained-texts.ts";

/** Texts of two letters, of which many contain each other. */
function someTexts(count: number): string[] {
  return Array.from({ length: count }, (_, at) => {
    const bits = ((at * 2_654_435_761) % 65_536).toString(2).replaceAll("0", "a").replaceAll("1", "b");
    return bits.slice(0, 1 + (at % 7));
  });
}

test("the first of the texts that another text contains is found", () => {
  const texts = ["spring", "in", "in the spring", "spring", "the"];
  const contained = containedTexts(texts);
  expect(["late in the spring", "the spring", "of", "spr", "", "into"].map(contained)).toEqual([
    0,
    0,
    undefined,
    undefined,
    undefined,
    1,
  ]);
});

test("texts are found as by comparing each with each", () => {
  for (const count of [1, 3, 20]) {
    const texts = someTexts(count).map((text) => `${text}c`);
    const contained = containedTexts(texts);
    for (const whole of [...someTexts(300), ...texts, "ababc", "ccc", "bbbbabcab"]) {
      const first = texts.findIndex((text) => whole.includes(text));
      expect(contained(whole)).toBe(first < 0 ? undefined : first);
    }
  }
});

test("texts that begin with each other are found as by comparing each with each", () => {
  const texts = Array.from({ length: 40 }, (_, at) => `${"a".repeat(1 + ((at * 7) % 40))}${at % 3 === 0 ? "b" : ""}`);
  const contained = containedTexts(texts.map((text) => `c${text}`));
  for (let length = 0; length < 45; length++)
    for (const end of ["", "b", "c"]) {
      const whole = `ac${"a".repeat(length)}${end}`;
      const first = texts.findIndex((text) => whole.includes(`c${text}`));
      expect(contained(whole)).toBe(first < 0 ? undefined : first);
    }
});

test("hundreds of texts that begin with each other are not tried one after another", () => {
  const contained = containedTexts(Array.from({ length: 300 }, (_, at) => "a".repeat(3 + at)));
  const compared = vi.spyOn(String.prototype, "startsWith");
  expect(contained("aab".repeat(1_000))).toBeUndefined();
  const comparisons = compared.mock.calls.length;
  compared.mockRestore();
  expect(comparisons).toBeLessThan(3_000 * 40);
});

test("thousands of texts are not compared with thousands of others", () => {
  const compared = [vi.spyOn(String.prototype, "startsWith"), vi.spyOn(String.prototype, "includes")];
  const texts = Array.from({ length: 2_000 }, (_, at) => `value ${at}`);
  const contained = containedTexts(texts);
  for (let at = 0; at < 2_000; at++) contained(`- other ${at}`);
  const comparisons = compared.reduce((sum, spy) => sum + spy.mock.calls.length, 0);
  for (const spy of compared) spy.mockRestore();
  expect(comparisons).toBeLessThan(2_000 * 40);
});
