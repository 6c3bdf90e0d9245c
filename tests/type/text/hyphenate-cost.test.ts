import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { loadPackage } from "#lib/load-package.ts";
import { hyphenate } from "#lib/type/text/hyphenate.ts";

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");

function heapBytes(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

/** A word of 26 letters that no other number has. */
function wordOf(number: number): string {
  const digits = number.toString(26).padStart(6, "0");
  const letters = Array.from(digits, (digit) => String.fromCharCode(97 + Number.parseInt(digit, 26)));
  return `internationalizing${letters.join("")}ed`;
}

const WORDS = 100_000;
const WORDS_OF_TEXT = 1_000;

test.each(["en-US", "de"])("ever new words of %s are not kept", (language) => {
  hyphenate(wordOf(WORDS), language, true);
  const before = heapBytes();
  for (let first = 0; first < WORDS; first += WORDS_OF_TEXT) {
    const words = Array.from({ length: WORDS_OF_TEXT }, (_, index) => wordOf(first + index));
    expect(hyphenate(words.join(" "), language, true)).toContain("\u00ad");
  }
  // Of 2.6 million letters, 0.5 million may be kept. All of them are more than 30 MB.
  expect(heapBytes() - before).toBeLessThan(WORDS * 200);
});

test("the dictionary of a language keeps only its own words", () => {
  const dictionary = () => Object.keys(loadPackage<[unknown, unknown, object]>("hyphen/patterns/en-us.js")[2]);
  const before = dictionary();
  hyphenate("extraordinarinesses", "en-US", true);
  expect(dictionary()).toEqual(before);
  expect(before.length).toBeGreaterThan(0);
});

test("the longest words of a language are divided, and those without end are left as they are", () => {
  const divided = (letters: number) => hyphenate("freundschaft".repeat(letters / 12), "de", true);
  expect(divided(300)).toContain("\u00ad");
  expect(divided(49_992)).toBe("freundschaft".repeat(4_166));
});
