import { readFileSync } from "node:fs";
import { coverageFile, currentFonts } from "./font-set.ts";

/**
 * The code points that fonts have glyphs for, as ascending runs: first, last, first, last, … The bundled fonts have
 * 58,000 code points in 2,300 runs, which are 20 kB of JSON.
 */
export type Coverage = number[];

/**
 * Characters that are never drawn: joiners, variation selectors, spaces and line ends. The space of Ogham is a line, and HarfBuzz
 * hides the controls of shorthand (U+1BCA0 to U+1BCA3) in no font.
 */
const DRAWS_NOTHING = /^(?![\u1680\u{1bca0}-\u{1bca3}])[\p{Default_Ignorable_Code_Point}\p{White_Space}]$/u;

/** Private-use characters have a meaning in one font only, and Chromium uses no fallback font for them. */
const PRIVATE_USE = /^\p{Co}$/u;

/** Characters beyond ASCII and Latin-1, which every font covers. */
const UNUSUAL = /[^\n\r\t\u0020-\u007e\u00a0-\u00ff]/gu;

/** Maps a character to the one that HarfBuzz draws when a font lacks it. The two differ only in line breaking. */
const STAND_INS: Record<string, string> = { "\u2011": "\u2010" };

/** Whether a coverage has a code point. */
export function contains(runs: Coverage, codePoint: number): boolean {
  let [low, high] = [0, runs.length / 2];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((runs[middle * 2 + 1] ?? 0) < codePoint) low = middle + 1;
    else high = middle;
  }
  return (runs[low * 2] ?? Number.POSITIVE_INFINITY) <= codePoint;
}

let bundled: Coverage | undefined;

/** Read once, because a process keeps the fonts that it started with. @throws Error when no fonts are built */
function bundledCoverage(): Coverage {
  bundled ??= JSON.parse(readFileSync(coverageFile(currentFonts().version), "utf8")) as Coverage;
  return bundled;
}

/**
 * Finds the characters of a text for which no font has a glyph, each once, in order. A picture shows an empty box for
 * each. A character that a font has in parts, such as a letter and its accent, is not missing.
 * @param own the coverage of the template's own fonts
 * @throws Error when no fonts are built
 */
export function missingGlyphs(text: string, own: Coverage = []): string[] {
  const unusual = text.toWellFormed().match(UNUSUAL);
  if (!unusual) return [];
  const known = bundledCoverage();
  const has = (character: string) => {
    const codePoint = character.codePointAt(0) ?? 0;
    return contains(own, codePoint) || (contains(known, codePoint) && !PRIVATE_USE.test(character));
  };
  const isDrawn = (character: string) =>
    has(character) ||
    DRAWS_NOTHING.test(character) ||
    has(STAND_INS[character] ?? character) ||
    (character.normalize("NFD") !== character && [...character.normalize("NFD")].every(has));
  return [...new Set(unusual)].filter((character) => !isDrawn(character));
}
