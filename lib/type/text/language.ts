/** The Han characters that a legacy double-byte encoding contains. */
function hanOf(
  encoding: string,
  leads: [first: number, last: number],
  trails: [first: number, last: number],
): Set<string> {
  const decoder = new TextDecoder(encoding);
  const characters = new Set<string>();
  for (let lead = leads[0]; lead <= leads[1]; lead++) {
    for (let trail = trails[0]; trail <= trails[1]; trail++) {
      const character = decoder.decode(Uint8Array.of(lead, trail));
      if (/^\p{Script=Han}$/u.test(character)) characters.add(character);
    }
  }
  return characters;
}

let sets: { simplified: Set<string>; traditional: Set<string> } | undefined;

/**
 * The characters of the national standards of mainland China and Taiwan. GB 2312 has simplified forms only and Big5 has
 * traditional forms only, so a character that is in one of them tells the two apart.
 */
function hanStandards() {
  sets ??= {
    simplified: hanOf("gbk", [0xb0, 0xf7], [0xa1, 0xfe]),
    traditional: hanOf("big5", [0xa4, 0xf9], [0x40, 0xfe]),
  };
  return sets;
}

/** The examined part of a text, in UTF-16 units: enough to detect a language, and cheap for megabytes. */
const SAMPLE_LENGTH = 2_000;

/**
 * Detects the language of a text where it changes the glyphs: a Han character has different forms in Japanese, Korean
 * and Chinese typography.
 * @returns a BCP 47 tag, or "" where the glyphs do not depend on the language
 */
export function detectLanguage(text: string): string {
  const sample = text.slice(0, SAMPLE_LENGTH);
  if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(sample)) return "ja";
  if (/\p{Script=Hangul}/u.test(sample)) return "ko";
  if (/\p{Script=Bopomofo}/u.test(sample)) return "zh-Hant";
  const han = sample.match(/\p{Script=Han}/gu);
  if (!han) return "";
  const { simplified, traditional } = hanStandards();
  const balance = han.reduce((sum, c) => sum + Number(simplified.has(c)) - Number(traditional.has(c)), 0);
  return balance < 0 ? "zh-Hant" : "zh-Hans";
}

/** Scripts that differ in the line height they need, by their Unicode names. */
const SCRIPTS = [
  ..."Latin Greek Cyrillic Georgian Armenian Ethiopic Hebrew Arabic".split(" "),
  ..."Devanagari Bengali Gurmukhi Gujarati Tamil Telugu Kannada Malayalam Sinhala".split(" "),
  ..."Thai Lao Myanmar Khmer Han Hiragana Katakana Hangul".split(" "),
].map((name) => ({ name: name.toLowerCase(), characters: new RegExp(`\\p{Script=${name}}`, "gu") }));

/**
 * Detects the script that most of a text is written in, so that a template can choose line height and letter spacing
 * for it.
 * @returns the script's Unicode name in lower case, such as `thai`, or "" for a text without letters
 */
export function detectScript(text: string): string {
  const sample = text.slice(0, SAMPLE_LENGTH);
  let most = { name: "", count: 0 };
  for (const { name, characters } of SCRIPTS) {
    const count = sample.match(characters)?.length ?? 0;
    if (count > most.count) most = { name, count };
  }
  return most.name;
}
