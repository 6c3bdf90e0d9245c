import { widestEms } from "#lib/fonts/font-facts.ts";

/** Dashes of two and three ems, and a ligature of a whole sentence (U+FDFD). */
const WIDE_SIGNS: Record<string, number> = { "\u2e3a": 2, "\u2e3b": 2.9, "\ufdfd": 9.8 };

/** Companions are drawn in the visual size of the family beside them, at most by so much larger than their own. */
const COMPANION_SCALE = 1.1;

/** Devanagari is the first script whose marks take room. Most characters of most texts are before it. */
const FIRST_KNOWN = "\u0900";

/** How wide a character is at most, in ems, or undefined where a plain estimate is wide enough. */
export function knownEms(character: string): number | undefined {
  if (character < FIRST_KNOWN) return undefined;
  const ems = widestEms(character);
  return ems === undefined ? WIDE_SIGNS[character] : ems * COMPANION_SCALE;
}
