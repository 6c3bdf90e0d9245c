/** Characters that break or reorder a line in a message, a log or a table: controls, line separators, bidirectional overrides. */
const CONTROL = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u;

/** Characters that draw nothing. The pattern of Braille without dots is not one of them by its properties. */
export const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\u2800]/u;

/** Scripts whose letters join, in which a joiner between two letters is part of the spelling. */
const JOINING = "\\p{Script=Arabic}\\p{Script=Syriac}\\p{Script=Mongolian}\\p{Script=Nko}";

/**
 * Invisible characters that belong to what is before them: joiners in joining and Indic scripts and in emoji, the choice of a
 * glyph, and the tags of a flag.
 */
const BELONGING = new RegExp(
  [
    `(?<=[${JOINING}\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\ufe0f]|(?!\\p{Script=Inherited})\\p{M})[\\u200c\\u200d]`,
    "(?<=\\p{Ideographic})[\\ufe00-\\ufe0f\\u{e0100}-\\u{e01ef}]",
    "(?<=[\\p{Extended_Pictographic}0-9#*])[\\ufe0e\\ufe0f]",
    "(?<=\\p{Script=Mongolian})[\\u180b-\\u180d\\u180f]",
    "(?<=\\u{1f3f4})[\\u{e0020}-\\u{e007e}]+\\u{e007f}",
  ].join("|"),
  "gu",
);

/** What a line of text has that nobody sees, or undefined: with such a character, two names look the same. */
export function unseenPart(text: string): "control" | "invisible" | undefined {
  if (CONTROL.test(text)) return "control";
  return INVISIBLE.test(text.replace(BELONGING, "")) ? "invisible" : undefined;
}

/** The most marks on one letter: the limit of the Stream-Safe Text Format (UAX #15), which no language comes near. */
export const MAX_MARKS = 30;

/** More marks than that, also with characters between them that draw nothing. */
const TOO_MANY_MARKS = new RegExp(`(?:\\p{M}[^\\P{Default_Ignorable_Code_Point}\\p{M}]*){${MAX_MARKS + 1}}`, "u");

/** Whether a letter has more combining marks than any language needs: they would be drawn over the lines around it. */
export function hasTooManyMarks(text: string): boolean {
  return TOO_MANY_MARKS.test(text);
}
