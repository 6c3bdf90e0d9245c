/** What lies behind a text: the colours that it may have there. */
export type Layer = {
  /** CSS colours: one for a flat area, the stops of a gradient. Empty for what has no known colours, such as an image. */
  colors: string[];
  /** Whether it hides everything below it, wherever the text is. */
  covers: boolean;
};

/** A rectangle in CSS pixels of the picture: left, top, width, height. */
export type Rect = [left: number, top: number, width: number, height: number];

/** The texts of one element, with one style. */
export type TextRun = {
  /** Tells the runs of a document apart. */
  id: number;
  /** The field of the nearest element with `data-fit`, or "". */
  field: string;
  /** The first characters of the text. */
  text: string;
  /** CSS colour of the letters, and the opacity of the elements around them. */
  color: string;
  opacity: number;
  /** CSS pixels. */
  fontSize: number;
  isBold: boolean;
  /** One for each line. */
  rects: Rect[];
  /** From the top down to the layer that covers all others, or to the white canvas. */
  layers: Layer[];
  /** The letters are blended, filtered, or drawn by their background: their own colour is not that of the picture. */
  isMixed: boolean;
};
