import { readFileSync } from "node:fs";
import type { Coverage } from "./coverage.ts";
import { currentFonts, factsFile } from "./font-set.ts";
import type { Anchors } from "./read-anchors.ts";
import type { Widths } from "./read-widths.ts";

/** One file of a family. */
export type Face = {
  /** The CSS weight. */
  weight: number;
  italic: boolean;
  /** The name for `local()`. */
  postscriptName: string;
};

/** What is known of a bundled family. Lengths are in em, of its regular face. */
export type FamilyFacts = {
  faces: Face[];
  ascent: number;
  descent: number;
  xHeight: number;
  capHeight: number;
  /** The characters that every face has and draws as what they are. */
  coverage: Coverage;
  /** Which combining marks its letters have places for; absent for a family without Latin letters. */
  anchors?: Anchors[];
  /** How wide its characters are, where that is hard to guess. */
  widths?: Widths;
};

export type FontFacts = Record<string, FamilyFacts>;

let known: FontFacts | undefined;

/** Read once, because a process keeps the fonts that it started with. @throws Error when no fonts are built */
function fontFacts(): FontFacts {
  known ??= JSON.parse(readFileSync(factsFile(currentFonts().version), "utf8")) as FontFacts;
  return known;
}

/** The facts of a bundled family, or undefined for another name. @throws Error when no fonts are built */
export function factsOf(family: string): FamilyFacts | undefined {
  return Object.hasOwn(fontFacts(), family) ? fontFacts()[family] : undefined;
}

let widest: Map<number, number> | undefined;

/** The greatest width of each character that has one, in hundredths of an em, by code point. */
function widestOf(facts: FontFacts): Map<number, number> {
  const found = new Map<number, number>();
  for (const [first, last, width] of Object.values(facts).flatMap(({ widths = [] }) => widths))
    for (let codePoint = first; codePoint <= last; codePoint++)
      found.set(codePoint, Math.max(width, found.get(codePoint) ?? 0));
  return found;
}

/**
 * How wide a symbol, or a character of a script whose marks take room, is at most in the bundled fonts, in ems. Undefined for others.
 * @throws Error when no fonts are built
 */
export function widestEms(character: string): number | undefined {
  widest ??= widestOf(fontFacts());
  const width = widest.get(character.codePointAt(0) ?? 0);
  return width === undefined ? undefined : width / 100;
}
