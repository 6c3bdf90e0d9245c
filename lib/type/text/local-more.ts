import { writeNumber } from "./numbers.ts";
import { scriptCodeOf } from "./scripts.ts";

/** How languages say that a list has more entries than are shown. Elsewhere it is a plus sign and the number. */
const WORDS: Record<string, string> = {
  en: "+{} more",
  de: "+{} weitere",
  fr: "+{} de plus",
  es: "+{} más",
  it: "+{} in più",
  pt: "+{} mais",
  nl: "+{} meer",
  sv: "+{} till",
  da: "+{} mere",
  nb: "+{} til",
  fi: "+{} muuta",
  ru: "ещё {}",
  uk: "ще {}",
  bg: "още {}",
  pl: "jeszcze {}",
  tr: "+{} tane daha",
  el: "+{} ακόμη",
  he: "ועוד {}",
  hi: "{} और",
  id: "+{} lagi",
  vi: "+{} nữa",
  th: "อีก {}",
  ja: "ほか{}件",
  "zh-Hans": "另有{}项",
  "zh-Hant": "另有{}項",
  ko: "외 {}개",
};

/** The words in a language and its letters: Hindi in Latin ones has none. */
function wordsIn(tag: string): string | undefined {
  if (tag === "") return undefined;
  const { language } = new Intl.Locale(tag).maximize();
  const script = scriptCodeOf(tag);
  return WORDS[`${language}-${script}`] ?? (script === scriptCodeOf(language) ? WORDS[language] : undefined);
}

/** Writes "+3 more" in a language, with its digits. An empty language has the sign and the number. */
export function writeMore(count: unknown, language: string): string {
  const number = writeNumber(Number(count), {}, language)
    .map(({ text }) => text)
    .join("");
  return (wordsIn(language) ?? "+{}").replace("{}", () => number);
}
