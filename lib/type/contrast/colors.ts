import {
  blend,
  type Color,
  clampChroma,
  converter,
  differenceEuclidean,
  formatHex,
  interpolate,
  type Oklab,
  parse,
  wcagContrast,
} from "culori";

/** The contrast that WCAG 2.2 asks for in text, as a ratio to one. */
const TEXT_CONTRAST = 4.5;

/** What shows through a translucent ground where nothing else is behind it: the body of a document is white. */
const CANVAS = "#ffffff";
const INKS = ["#000000", "#ffffff"] as const;

/** CIELAB distance from which areas side by side are told apart at a glance. Black and white have 100. */
const VISIBLE_DISTANCE = 10;

/** CIELAB distance from which a pattern is seen on its ground. A pattern lies behind text, so it stays quiet. */
const PATTERN_DISTANCE = 6;

/** CIELAB distance of a pattern that goes away from the ink, where nothing limits it but taste. */
const MAX_PATTERN_DISTANCE = 16;

/** Halvings of a range. The last step is far below one of 255 levels. */
const SEARCH_STEPS = 16;

const toOklab = converter("oklab");
const toOklch = converter("oklch");
const distanceOf = differenceEuclidean("lab65");

function read(color: string): Color {
  const parsed = parse(color);
  if (!parsed) throw new TypeError(`Got the colour "${color.slice(0, 40)}", want a hex colour such as #1d4ed8.`);
  return parsed;
}

/** The nearest colour that a screen shows, of the same lightness and hue, as `#rrggbb`. */
function shown(color: Oklab): string {
  return formatHex(clampChroma(toOklch(color), "oklch"));
}

function lightnessOf(color: string): number {
  return toOklab(read(color)).l;
}

/** The colour of a test's smallest passing amount between `from`, which fails, and `to`, which passes. */
function firstPassing(at: (amount: number) => string, { from, to, passes }: Search): string {
  let [failing, passing] = [from, to];
  for (let step = 0; step < SEARCH_STEPS; step++) {
    const middle = (failing + passing) / 2;
    if (passes(at(middle))) passing = middle;
    else failing = middle;
  }
  return at(passing);
}

type Search = { from: number; to: number; passes: (color: string) => boolean };

/** Gives a colour the first lightness that passes, on the way to black (0) or white (1), whichever passes itself. */
function shiftLightness(color: string, { towards, passes }: { towards: 0 | 1; passes: Search["passes"] }): string {
  const at = (l: number) => shown({ ...toOklab(read(color)), l });
  const to = passes(at(towards)) ? towards : 1 - towards;
  return firstPassing(at, { from: lightnessOf(color), to, passes });
}

/** Draws a translucent colour on a ground, which is drawn on white first. @returns `#rrggbb` */
export function composeOver(color: string, ground: string = CANVAS): string {
  return formatHex(blend([read(CANVAS), read(ground), read(color)], "normal"));
}

/** Black or white, whichever is easier to read. On every ground it has at least 4.58:1. */
export function inkOn(ground: string): string {
  const opaque = composeOver(ground);
  const [black, white] = INKS;
  return wcagContrast(opaque, white) > wcagContrast(opaque, black) ? white : black;
}

/**
 * The colour with this contrast to its ground that differs least from the given one: the same hue, lighter or darker. A
 * ratio that no such colour reaches gives black or white.
 * @param ratio WCAG contrast, such as {@link TEXT_CONTRAST}
 */
export function readableOn(color: string, ground: string, ratio: number = TEXT_CONTRAST): string {
  const paper = composeOver(ground);
  const opaque = composeOver(color, paper);
  const passes = (candidate: string) => wcagContrast(candidate, paper) >= ratio;
  if (passes(opaque)) return opaque;
  if (!passes(inkOn(paper))) return inkOn(paper);
  return shiftLightness(opaque, { towards: lightnessOf(opaque) > lightnessOf(paper) ? 1 : 0, passes });
}

/**
 * A colour that is told apart from its ground: the colour itself, or one of the same hue that is lighter or darker by as
 * much as needed. For areas that carry no text, such as the band of a marker.
 */
export function distinctFrom(color: string, ground: string, distance: number = VISIBLE_DISTANCE): string {
  const paper = composeOver(ground);
  const opaque = composeOver(color, paper);
  const passes = (candidate: string) => distanceOf(candidate, paper) >= distance;
  if (passes(opaque)) return opaque;
  return shiftLightness(opaque, { towards: lightnessOf(opaque) > lightnessOf(paper) ? 1 : 0, passes });
}

/**
 * A ground tinted with a colour, for a pattern behind text. The tint is seen, and the {@link inkOn} of the ground has
 * {@link TEXT_CONTRAST} on it: less of the colour is mixed in if needed, and where even a faint tint would come too close
 * to the ink, the pattern becomes lighter instead of darker, or darker instead of lighter.
 * @param percent how much of the colour is mixed in
 */
export function tintOn(color: string, ground: string, percent: number): string {
  const paper = composeOver(ground);
  const ink = inkOn(paper);
  const mix = interpolate([paper, composeOver(color, paper)], "oklab");
  const at = (amount: number) => shown(toOklab(mix(amount)));
  const isReadable = (candidate: string) => wcagContrast(candidate, ink) >= TEXT_CONTRAST;
  const wanted = distinctFrom(at(percent / 100), paper, PATTERN_DISTANCE);
  if (isReadable(wanted)) return wanted;
  const strongest = firstPassing(at, { from: percent / 100, to: 0, passes: isReadable });
  if (distanceOf(strongest, paper) >= PATTERN_DISTANCE) return strongest;
  const distance = Math.min(distanceOf(wanted, paper), MAX_PATTERN_DISTANCE);
  const isSeen = (candidate: string) => distanceOf(candidate, paper) >= distance && isReadable(candidate);
  return shiftLightness(paper, { towards: ink === "#000000" ? 1 : 0, passes: isSeen });
}
