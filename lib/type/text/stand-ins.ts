import { type Coverage, missingGlyphs } from "#lib/fonts/coverage.ts";

/**
 * How many characters without a glyph a document may have. For each of them the browser looks through all fonts, whenever it lays
 * the text out: 5,000 different ones, or 1,200 among others, took three seconds.
 */
export const MAX_MISSING_CHARACTERS = 64;

/** Drawn for each of more missing characters: an empty box, like the one that fonts have for them. */
export const STAND_IN = "□";

/**
 * Finds the characters that no font has where a document has many of them.
 * @param texts all texts of the document
 * @param own the coverage of the template's own fonts
 * @returns nothing where there are at most {@link MAX_MISSING_CHARACTERS}
 * @throws Error when no fonts are built
 */
export function findReplaced(texts: string[], own?: Coverage): Set<string> {
  const missing = new Set(texts.flatMap((text) => missingGlyphs(text, own)));
  if (missing.size === 0) return missing;
  let count = 0;
  for (const text of texts) for (const character of text) if (missing.has(character)) count++;
  return count > MAX_MISSING_CHARACTERS ? missing : new Set();
}
