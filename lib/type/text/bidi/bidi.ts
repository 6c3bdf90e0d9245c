import { isRtlLanguage } from "../scripts.ts";

export type Direction = "ltr" | "rtl";

const RTL_SCRIPTS = [
  ..."Hebrew Arabic Syriac Thaana Nko Adlam Samaritan Mandaic".split(" "),
  ..."Hanifi_Rohingya Mende_Kikakui Old_Sogdian Sogdian Yezidi".split(" "),
];

/** Digits of N'Ko and Adlam, which run from right to left as their letters do. */
const RTL_DIGIT = "\\u07c0-\\u07c9\\u{1e950}-\\u{1e959}";

/** Letters of right-to-left scripts, their digits, and the right-to-left and Arabic letter marks (Bidi_Class R and AL). */
const RTL_LETTER = new RegExp(
  `(?=[\\p{L}\\p{Lm}])[${RTL_SCRIPTS.map((s) => `\\p{Script=${s}}`).join("")}]|[${RTL_DIGIT}\\u200f\\u061c]`,
  "u",
);

/** Digits without a strong direction (Bidi_Class EN and AN). Those of most other scripts count as left-to-right letters. */
const WEAK_DIGIT =
  "0-9\\u00b2\\u00b3\\u00b9\\u0660-\\u0669\\u06f0-\\u06f9\\u2070-\\u2089\\uff10-\\uff19\\u{1d7ce}-\\u{1d7ff}";

const STRONG = new RegExp(`${RTL_LETTER.source}|(?![${WEAK_DIGIT}])[\\p{L}\\p{Mc}\\p{Nd}\\p{Nl}]|\\u200e`, "u");

export const EMBEDDING = "\u202a";
export const POP_EMBEDDING = "\u202c";
export const POP_ISOLATE = "\u2069";

/** The beginning or the end of an isolate. */
const ISOLATE = /([\u2066-\u2069])/;

/** The text without isolates and their content, which rule P2 skips. A text may be nested thousands of levels deep. */
function withoutIsolates(text: string): string {
  let depth = 0;
  let rest = "";
  for (const part of text.split(ISOLATE)) {
    if (part === POP_ISOLATE) depth = Math.max(0, depth - 1);
    else if (ISOLATE.test(part)) depth++;
    else if (depth === 0) rest += part;
  }
  return rest;
}

/** All right-to-left letters lie in this range, or have a surrogate in it. It is tested 15 times as fast in a document with images. */
const RTL_RANGE = /[\u0590-\ufeff]/;

/** Whether a text has a letter of a right-to-left script. */
export function hasRtl(text: string): boolean {
  return RTL_RANGE.test(text) && RTL_LETTER.test(text);
}

/**
 * The direction of a paragraph by its first strong character, as rules P2 and P3 of the Unicode Bidirectional Algorithm
 * find it.
 * @returns undefined for a text without a strong character, such as a number
 */
export function directionOf(text: string): Direction | undefined {
  const strong = STRONG.exec(withoutIsolates(text))?.[0];
  if (strong === undefined) return undefined;
  return RTL_LETTER.test(strong) ? "rtl" : "ltr";
}

const DIRECTION_MARK = /[\u061c\u200e\u200f]/;

/**
 * The direction of a paragraph in its language. It is that of the first strong character, unless that character is in a word of the
 * other direction: "Apple תשיק טלפון חדש" is Hebrew, and would be read in the wrong order from left to right. Such a text has the
 * direction of its language if at least half of the words that have a direction have this one, or, from left to right, most of them.
 * A mark (U+200E, U+200F, U+061C) at the start decides by itself.
 * @param language BCP 47, or "" if unknown
 * @returns undefined for a text without a strong character, such as a number
 */
export function directionIn(text: string, language: string): Direction | undefined {
  const first = directionOf(text);
  const own = isRtlLanguage(language) ? "rtl" : "ltr";
  if (first === undefined || first === own || language === "" || !hasRtl(text)) return first;
  const strong = STRONG.exec(withoutIsolates(text))?.[0] ?? "";
  if (DIRECTION_MARK.test(strong)) return first;
  const words = withoutIsolates(text).split(/\s+/).map(directionOf);
  const lead = words.filter((word) => word === own).length - words.filter((word) => word === first).length;
  return lead > 0 || (lead === 0 && own === "rtl") ? own : first;
}

const CONTROLS = /[\u202a-\u202e\u2066-\u2069]/;

/** Closes what a line leaves open, and drops closing characters without an opening one. */
function balanceLine(line: string): string {
  /** The closing character of each open embedding and isolate; empty for an override. */
  const opened: string[] = [];
  let kept = "";
  for (const character of line) {
    if (character === "\u202d" || character === "\u202e") {
      // An override is dropped together with the character that closes it.
      opened.push("");
      continue;
    }
    if (character === EMBEDDING || character === "\u202b") opened.push(POP_EMBEDDING);
    else if (character >= "\u2066" && character <= "\u2068") opened.push(POP_ISOLATE);
    else if (character === POP_EMBEDDING) {
      const last = opened.at(-1);
      if (last === "") opened.pop();
      if (last !== POP_EMBEDDING) continue;
      opened.pop();
    } else if (character === POP_ISOLATE) {
      const isolate = opened.lastIndexOf(POP_ISOLATE);
      if (isolate < 0) continue;
      // Closing an isolate closes the embeddings inside it.
      kept += opened
        .splice(isolate + 1)
        .reverse()
        .join("");
      opened.pop();
    }
    kept += character;
  }
  return kept + opened.reverse().join("");
}

/**
 * Removes the overrides U+202D and U+202E, and balances embeddings (U+202A, U+202B) and isolates (U+2066 to U+2068) in
 * each line. A balanced isolate or embedding stays.
 */
export function cleanBidi(text: string): string {
  if (!CONTROLS.test(text)) return text;
  return text.split("\n").map(balanceLine).join("\n");
}
