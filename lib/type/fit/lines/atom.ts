/**
 * What a break after an atom costs. 0 is free: a space, or the end of a phrase. 1 is costly: a soft hyphen, or the inside of a
 * phrase that is written without spaces. 2 is rough: the inside of a word.
 */
export type BreakLevel = 0 | 1 | 2;

/** One grapheme of a text. Lengths are in multiples of the font size. */
export type Atom = {
  text: string;
  /** Where it ends in the text, in UTF-16 units. */
  end: number;
  width: number;
  /** White space, which has no width at the start and end of a line. */
  isSpace: boolean;
  /** How far the ink of its word reaches above and below the baseline. */
  ascent: number;
  descent: number;
  /** How far its ink reaches out of its width, to the left and to the right. */
  left: number;
  right: number;
  /** By how much a line that starts or ends with it moves out of its box. */
  trimStart: number;
  trimEnd: number;
  /** Whether its script stacks marks above and below letters, or joins letters. */
  isStacked: boolean;
  /** The cost of a break after this atom. */
  level: BreakLevel;
  /** The width of the hyphen that such a break draws. */
  hyphen: number;
  /** A line break of the author follows. */
  isForced: boolean;
};
