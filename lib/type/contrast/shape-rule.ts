/**
 * How letters are judged that are cut out of a picture. WCAG presupposes letters of one colour, and counts an outline as
 * part of them. Large letters are recognised by their contour, which the eye completes over gaps. So each place of the
 * contour counts with the best contrast near it, in the letter or in an outline, and most places have to stand out.
 */
export const SHAPE_RULE = {
  /** Smaller letters are judged like those of one colour. In CSS pixels. */
  leastSize: 96,
  /** Less than WCAG wants of large text: the strokes of such letters are 15 pixels wide and more. */
  ratio: 2,
  toleratedShare: 0.4,
  /** How far from the contour its colours count, in multiples of the font size and at least in pixels. */
  reachEm: 0.015,
  leastReach: 4,
};

/** How far from the contour of letters of this size the colours count, in whole pixels. */
export function shapeReach(fontSize: number): number {
  return Math.max(SHAPE_RULE.leastReach, Math.round(fontSize * SHAPE_RULE.reachEm));
}

/** The offsets at which colours near a place of a contour are looked up. */
export function offsetsWithin(reach: number): [x: number, y: number][] {
  const steps = Array.from({ length: reach }, (_, index) => index + 1);
  const sides = [-1, 0, 1].flatMap((x) => [-1, 0, 1].map((y): [number, number] => [x, y]));
  const ring = sides.filter(([x, y]) => x !== 0 || y !== 0);
  return [[0, 0], ...steps.flatMap((step) => ring.map(([x, y]): [number, number] => [x * step, y * step]))];
}
