import { EMBEDDING, hasRtl, POP_EMBEDDING, POP_ISOLATE } from "./bidi.ts";

const DIGIT = "[0-9٠-٩۰-۹]";
const ZERO = "[0٠۰]";
const SPACE = "[ \\u00a0]";
const GAP = "[ \\u00a0-]";

/** The end of a number at home: 123 4567 without its first group, 123 45 67, and 111-123-456. */
const LOCAL_END = `(?:(?:${GAP}${DIGIT}{2}){2}|${GAP}?${DIGIT}{3,4}(?:-${DIGIT}{3})?)`;

/**
 * Telephone numbers from abroad, at home with and without brackets, in pairs, and free of charge. 05-12-2026 is a date, and more than
 * five pairs are a list, such as the minutes of a timetable.
 */
const TELEPHONES = [
  `(?:\\+|${ZERO}{2})${DIGIT}{1,4}(?:${SPACE}?\\(${DIGIT}{1,4}\\))?(?:[ \\u00a0./-]?${DIGIT}){4,14}`,
  `(?:${ZERO}${DIGIT}{1,3}${GAP}|\\(${ZERO}${DIGIT}{1,3}\\)${GAP}?)${DIGIT}{3,4}${LOCAL_END}`,
  `(?<!${DIGIT}${SPACE})${ZERO}${DIGIT}(?:${SPACE}${DIGIT}{2}){4}(?!${SPACE}${DIGIT})`,
  `1${GAP}[789]00${GAP}${DIGIT}{3}${GAP}${DIGIT}{3,4}`,
].join("|");

/** A time or a share behind a number is no part of it: +971 4 123 4567 9:00. */
const TELEPHONE = `(?<![A-Za-z\\p{N}_.+\\u2066])(?:${TELEPHONES})(?![\\p{L}\\p{M}\\p{N}+#]|[:.%]\\p{N})`;

/** A year of any calendar in use here. No card number begins like one. */
const YEAR = "(?:[1١۱]|[2٢۲][0٠۰])";

/** Account and card numbers in groups of four: AE07 0331 2345 6789 0123 456. 2010 2014 2018 2022 is a list of years. */
const ACCOUNT_START = `(?:[A-Z]{2}${DIGIT}{2}|(?!${YEAR})${DIGIT}{4}${GAP}${DIGIT}{4})`;
const ACCOUNT_SIGN = "[A-Z0-9٠-٩۰-۹]";
const ACCOUNT_REST = `(?:${GAP}${ACCOUNT_SIGN}{4}){2,7}(?:${GAP}${ACCOUNT_SIGN}{1,3})?`;
const ACCOUNT = `(?<![\\p{L}\\p{N}])${ACCOUNT_START}${ACCOUNT_REST}(?![\\p{L}\\p{M}\\p{N}])`;

const LATIN = "\\p{Script=Latin}";

/** Currencies, and signs of units and trade marks, as in 30°C and Platen™. Others, such as ● and ✓, stand before items of a list. */
const SYMBOL = "[\\p{Sc}°℃℉©®™℠]";

/**
 * Letters, digits, the signs of addresses and symbols in a row. A comma is one between digits, a colon before a digit and in https://.
 * The first one is no mark, which would be that of a letter of another script.
 */
const WORD = `(?!\\p{M})(?:[${LATIN}\\p{M}\\p{No}0-9٠-٩۰-۹@#/._~%&=?+\u2212±-]|${SYMBOL}|:(?=//|${DIGIT})|(?<=${DIGIT})[,٫٬](?=${DIGIT}))+`;

const PARTS = new RegExp(`(${TELEPHONE})|(${ACCOUNT})|${WORD}`, "gu");

/**
 * A word without the punctuation around it. A hyphen in front joins it to a word of the other direction. Two begin an option, a
 * dot begins .NET and ./run, and a sign before a digit is that of a number, as in -5°C. Prices in Urdu end as Rs.500/- does.
 */
const CORE = new RegExp(
  `(?:--(?=\\p{L})|(?<!\\.)\\.(?=\\p{L})|\\.{1,2}(?=/)|[-+\u2212±](?=[\\p{N}\\p{Sc}]))?(?:[\\p{L}\\p{N}@#/_~]|${SYMBOL})(?:.*(?:[\\p{L}\\p{M}\\p{N}_+#]|/-?|${SYMBOL}))?`,
  "u",
);

