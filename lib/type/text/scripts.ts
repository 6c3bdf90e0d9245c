/** The examined part of a text, in UTF-16 units: enough to detect a script, and cheap for megabytes. */
const SAMPLE_LENGTH = 2_000;

/** The scripts that fonts cover, by their Unicode names. */
const SCRIPTS = [
  ..."Latin Greek Cyrillic Georgian Armenian Ethiopic Hebrew Arabic Syriac Thaana Nko Adlam".split(" "),
  ..."Devanagari Bengali Gurmukhi Gujarati Oriya Tamil Telugu Kannada Malayalam Sinhala Tibetan".split(" "),
  ..."Thai Lao Myanmar Khmer Javanese Mongolian Han Hiragana Katakana Bopomofo Hangul Yi".split(" "),
  ..."Cherokee Canadian_Aboriginal Tifinagh".split(" "),
].map((name) => ({ name: name.toLowerCase(), characters: new RegExp(`\\p{Script=${name}}`, "gu") }));

/** Japanese is written in three scripts, which count together against others. */
const JAPANESE = ["han", "hiragana", "katakana"];

const sumOf = (counts: { count: number }[]) => counts.reduce((sum, { count }) => sum + count, 0);

/** Latin names stand in texts of every script. In a text that begins in another one, a Latin letter counts this much. */
const LATIN_NAME_WEIGHT = 0.5;

/** Texts come again: those of a variant with every request. */
const KEPT_TEXTS = 500;
const kept = new Map<string, string>();

/**
 * Detects the script that most of a text is written in, so that a template can choose line height and letter spacing
 * for it.
 * @returns the script's Unicode name in lower case, such as `thai`, or "" for a text without letters
 */
export function detectScript(text: string): string {
  const sample = text.slice(0, SAMPLE_LENGTH);
  const known = kept.get(sample);
  if (known !== undefined) return known;
  const counts = SCRIPTS.map(({ name, characters }) => ({ name, count: sample.match(characters)?.length ?? 0 }));
  const latinWeight = /^[^\p{L}]*\p{Script=Latin}/u.test(sample) ? 1 : LATIN_NAME_WEIGHT;
  const japanese = sumOf(counts.filter(({ name }) => JAPANESE.includes(name)));
  let most = { name: "", count: 0, weight: 0 };
  for (const { name, count } of counts) {
    const weight = JAPANESE.includes(name) ? japanese : name === "latin" ? count * latinWeight : count;
    if (weight > most.weight || (weight === most.weight && count > most.count)) most = { name, count, weight };
  }
  if (kept.size >= KEPT_TEXTS) kept.clear();
  kept.set(sample, most.name);
  return most.name;
}

/** The Unicode names of scripts, by the codes that end `Intl.Locale.maximize()`. Languages of several scripts have theirs. */
const SCRIPTS_BY_CODE: Record<string, string[]> = {
  Latn: ["latin"],
  Cyrl: ["cyrillic"],
  Arab: ["arabic"],
  Deva: ["devanagari"],
  Hebr: ["hebrew"],
  Beng: ["bengali"],
  Ethi: ["ethiopic"],
  Mymr: ["myanmar"],
  Tibt: ["tibetan"],
  Syrc: ["syriac"],
  Jpan: ["han", "hiragana", "katakana"],
  Kore: ["han", "hangul"],
  Hans: ["han"],
  Hant: ["han", "bopomofo"],
};

const scriptCodes = new Map<string, string>();

/** The ISO 15924 code of the script that a language is written in, such as `Latn`. */
export function scriptCodeOf(language: string): string {
  const known = scriptCodes.get(language);
  if (known !== undefined) return known;
  const code = new Intl.Locale(language).maximize().script ?? "";
  if (scriptCodes.size >= KEPT_TEXTS) scriptCodes.clear();
  scriptCodes.set(language, code);
  return code;
}

/** Whether a language can be written in a script, by the script's name in lower case. */
export function isWrittenIn(language: string, script: string): boolean {
  return language !== "" && (SCRIPTS_BY_CODE[scriptCodeOf(language)] ?? []).includes(script);
}

const RTL_CODES = ["Arab", "Hebr", "Syrc", "Thaa", "Nkoo", "Adlm", "Rohg", "Mand", "Samr"];

/** Whether a language is written from right to left. */
export function isRtlLanguage(language: string): boolean {
  return language !== "" && RTL_CODES.includes(scriptCodeOf(language));
}
