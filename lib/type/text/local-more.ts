import { writeNumber } from "./numbers.ts";

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

/** Writes "+3 more" in a language, with its digits. An empty language has the sign and the number. */
export function writeMore(count: unknown, language: string): string {
  const number = writeNumber(Number(count), {}, language)
    .map(({ text }) => text)
    .join("");
  const known = language === "" ? undefined : new Intl.Locale(language).maximize();
  const words = known && (WORDS[`${known.language}-${known.script}`] ?? WORDS[known.language]);
  return (words ?? "+{}").replace("{}", () => number);
}
