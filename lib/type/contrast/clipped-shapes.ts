import type { Rect } from "./text-run.ts";

type Point = [x: number, y: number];
type Side = [from: Point, to: Point];

/**
 * Runs in the page: tells whether a text is inside the shape that `clip-path` leaves of an element. The page gets it as source
 * text, so it refers to nothing outside itself but types.
 */
export class ClippedShapes {
  /**
   * Whether all letters are inside the shape. False for shapes other than polygons.
   * @param clipPath as computed
   * @param box the border box of an element that is not transformed
   */
  holds(clipPath: string, box: DOMRect, rects: Rect[]): boolean {
    const corners = this.cornersOf(clipPath, box);
    if (!corners) return false;
    const sides = this.sidesOf(corners);
    return rects.every((rect) => {
      const letters = this.lettersOf(rect);
      const isCut = this.sidesOf(letters).some((own) => sides.some((side) => this.doMeet(own, side)));
      // No side of the polygon divides the letters, so one point of them tells where all are.
      return !isCut && letters.slice(0, 1).every((point) => this.isInside(sides, point));
    });
  }

  sidesOf(corners: Point[]): Side[] {
    return corners.map((corner, index) => [corners.at(index - 1) ?? corner, corner]);
  }

  /** The corners of the letters of a line. Its line box is higher than they are. */
  lettersOf([left, top, width, height]: Rect): Point[] {
    /** The part of a line's height, above and below, that has no letters. */
    const SLACK = 0.2;
    const [first, last] = [top + height * SLACK, top + height * (1 - SLACK)];
    return [
      [left, first],
      [left + width, first],
      [left + width, last],
      [left, last],
    ];
  }

  /** The corners of a polygon in the page. Undefined for another shape, and for one in another box than that of the border. */
  cornersOf(clipPath: string, { left, top, width, height }: DOMRect): Point[] | undefined {
    const inner = /^polygon\((?:(?:nonzero|evenodd), )?((?:[^()]|calc\([^()]*\))*)\)$/.exec(clipPath)?.[1];
    const pairs = inner?.split(", ").map((pair) => pair.match(/calc\([^()]*\)|[^\s()]+/g) ?? []);
    const corners = pairs?.map(([x, y]): [number, number] => [
      left + this.pixelsOf(x ?? "", width),
      top + this.pixelsOf(y ?? "", height),
    ]);
    return corners?.flat().every(Number.isFinite) ? corners : undefined;
  }

  /** A length such as `calc(100% - 20px)`. NaN for another unit. */
  pixelsOf(length: string, whole: number): number {
    const terms = /^(?:calc\()?((?:\s*[+-]?\s*[\d.]+(?:px|%))+)\)?$/.exec(length)?.[1] ?? "?px";
    return Array.from(terms.matchAll(/([+-]?)\s*([\d.]+|\?)(px|%)/g)).reduce((sum, [, sign, number, unit]) => {
      const pixels = unit === "%" ? (Number(number) * whole) / 100 : Number(number);
      return sum + (sign === "-" ? -pixels : pixels);
    }, 0);
  }

  /** Whether two line segments touch. */
  doMeet([a, b]: Side, [c, d]: Side): boolean {
    const side = ([fromX, fromY]: Point, [toX, toY]: Point, [x, y]: Point) =>
      Math.sign((toX - fromX) * (y - fromY) - (toY - fromY) * (x - fromX));
    return side(a, b, c) !== side(a, b, d) && side(c, d, a) !== side(c, d, b);
  }

  /** By the even-odd rule. */
  isInside(sides: Side[], [x, y]: Point): boolean {
    const crossed = sides.filter(
      ([[fromX, fromY], [toX, toY]]) =>
        fromY > y !== toY > y && x < fromX + ((y - fromY) / (toY - fromY)) * (toX - fromX),
    );
    return crossed.length % 2 === 1;
  }
}
