/** How many graphemes of a text are shown. */
type Cut = { shown: number; of: number };

/** A rectangle in CSS pixels of the picture. */
export type Box = { left: number; top: number; right: number; bottom: number };

/** What decided the size of a fitted text. `breaks` is a little less than the designed size, for the sake of better lines. */
export type FitReason = "designed" | "width" | "lines" | "height" | "neighbours" | "breaks";

/** The result for one fitted element: its font size in CSS pixels before and after, and how it was cut. */
export type FitOutcome = {
  field: string;
  from: number;
  to: number;
  cut?: Cut;
  why: FitReason;
  /** The text of each line, as drawn. */
  lines: string[];
  /** The distance between two lines, in CSS pixels. */
  leading: number;
  /** What the glyphs cover, marks included. */
  ink: Box;
  /** The border box of the element. */
  box: Box;
};

/** The room that one module of a visible QR code or barcode has, in CSS pixels. The code is drawn with modules of whole pixels. */
export type CodeOutcome = { field: string; room: number };

/**
 * What is measured in the page. `hidden` names the fields whose elements all have no box or are invisible, and `brokenFonts` the families
 * that the page declares and needs, but whose files the browser refuses.
 */
export type Measurements = {
  fits: FitOutcome[];
  codes: CodeOutcome[];
  hidden: string[];
  brokenImages: number;
  brokenFonts: string[];
};
