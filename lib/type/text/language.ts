import { loadPackage } from "#lib/load-package.ts";
import { detectHanLanguage } from "./han.ts";
import { detectScript, isWrittenIn } from "./scripts.ts";
import { tellingLanguage } from "./telling-words.ts";

/** The most used language of each script that tells its language by itself, by the script's name in lower case. */
const LANGUAGE_OF_SCRIPT: Record<string, string> = {
  greek: "el",
  georgian: "ka",
  armenian: "hy",
  ethiopic: "am",
  hebrew: "he",
  syriac: "syr",
  thaana: "dv",
  nko: "nqo",
  adlam: "ff-Adlm",
  bengali: "bn",
  gurmukhi: "pa",
  gujarati: "gu",
  oriya: "or",
  tamil: "ta",
  telugu: "te",
  kannada: "kn",
  malayalam: "ml",
  sinhala: "si",
  tibetan: "bo",
  thai: "th",
  lao: "lo",
  myanmar: "my",
  khmer: "km",
  javanese: "jv-Java",
  mongolian: "mn-Mong",
  yi: "ii",
  cherokee: "chr",
  canadian_aboriginal: "iu",
  tifinagh: "zgh",
};

/** The language that is assumed for a text of a script when its words do not decide. Latin has too many to guess one. */
const MOST_USED: Record<string, string> = { cyrillic: "ru", arabic: "ar", devanagari: "hi", latin: "" };

const EAST_ASIAN = ["han", "hiragana", "katakana", "bopomofo", "hangul"];

/**
 * Added to the score of a language, from 0 to 1, because close relatives score alike in a few words and the more used one
 * is then more likely.
 */
const BIAS: Record<string, number> = {
  en: 0.05,
  ...Object.fromEntries("de fr es it pt nl pl ar tr".split(" ").map((language) => [language, 0.03])),
  sv: 0.02,
  ru: 0.01,
  hi: 0.004,
};

/** Differences between the library's codes and the ones of typography and dates. */
const TAGS: Record<string, string> = { ms: "id", no: "nb", tl: "fil" };

/** The examined part of a text, in UTF-16 units. More does not change the result. */
const SAMPLE_LENGTH = 300;
/** The words of a text with fewer letters do not tell its language. */
const MIN_LETTERS = 8;
/** How much higher another language must score than that of the surrounding texts. */
const MIN_LEAD = 0.12;

const sampleOf = (text: string) => text.slice(0, SAMPLE_LENGTH).normalize("NFC");

type Detector = typeof import("eld/extrasmall").eld;
let detector: Detector | undefined;

/** Its path, because the package offers its name to `import` alone, which cannot load it when it is needed. */
const DETECTOR = "./node_modules/eld/src/entries/static.extrasmall.js";

/** Loads the words of all languages, which takes 0.1 s. A process that renders does it at its start, others with the first text. */
export function loadDetector(): Detector {
  detector ??= loadPackage<typeof import("eld/extrasmall")>(DETECTOR).eld;
  return detector;
}

type Scores = { best: string; isClear: boolean; scores: Record<string, number> };

/** The same texts are examined again: those of a variant with every request. */
const KEPT_TEXTS = 500;
const kept = new Map<string, Scores>();

function scoreWords(text: string, script: string): Scores {
  const known = kept.get(text);
  if (known) return known;
  const result = loadDetector().detect(text);
  const scores = Object.fromEntries(
    Object.entries(result.getScores()).flatMap(([code, score]) => {
      const tag = TAGS[code] ?? (code === "sr" && script === "latin" ? "sr-Latn" : code);
      return isWrittenIn(tag, script) ? [[tag, score + (BIAS[code] ?? 0)]] : [];
    }),
  );
  const [best = ""] = Object.keys(scores).toSorted((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0));
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  const found = { best, isClear: best !== "" && letters >= MIN_LETTERS && result.isReliable(), scores };
  if (kept.size >= KEPT_TEXTS) kept.clear();
  kept.set(text, found);
  return found;
}

/** The language of a text whose words tell it, such as one in Latin or Cyrillic letters. */
function detectByWords(text: string, script: string, fallback: string): string {
  const sample = sampleOf(text);
  const telling = tellingLanguage(sample, script);
  if (telling !== "") return fallback.split("-")[0] === telling ? fallback : telling;
  const { best, isClear, scores } = scoreWords(sample, script);
  if (!isWrittenIn(fallback, script)) return isClear ? best : (MOST_USED[script] ?? "");
  const [base = ""] = fallback.split("-");
  const lead = (scores[best] ?? 0) - (scores[fallback] ?? scores[base] ?? 0);
  return isClear && lead >= MIN_LEAD && !best.startsWith(base) ? best : fallback;
}

