import { readFileSync } from "node:fs";
import { coverageFile, currentFonts } from "./current.ts";

/**
 * The code points that fonts have a glyph for, as runs in ascending order: first, last, first, last, … The 58,000 of the
 * bundled fonts are 2,300 runs, 20 kB of JSON.
 */
export type Coverage = number[];

/** Nothing is drawn for these, whatever a font has: joiners, variation selectors, spaces of every width, ends of lines. */
const DRAWS_NOTHING = /^[\p{Default_Ignorable_Code_Point}\p{White_Space}]$/u;

/** Means what its font says: Chromium looks in no other font for it, and what a bundled one has there is an accident. */
const PRIVATE_USE = /^\p{Co}$/u;

/** Every character that is neither ASCII nor Latin-1, of which all fonts have everything. */
const UNUSUAL = /[^\n\r\t\u0020-\u007e\u00a0-\u00ff]/gu;

/** What HarfBuzz draws instead, where a font lacks a character that only breaks lines differently. */
const STAND_INS: Record<string, string> = { "\u2011": "\u2010" };

function contains(runs: Coverage, codePoint: number): boolean {
  let [low, high] = [0, runs.length / 2];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((runs[middle * 2 + 1] ?? 0) < codePoint) low = middle + 1;
    else high = middle;
  }
  return (runs[low * 2] ?? Number.POSITIVE_INFINITY) <= codePoint;
}

let bundled: Coverage | undefined;

/** Read once: a process serves with the fonts that it started with. @throws Error when no fonts are built */
function bundledCoverage(): Coverage {
  bundled ??= JSON.parse(readFileSync(coverageFile(currentFonts().version), "utf8")) as Coverage;
  return bundled;
}

/**
 * The characters of a text for which neither the bundled fonts nor `own` have a glyph, each once, in order: a picture shows
 * an empty box for each. One that a font only has in parts, such as a letter with its accent apart, is drawn from those.
 * @param own what the template's own fonts have
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
