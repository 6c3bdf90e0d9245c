import { blend, type Color, converter, parse, type Rgb, wcagLuminance } from "culori";
import { SHAPE_RULE } from "./shape-rule.ts";
import type { TextRun } from "./text-run.ts";

/** WCAG 2.2, success criterion 1.4.3, with its 18 pt, and 14 pt in bold, in CSS pixels. */
const TEXT_RATIO = 4.5;
const LARGE_TEXT_RATIO = 3;
const LARGE_PX = 24;
const LARGE_BOLD_PX = 18.66;

/** The part of a text that may have too little contrast: a corner of a picture, a thin line of a pattern. */
const TOLERATED_SHARE = 0.1;

/** With more combinations of overlapping colours than this, the picture is looked at instead. */
const MAX_GROUNDS = 64;

/** WCAG adds this to both luminances of a ratio. */
const FLARE = 0.05;

const WHITE: Rgb = { mode: "rgb", r: 1, g: 1, b: 1 };

const toRgb = converter("rgb");

/** The contrast that a text needs, and the part of it that may have less. */
export type Need = { ratio: number; toleratedShare: number };

/** Whether letters are judged by {@link SHAPE_RULE}. */
export function isShape({ fontSize, isMixed }: TextRun): boolean {
  return isMixed && fontSize >= SHAPE_RULE.leastSize;
}

export function needOf(run: TextRun): Need {
  if (isShape(run)) return { ratio: SHAPE_RULE.ratio, toleratedShare: SHAPE_RULE.toleratedShare };
  const { fontSize, isBold } = run;
  const isLarge = fontSize >= LARGE_PX || (isBold && fontSize >= LARGE_BOLD_PX);
  return { ratio: isLarge ? LARGE_TEXT_RATIO : TEXT_RATIO, toleratedShare: TOLERATED_SHARE };
}

/** The contrast of two relative luminances: 1 for equal ones, 21 for black and white. */
export function ratioOf(a: number, b: number): number {
  return (Math.max(a, b) + FLARE) / (Math.min(a, b) + FLARE);
}

/** Reads a CSS colour as the screen shows it. */
function readColor(css: string): Rgb | undefined {
  const color = parse(css);
  if (!color) return undefined;
  const rgb = toRgb(color);
  const clip = (value: number) => Math.min(1, Math.max(0, value));
  return { ...rgb, r: clip(rgb.r), g: clip(rgb.g), b: clip(rgb.b) };
}

function draw(color: Color, ground: Color): Rgb {
  return toRgb(blend([ground, color], "normal"));
}

/** The colour of the letters, where it is that of the picture too. */
export function inkOf({ color, opacity, isMixed }: TextRun): Rgb | undefined {
  const ink = isMixed ? undefined : readColor(color);
  return ink && { ...ink, alpha: (ink.alpha ?? 1) * opacity };
}

/** Every colour that the ground may have somewhere behind a text; undefined when that cannot be known. */
function groundsOf({ layers }: TextRun): Rgb[] | undefined {
  const bottom = layers.findIndex(({ covers }) => covers);
  let grounds: Rgb[] = [WHITE];
  for (const { colors, covers } of layers.slice(0, bottom < 0 ? layers.length : bottom + 1).toReversed()) {
    const read = colors.map(readColor);
    const known = read.filter((color) => color !== undefined);
    if (known.length === 0 || known.length < read.length) return undefined;
    const drawn = known.flatMap((color) => grounds.map((ground) => draw(color, ground)));
    grounds = covers ? drawn : [...drawn, ...grounds];
    if (grounds.length > MAX_GROUNDS) return undefined;
  }
  return grounds;
}

/**
 * The contrast of a text by its computed colours: `least` bounds it where several colours may be behind the text, and
 * `isExact` says that there is only one. Undefined when the colours are not known.
 */
export type KnownContrast = { least: number; isExact: boolean };

export function knownContrast(run: TextRun): KnownContrast | undefined {
  const [ink, grounds] = [inkOf(run), groundsOf(run)];
  if (!ink || !grounds) return undefined;
  const inks = grounds.map((ground) => wcagLuminance(draw(ink, ground)));
  const luminances = grounds.map((ground) => wcagLuminance(ground));
  const [low, high] = [Math.min(...luminances), Math.max(...luminances)];
  // Between two colours of a gradient there may be one that equals the ink.
  const isBetween = low < high && inks.some((luminance) => luminance >= low && luminance <= high);
  const ratios = luminances.map((luminance, index) => ratioOf(luminance, inks[index] ?? luminance));
  return { least: isBetween ? 1 : Math.min(...ratios), isExact: low === high };
}

/** Whether only the picture can tell if a text is readable. */
export function isUnclear(run: TextRun): boolean {
  const known = knownContrast(run);
  return !known || (!known.isExact && known.least < needOf(run).ratio);
}
