import { loadPackage } from "#lib/load-package.ts";

/** The patterns of the package `hyphen` for each language, by its tag or the first part of it. */
const PATTERNS: Record<string, string> = {
  ...Object.fromEntries(
    "af be bg ca cs cy da es et eu fi fr ga gl hr hu hy id is it lt lv mk nb nl nn pl pt ro ru sk sl sq sv tr uk"
      .split(" ")
      .map((language) => [language, language]),
  ),
  bs: "hr",
  de: "de-1996",
  el: "el-monoton",
  en: "en-gb",
  "en-US": "en-us",
  sr: "sr-cyrl",
  "sr-Latn": "sh-latn",
};

/** The names of the pattern files that a deployment needs, without their ending. */
export const PATTERN_FILES = [...new Set(Object.values(PATTERNS))];

type Hyphenator = (text: string) => string;

/**
 * The patterns of a language as the package has them: the places of hyphens, the tree of letters that names these places, and for some
 * languages a dictionary of words with hyphens of their own.
 */
type Patterns = [places: unknown, tree: unknown, dictionary?: Record<string, unknown> | undefined];

type CreateHyphenator = (patterns: Patterns, options: { hyphenChar: string; minWordLength: number }) => Hyphenator;

const SOFT_HYPHEN = "\u00ad";

/**
 * A hyphenator keeps each word that it has divided: 10 to 30 bytes a letter. After so many letters in all languages, all are made anew,
 * which takes 0.1 ms a language.
 */
const KEPT_WORD_LETTERS = 500_000;

const hyphenators = new Map<string, Hyphenator>();
let keptLetters = 0;

/** Patterns take up to 1.2 MB of source a language, so they are loaded when a text needs them. */
function hyphenatorFor(language: string): Hyphenator | undefined {
  const [base = ""] = language.split("-");
  const patterns = PATTERNS[language] ?? PATTERNS[base];
  if (patterns === undefined) return undefined;
  const known = hyphenators.get(patterns);
  if (known) return known;
  const create = loadPackage<CreateHyphenator>("hyphen");
  const [places, tree, dictionary] = loadPackage<Patterns>(`hyphen/patterns/${patterns}.js`);
  // The hyphenator adds each word to the dictionary. So it gets a copy.
  const hyphenate = create([places, tree, dictionary && { ...dictionary }], {
    hyphenChar: SOFT_HYPHEN,
    minWordLength: MIN_STATED_LETTERS,
  });
  const counting: Hyphenator = (word) => {
    keptLetters += word.length;
    return hyphenate(word);
  };
  hyphenators.set(patterns, counting);
  return counting;
}

function forgetWords(): void {
  if (keptLetters < KEPT_WORD_LETTERS) return;
  hyphenators.clear();
  keptLetters = 0;
}

/** Words of a field that states `"hyphenate": true`, in letters. */
const MIN_STATED_LETTERS = 6;
/** Words of running text, which has enough lines to need it. */
const MIN_RUNNING_LETTERS = 8;
const RUNNING_WORDS = 25;
/** Words of any other text, such as a title: only those that are hard to fit. */
const MIN_LONG_LETTERS = 14;

/** Longer words are left as they are: the time to divide one grows with the square of its length, and one of 50,000 letters took 9 s. */
const MAX_LETTERS = 300;

/** Letters that must stay before and after a hyphen. */
const KEPT_LETTERS = 3;

/** Addresses, file names and numbers are never divided. */
const UNDIVIDED = /[@/\\_\d]|\p{L}\.\p{L}/u;
const WORD = /[\p{L}\p{M}]+/gu;

/**
 * German compounds are divided between their words where these can be told: after the s that joins them, as in
 * Verkehrs-ordnung, and between three equal consonants.
 */
const GERMAN_JOINT = /(?:[bcdfghklmnprtß]s|(\p{L})\1)$/u;
/** A word of a compound is divided from this many letters on, and keeps so many on both sides. */
const MIN_MEMBER_LETTERS = 16;
const KEPT_MEMBER_LETTERS = 5;

/** Joins the syllables of a compound, so that it is divided between its words, and inside of long ones. */
function joinSyllables(parts: string[]): string[] {
  const isJoint = (index: number) => {
    const [, double] = GERMAN_JOINT.exec(parts[index] ?? "") ?? [undefined];
    return GERMAN_JOINT.test(parts[index] ?? "") && (double === undefined || parts[index + 1]?.startsWith(double));
  };
  const members: string[][] = [[]];
  for (const [index, part] of parts.entries()) {
    members.at(-1)?.push(part);
    if (isJoint(index) && index < parts.length - 1) members.push([]);
  }
  if (members.length === 1) return parts;
  return members.flatMap((syllables) => {
    const length = syllables.join("").length;
    const joined: string[] = [""];
    let before = 0;
    for (const syllable of syllables) {
      const isDivided =
        length >= MIN_MEMBER_LETTERS && before >= KEPT_MEMBER_LETTERS && length - before >= KEPT_MEMBER_LETTERS;
      if (isDivided) joined.push(syllable);
      else joined[joined.length - 1] += syllable;
      before += syllable.length;
    }
    return joined;
  });
}

function hyphenateWord(word: string, { hyphenate, isGerman }: { hyphenate: Hyphenator; isGerman: boolean }): string {
  // An acronym, and a word in capitals like it.
  if (word === word.toUpperCase() && word.length < MIN_LONG_LETTERS) return word;
  const syllables = hyphenate(word).split(SOFT_HYPHEN);
  const parts = isGerman ? joinSyllables(syllables) : syllables;
  let divided = "";
  let left = word.length;
  for (const part of parts) {
    const isAllowed = divided.length >= KEPT_LETTERS && left >= KEPT_LETTERS && !/^\p{M}/u.test(part);
    divided += isAllowed ? SOFT_HYPHEN + part : part;
    left -= part.length;
  }
  return divided;
}

/** The shortest word to divide, in letters. */
function shortestWord(text: string, isStated: boolean): number {
  if (isStated) return MIN_STATED_LETTERS;
  return text.split(/\s+/).length >= RUNNING_WORDS ? MIN_RUNNING_LETTERS : MIN_LONG_LETTERS;
}

/**
 * Puts soft hyphens into the words of a text where its language divides them. By default, running text is hyphenated, and
 * of other texts only long words.
 * @param isStated whether the field states that its text is to be hyphenated
 */
export function hyphenate(text: string, language: string, isStated: boolean): string {
  const shortest = shortestWord(text, isStated);
  if (!text.match(WORD)?.some((word) => word.length >= shortest)) return text;
  forgetWords();
  const hyphenator = hyphenatorFor(language);
  if (!hyphenator) return text;
  const isGerman = /^de\b/.test(language);
  const divide = (word: string) =>
    word.length < shortest || word.length > MAX_LETTERS
      ? word
      : hyphenateWord(word, { hyphenate: hyphenator, isGerman });
  return text.replace(/\S+/g, (token) => (UNDIVIDED.test(token) ? token : token.replace(WORD, divide)));
}
