import { readFileSync } from "node:fs";
import type { Coverage } from "./coverage.ts";
import { currentFonts, factsFile } from "./font-set.ts";
import type { Anchors } from "./read-anchors.ts";

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
