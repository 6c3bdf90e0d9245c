import { type Coverage, missingGlyphs } from "#lib/fonts/coverage.ts";
import { hasRtl } from "./bidi.ts";

/**
 * How many different characters without a glyph a document may have. For each of them the browser looks through all fonts, in each
 * picture, which takes 0.7 ms.
 */
export const MAX_MISSING_CHARACTERS = 64;

/** Characters that are laid out alike where no font has them: as empty boxes, in the same order, with the same line breaks. */
function kindOf(character: string): string {
  const isMark = /\p{M}/u.test(character);
  return [isMark, hasRtl(character), /\p{Ideographic}/u.test(character), character.length].join();
}

/**
 * Finds another character without a glyph for each one beyond {@link MAX_MISSING_CHARACTERS}. A picture shows the same empty box for
 * all of them.
 * @param texts all texts of a document
 * @param own the coverage of the template's own fonts
 * @returns the stand-in for each character that needs one
 * @throws Error when no fonts are built
 */
export function findStandIns(texts: string[], own?: Coverage): Map<string, string> {
  const missing = new Set(texts.flatMap((text) => missingGlyphs(text, own)));
  const standIns = new Map<string, string>();
  const firsts = new Map<string, string>();
  for (const [index, character] of [...missing].entries()) {
    const kind = kindOf(character);
    const first = firsts.get(kind);
    if (first === undefined) firsts.set(kind, character);
    else if (index >= MAX_MISSING_CHARACTERS) standIns.set(character, first);
  }
  return standIns;
}
