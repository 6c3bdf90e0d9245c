const NO_BREAK = "\u00a0";
const NARROW_NO_BREAK = "\u202f";

/**
 * A word of one letter, with the space after it. A line must not end with it. A few in a row are a spaced word or name, which stays
 * whole. More than ten, such as the lines of a poem, would be one line, however small it had to be.
 */
const ONE_LETTER =
  /(?<![\p{L}\p{M}\p{N}.'’-])(?:(?:\p{L}\p{M}* +){10,}\p{L}\p{M}*(?![\p{L}\p{M}\p{N}.'’-])|(\p{L}\p{M}*) (?=\S))/gu;
/**
 * Prepositions and negations of two and three letters, which these languages keep with the word after them as they do those of
 * one letter. Czech and Slovak do so with the long forms of k, s, v and z.
 */
const LEADING_WORDS: Record<string, string> = {
  be: "аб ад без да для за на над не ні па пад пра пры",
  bg: "без във до за из към на над не от по под при със",
  cs: "ke ve ze",
  pl: "bez dla do ku na nad nie od po pod we za ze",
  ru: "без во для до за из ко на над не ни об от по под при про со",
  sk: "ku so vo zo",
  sr: "без до за из код на над не од по под при са уз bez do iz kod na nad ne od po pod pri sa uz za",
  uk: "без від для до за зі із на над не ні об по під при про",
};
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

function leadingWords(language: string): RegExp | undefined {
  const words = LEADING_WORDS[language.split("-")[0] ?? ""];
  return words === undefined
    ? undefined
    : new RegExp(`(?<![\\p{L}\\p{M}\\p{N}.'’-])(${words.replaceAll(" ", "|")}) (?=\\S)`, "giu");
}

function bindOneLetter(text: string): string {
  return text.replace(ONE_LETTER, (found, letter?: string) => (letter === undefined ? found : letter + NO_BREAK));
}

/**
 * Replaces spaces at which a line must not break by no-break spaces, and sets the narrow spaces of French punctuation. The
 * characters of the author stay as they are otherwise.
 */
export function bindSpaces(text: string, language: string): string {
  const bound = bindOneLetter(text).replace(DASH, NO_BREAK).replace(SIGN, NO_BREAK);
  const leading = leadingWords(language);
  if (leading) return bound.replace(leading, `$1${NO_BREAK}`);
  if (!/^fr(-|$)/.test(language)) return bound;
  return FRENCH.reduce((french, [place, space]) => french.replace(place, space), bound);
}
