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

let sets: { simplified: Set<string>; traditional: Set<string>; japanese: Set<string> } | undefined;

/**
 * The characters of the national standards of mainland China, Taiwan and Japan. GB 2312 has simplified forms only, Big5
 * traditional forms only, and JIS X 0208 the forms of Japan, so a character that is missing from one of them tells it
 * apart.
 */
function hanStandards() {
  sets ??= {
    simplified: hanOf("gbk", [0xb0, 0xf7], [0xa1, 0xfe]),
    traditional: hanOf("big5", [0xa4, 0xf9], [0x40, 0xfe]),
    japanese: hanOf("euc-jp", [0xb0, 0xf4], [0xa1, 0xfe]),
  };
  return sets;
}

/** Han forms differ in the typography of these languages. */
type HanLanguage = "ja" | "ko" | "zh-Hans" | "zh-Hant";

/** Whether a language is written with Han characters, whose forms depend on it. */
export function isHanLanguage(language: string): boolean {
  return /^(ja|ko|zh)(-|$)/.test(language);
}

/**
 * Detects the language of a text with East Asian characters.
 * @param fallback the language of the texts around it, for a text whose characters do not decide
 */
export function detectHanLanguage(text: string, fallback: string): HanLanguage | string {
  if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text)) return "ja";
  if (/\p{Script=Hangul}/u.test(text)) return "ko";
  if (/\p{Script=Bopomofo}/u.test(text)) return /^zh-(Hant|TW|HK|MO)/.test(fallback) ? fallback : "zh-Hant";
  const han = text.match(/\p{Script=Han}/gu) ?? [];
  const { simplified, traditional, japanese } = hanStandards();
  const count = (isMatch: (c: string) => boolean) => han.filter(isMatch).length;
  const onlyJapanese = count((c) => japanese.has(c) && !simplified.has(c) && !traditional.has(c));
  const notJapanese = count((c) => !japanese.has(c) && (simplified.has(c) || traditional.has(c)));
  const balance = count((c) => simplified.has(c)) - count((c) => traditional.has(c));
  if (fallback.startsWith("ja") && notJapanese === 0) return fallback;
  if (fallback.startsWith("ko") && balance <= 0) return fallback;
  if (onlyJapanese > 0 && notJapanese === 0) return "ja";
  const found = balance < 0 ? "zh-Hant" : "zh-Hans";
  if (isHanLanguage(fallback) && fallback.startsWith("zh") && balance === 0) return fallback;
  return fallback.startsWith(found) ? fallback : found;
}