/** Yiddish has digraphs and pointed letters that modern Hebrew does not write. */
const YIDDISH = /[\u05f0-\u05f2]|[אי]\u05b7|א\u05b8|ײַ/u;

/** The letters of a text beside its Latin ones, which are often those of names: "Docker 入門" is Japanese. */
const beside = (text: string) => sampleOf(text).replace(/\p{Script=Latin}+/gu, " ");

/**
 * Detects the language of a text by its script, its characters and its words.
 * @param fallback the language of the texts around it, for a text that does not decide, such as kanji only
 * @param isProse false for a name or a code, whose words tell nothing
 * @returns a BCP 47 tag, or "" where nothing decides
 */
export function detectLanguage(text: string, fallback = "", isProse = true): string {
  const script = detectScript(text);
  if (script === "") return fallback;
  if (EAST_ASIAN.includes(script)) return detectHanLanguage(text, fallback);
  if (script === "latin" && fallback !== "" && !isWrittenIn(fallback, "latin")) {
    const rest = beside(text);
    if (detectScript(rest) !== "" && detectLanguage(rest, fallback, isProse) === fallback) return fallback;
  }
  if (script === "hebrew" && YIDDISH.test(text)) return "yi";
  const only = LANGUAGE_OF_SCRIPT[script];
  if (only !== undefined) return isWrittenIn(fallback, script) ? fallback : only;
  if (!isProse) return isWrittenIn(fallback, script) ? fallback : (MOST_USED[script] ?? "");
  return detectByWords(text, script, fallback);
}

/** Whether the words or the script of a text decide its language. */
export function isClear(text: string): boolean {
  const script = detectScript(text);
  if (script === "") return false;
  if (!(script in MOST_USED)) return true;
  const sample = sampleOf(text);
  return tellingLanguage(sample, script) !== "" || scoreWords(sample, script).isClear;
}

/** A text of a document. A name or a code has a script, but no words that tell its language. */
export type DocumentText = { text: string; isProse: boolean };

const isSameWriting = (a: string, b: string) => a === b || (EAST_ASIAN.includes(a) && EAST_ASIAN.includes(b));

/** The leading text, without its Latin letters where it has others that the other texts are written in. */
function withoutNames(leading: DocumentText, others: DocumentText[]): DocumentText {
  const rest = beside(leading.text);
  const script = detectScript(rest);
  const around = detectScript(others.map(({ text }) => text.slice(0, SAMPLE_LENGTH)).join("\n"));
  return script !== "" && isSameWriting(script, around) ? { ...leading, text: rest } : leading;
}

/**
 * Detects the language of a document. The leading text decides its script, which is not that of names in it; within that script
 * the leading text decides if its words do, else all texts together.
 * @param texts in the order of their weight; the first one leads
 */
export function detectDocumentLanguage(texts: DocumentText[]): string {
  const [first, ...others] = texts;
  if (!first) return "";
  const leading = withoutNames(first, others);
  const together = texts.map(({ text }) => text.slice(0, SAMPLE_LENGTH)).join("\n");
  const script = detectScript(leading.text) || detectScript(together);
  if (EAST_ASIAN.includes(script)) return detectHanLanguage(leading.text, detectHanLanguage(together, ""));
  if (!(script in MOST_USED)) return detectLanguage(leading.text || together);
  // A few words of Urdu look like Persian, and another text then has the letters that tell them apart.
  if (script === "arabic" && tellingLanguage(together, script) === "ur") return "ur";
  if (leading.isProse && isClear(leading.text)) return detectLanguage(leading.text);
  const prose = texts.filter(({ text, isProse }) => isProse && detectScript(text) !== "");
  const inScript = prose.filter(({ text }) => detectScript(text) === script);
  // Words in other letters tell more than a name in Latin letters, which has no language.
  const isName = script === "latin" && !leading.isProse;
  if (isName && inScript.length === 0 && prose.length > 0) return detectDocumentLanguage(prose);
  return detectLanguage(inScript.map(({ text }) => text).join("\n") || leading.text);
}

/**
 * The language of a text where it decides the forms of glyphs, which is so for Han characters.
 * @returns a BCP 47 tag, or "" for a text without East Asian characters
 */
export function glyphLanguage(text: string, fallback: string): string {
  return EAST_ASIAN.includes(detectScript(text)) ? detectHanLanguage(text, fallback) : "";
}
