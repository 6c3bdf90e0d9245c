import type { TextStyle } from "#lib/type/fit/text-style.ts";

/** A style in which lines are as far apart as letters are wide. */
export const STYLE: TextStyle = {
  from: 100,
  lineHeight: 1,
  fontAscent: 0.8,
  fontDescent: 0.2,
  usualAscent: 0.7,
  usualDescent: 0.2,
  isTrimmed: false,
  capHeight: 0.7,
  indent: 0,
  extra: 0,
  ellipsis: 1,
  align: 0,
  isBalanced: true,
  isRightToLeft: false,
  padding: { before: 0, after: 0, left: 0, right: 0 },
};