/**
 * What the Unicode Bidirectional Algorithm moves: signs at the start or at the end, and digits at the start, which join a word of the
 * other direction before them.
 */
const MOVED = /^[^\p{L}]|[^\p{L}\p{M}\p{N}]$/u;

/** Signs that part a word from the letter of another script beside it, as in ב-.NET and iOS/أندرويد. That of و#Platen is one of the tag. */
const PARTING = { before: /^(?:\.+\/?|[^\p{L}\p{N}\p{Sc}@#°])/u, after: /(?:(?<![/_])[/_]+|(?<!\+)\+)$/ };

/** A slash before or after a single word with a capital parts it too, as in Name/ الاسم. Those of /start and src/ are of the word. */
const PARTING_SLASH = { before: /^\/(?=.*\p{Lu})[^/]*$/u, after: /^(?=.*\p{Lu})[^/.]*\/$/u };
const LETTER_BEFORE = /[\p{L}\p{M}\p{N}]$/u;
const LETTER_AFTER = /^[\p{L}\p{N}]/u;

/** A part of a text, as offsets. */
type LtrPart = { start: number; end: number; isNumber: boolean };

/** A word that reads from left to right, if the algorithm would move its signs. */
function wordAt(text: string, start: number, end: number): LtrPart | undefined {
  const whole = text.slice(start, end);
  const isParted = {
    before: LETTER_BEFORE.test(text.slice(Math.max(0, start - 2), start)) || PARTING_SLASH.before.test(whole),
    after: LETTER_AFTER.test(text.slice(end, end + 2)) || PARTING_SLASH.after.test(whole),
  };
  const begun = isParted.before ? whole.replace(PARTING.before, "") : whole;
  const found = CORE.exec(isParted.after ? begun.replace(PARTING.after, "") : begun);
  if (!found || !/\p{Script=Latin}/u.test(found[0]) || !MOVED.test(found[0])) return undefined;
  const from = end - begun.length + found.index;
  return { start: from, end: from + found[0].length, isNumber: false };
}

const BRACKETED = /[([{][^()[\]{}\n\u2066-\u2069]*[)\]}]/g;
const EMBEDDINGS = new RegExp(`[${EMBEDDING}${POP_EMBEDDING}]`, "g");

/**
 * Embeds brackets together with an embedded part between them. The algorithm pairs no brackets around an embedding: of
 * Instagram (@platen), only the first one would stand beside the name.
 */
function keepBrackets(text: string): string {
  return text.replace(BRACKETED, (group) =>
    group.includes(EMBEDDING) && !hasRtl(group) ? EMBEDDING + group.replace(EMBEDDINGS, "") + POP_EMBEDDING : group,
  );
}

/**
 * Keeps the order of telephone and account numbers, names such as @platen, tags, addresses and words such as C++ or 2.0.1-beta in a text
 * with right-to-left letters. The groups of a number would stand in reverse otherwise, and the sign of a name behind it.
 *
 * A telephone number is isolated, so that another one behind it stays apart, and stays on one line. The others are embedded, because an
 * isolate would not be a Latin word to the text around it: of Visual C++, the second word would stand before the first.
 */
export function keepLtrParts(text: string): string {
  if (!hasRtl(text)) return text;
  let [kept, from] = ["", 0];
  for (const { 0: found, 1: telephone, 2: account, index } of text.matchAll(PARTS)) {
    const end = index + found.length;
    const isWord = telephone === undefined && account === undefined;
    const part = isWord ? wordAt(text, index, end) : { start: index, end, isNumber: telephone !== undefined };
    if (!part) continue;
    const own = text.slice(part.start, part.end);
    const set = part.isNumber
      ? `\u2066${own.replaceAll(" ", "\u00a0")}${POP_ISOLATE}`
      : `${EMBEDDING}${own}${POP_EMBEDDING}`;
    kept += text.slice(from, part.start) + set;
    from = part.end;
  }
  return keepBrackets(kept + text.slice(from));
}
