/** A rectangle of the picture, in CSS pixels. */
export type Box = { left: number; top: number; right: number; bottom: number };

/** A grapheme as the page drew it: its offset in the text of its unit, its box, and the number of its line. */
export type Glyph = { at: number; text: string; box: Box; line: number };

/** One text of a drawn page: an element with `data-fit`, or the nearest block around a text. */
export type TextUnit = {
  id: number;
  /** The field of `data-fit`; empty for another text. */
  field: string;
  /** The text as it stands in the page, white space included. */
  text: string;
  /** The offsets of the text that follow a `<br>` of the author. Those of a fitted text are the engine's. */
  breaks?: number[];
  /** How many text nodes it has that are not only white space. */
  nodes: number;
  direction: "ltr" | "rtl";
  isVertical: boolean;
  /** Font size in CSS pixels and weight, as computed. */
  fontSize: number;
  fontWeight: number;
  /** A blend, a filter or a clipped background gives the letters their colours. */
  isCutOut: boolean;
  /** The border box of the element. */
  box: Box;
  /** The border box of the nearest element around the text that paints a ground smaller than the page. */
  panel?: Box;
  /** What the elements around the text cut off. */
  clip?: Box;
  glyphs: Glyph[];
};

/** The length of a box along the line, and across it. */
export function inlineSize({ box, isVertical }: Pick<TextUnit, "box" | "isVertical">): number {
  return isVertical ? box.bottom - box.top : box.right - box.left;
}

/** The smallest box around all of these. */
export function boxAround(boxes: Box[]): Box {
  return {
    left: Math.min(...boxes.map(({ left }) => left)),
    top: Math.min(...boxes.map(({ top }) => top)),
    right: Math.max(...boxes.map(({ right }) => right)),
    bottom: Math.max(...boxes.map(({ bottom }) => bottom)),
  };
}

export function inflate({ left, top, right, bottom }: Box, by: number): Box {
  return { left: left - by, top: top - by, right: right + by, bottom: bottom + by };
}

/** The common part of two boxes; its sides may be negative. */
export function intersect(a: Box, b: Box): Box {
  return {
    left: Math.max(a.left, b.left),
    top: Math.max(a.top, b.top),
    right: Math.min(a.right, b.right),
    bottom: Math.min(a.bottom, b.bottom),
  };
}

export function doMeet(a: Box, b: Box): boolean {
  const { left, top, right, bottom } = intersect(a, b);
  return right > left && bottom > top;
}
