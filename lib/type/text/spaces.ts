const NO_BREAK = "\u00a0";
const NARROW_NO_BREAK = "\u202f";

/** A word of one letter, with the space after it. A line must not end with it. */
const ONE_LETTER = /(?<![\p{L}\p{M}\p{N}.'’-])(\p{L}\p{M}*) (?=\S)/gu;
/** A dash between spaces. A line must not begin with it. */
const DASH = / (?=[–—] )/g;
/** A sign after a number. */
const SIGN = /(?<=\p{Nd}) (?=[%‰°€£¥₽₴])/gu;

const FRENCH: [RegExp, string][] = [
  // A space of the author, and none after a letter.
  [/[ \u00a0](?=[;!?»])/g, NARROW_NO_BREAK],
  [/(?<=[\p{L}\p{N})»])(?=[;!?]+(?:\s|$|»))/gu, NARROW_NO_BREAK],
  [/(?<=[\p{L}\p{N}.!?…])(?=»)/gu, NARROW_NO_BREAK],
  [/ (?=:(?:\s|$))/g, NO_BREAK],
  [/(?<=[\p{L}»])(?=:(?:\s|$))/gu, NO_BREAK],
  [/«[ \u00a0]?(?=\S)/g, `«${NARROW_NO_BREAK}`],
];

/**
 * Replaces spaces at which a line must not break by no-break spaces, and sets the narrow spaces of French punctuation. The
 * characters of the author stay as they are otherwise.
 */
export function bindSpaces(text: string, language: string): string {
  const bound = text.replace(ONE_LETTER, `$1${NO_BREAK}`).replace(DASH, NO_BREAK).replace(SIGN, NO_BREAK);
  if (!/^fr(-|$)/.test(language)) return bound;
  return FRENCH.reduce((french, [place, space]) => french.replace(place, space), bound);
}
