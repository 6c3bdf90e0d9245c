/** What the style sheet says about a text. Lengths are in multiples of the font size, except `from` and `padding`. */
export type TextStyle = {
  /** The designed font size in CSS pixels. */
  from: number;
  lineHeight: number;
  /** Metrics of the font, which place the baseline in a line. */
  fontAscent: number;
  fontDescent: number;
  /** The ink of ordinary Latin letters, which the style sheet was made for. */
  usualAscent: number;
  usualDescent: number;
  /** The box ends at the capitals and at the baseline (`text-box-trim`). */
  isTrimmed: boolean;
  capHeight: number;
  /** How much shorter the first line is. */
  indent: number;
  /** The width of padding and margins of elements inside. */
  extra: number;
  ellipsis: number;
  /** Where lines stand: 0 for the start of the element, 0.5 for its middle, 1 for its end. */
  align: number;
  isBalanced: boolean;
  isRightToLeft: boolean;
  /** The element's own padding in CSS pixels, into which ink may reach. */
  padding: { before: number; after: number; left: number; right: number };
};

/** What the page says about a text before anything is changed. */
export type ProbedStyle = TextStyle & {
  isVertical: boolean;
  /** In a vertical text: how far the baseline of letters that lie on their side is from the middle of the line. */
  baselineShift: number;
  language: string;
  optical: OpticalStyle | undefined;
};

/** The room for marks that hang out of the start and the end of lines, in CSS pixels. Undefined where lines keep their edge. */
export type OpticalStyle = { start: number | undefined; end: number | undefined };
