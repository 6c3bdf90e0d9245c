/** What a filter draws: elements whose texts are escaped, and the plain text that other filters and attributes see. */
export class Drawing {
  readonly html: string;
  readonly text: string;
  /** What the drawing leaves out of the value that it shows. */
  readonly loss: DrawingLoss | undefined;

  constructor(drawn: { html: string; text: string; loss?: DrawingLoss | undefined }) {
    this.html = drawn.html;
    this.text = drawn.text;
    this.loss = drawn.loss;
  }

  toString(): string {
    return this.text;
  }
}

/**
 * How much of a value is shown. `unit` is what is counted, such as lines.
 * `code` tells whether there is no room for the rest, or no way to draw it.
 */
export type DrawingLoss = {
  code: "text_cut" | "field_ignored";
  value: unknown;
  shown: number;
  of: number;
  unit: string;
  hint: string;
  /** Set where only names are cut: the drawing still shows all of its figures. */
  isNeverRefused?: boolean;
};

/** The elements of drawings. Their number depends on the value, so the escape check looks only into them. */
export const DRAWN_ELEMENTS = ["code-block", "code-row", "code-number", "code-text", "code-token", "code-rest"];

/** Tells the picture of a chart from an SVG of the template, and the elements that it consists of. */
export const CHART_ATTRIBUTE = "data-chart";
/** How wide a text of a chart may be, in pixels. */
export const ROOM_ATTRIBUTE = "data-room";
export const CHART_ELEMENTS = ["path", "rect", "circle", "text"];

/** The named arguments of a filter, such as `width: 600`. */
export type DrawingOptions = Record<string, unknown>;

/** Reads the named arguments of a filter. @throws TypeError for one that the filter does not have */
export function readOptions(filter: string, args: unknown[], names: readonly string[]): DrawingOptions {
  const options: DrawingOptions = {};
  for (const arg of args) {
    const [name, value] = Array.isArray(arg) ? arg : [undefined, arg];
    if (typeof name !== "string" || !names.includes(name))
      throw new TypeError(`Got "${String(name ?? value)}" for ${filter}, want named arguments: ${names.join(", ")}.`);
    options[name] = value;
  }
  return options;
}

type NumberOption = { filter: string; name: string; least: number; most: number; fallback?: number };

/** @throws TypeError for a value that is not a number of the range */
export function numberOption(options: DrawingOptions, { filter, name, least, most, fallback }: NumberOption): number {
  const given = options[name] ?? fallback;
  const number = Number(given);
  if (given !== undefined && number >= least && number <= most) return number;
  throw new TypeError(
    `Got ${String(given ?? "nothing")} for ${name} of ${filter}, want a number from ${least} to ${most}.`,
  );
}
