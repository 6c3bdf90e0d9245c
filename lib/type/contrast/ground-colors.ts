import type { Layer, Rect } from "./text-run.ts";

/**
 * A shape of a drawing. Only an `exact` one is tested at a point; it has the matrix from the page to its own coordinates once it
 * was tested.
 */
type Shape = {
  rect: DOMRect;
  fill: string;
  stroke: string;
  isSolid: boolean;
  /** Stroke and fill, as far as it has them. */
  paints: string[];
  exact: SVGGeometryElement | undefined;
  toShape?: DOMMatrix | undefined;
};
type Stop = { color: [number, number, number]; at: number };

/**
 * Runs in the page: finds the colours that a gradient or a drawing has behind a text, rather than anywhere. The page gets
 * it as source text, so it refers to nothing outside itself but types.
 */
export class GroundColors {
  shapes = new Map<Element, Shape[] | null>();

  /** The colours of a linear gradient where the text is. Undefined for any other gradient. */
  ofGradient(style: CSSStyleDeclaration, box: DOMRect, rects: Rect[]): string[] | undefined {
    const inner = /^linear-gradient\(((?:[^()]|\([^()]*\))*)\)$/.exec(style.backgroundImage)?.[1];
    if (inner === undefined || style.backgroundSize !== "auto" || style.backgroundPosition !== "0% 0%")
      return undefined;
    const parts = inner.split(/,\s*(?![^()]*\))/);
    const sides: Record<string, number> = { "to top": 0, "to right": 90, "to bottom": 180, "to left": 270 };
    const angle = /^-?[\d.]+deg$/.test(parts[0] ?? "") ? Number.parseFloat(parts[0] ?? "") : sides[parts[0] ?? ""];
    const stops = this.stopsOf(angle === undefined ? parts : parts.slice(1));
    if (!stops || box.width === 0 || box.height === 0) return undefined;
    const radians = ((angle ?? 180) * Math.PI) / 180;
    const [across, down] = [Math.sin(radians), -Math.cos(radians)];
    const length = Math.abs(box.width * across) + Math.abs(box.height * down);
    const places = rects.flatMap(([x, y, width, height]) =>
      [x, x + width].flatMap((left) =>
        [y, y + height].map((top) => {
          const [fromX, fromY] = [left - box.left - box.width / 2, top - box.top - box.height / 2];
          return Math.min(1, Math.max(0, (fromX * across + fromY * down) / length + 0.5));
        }),
      ),
    );
    const [first, last] = [Math.min(...places), Math.max(...places)];
    const within = stops.filter(({ at }) => at >= first && at <= last).map(({ color }) => color);
    const colors = [this.colorAt(stops, first), ...within, this.colorAt(stops, last)];
    return colors.map((color) => `rgb(${color.map((value) => Math.round(value)).join(", ")})`);
  }

  /** Reads stops such as `rgb(147, 51, 234) 50%`. Undefined for other units, for transparency and for colour spaces. */
  stopsOf(parts: string[]): Stop[] | undefined {
    const read = parts.map((part) => /^rgb\((\d+), (\d+), (\d+)\)(?: ([\d.]+)%)?$/.exec(part));
    const stops: { color: [number, number, number]; at: number | undefined }[] = [];
    for (const found of read) {
      if (!found) return undefined;
      const [, red, green, blue, at] = found;
      const color: [number, number, number] = [Number(red), Number(green), Number(blue)];
      stops.push({ color, at: at === undefined ? undefined : Number(at) / 100 });
    }
    const places = stops.map(({ at }, index) => at ?? (index === 0 ? 0 : index === stops.length - 1 ? 1 : undefined));
    return stops.map(({ color }, index) => {
      const known = places[index];
      if (known !== undefined) return { color, at: known };
      const before = places.findLastIndex((place, other) => other < index && place !== undefined);
      const after = places.findIndex((place, other) => other > index && place !== undefined);
      const [start, end] = [places[before] ?? 0, places[after] ?? 1];
      return { color, at: start + ((end - start) * (index - before)) / (after - before) };
    });
  }

  colorAt(stops: Stop[], place: number): [number, number, number] {
    const next = stops.findIndex(({ at }) => at >= place);
    const [before, after] = [
      stops[Math.max(0, next < 0 ? stops.length - 1 : next - 1)],
      stops[next < 0 ? stops.length - 1 : next],
    ];
    if (!before || !after || after.at <= before.at) return after?.color ?? [0, 0, 0];
    const share = Math.max(0, (place - before.at) / (after.at - before.at));
    return before.color.map((value, channel) => value + ((after.color[channel] ?? 0) - value) * share) as Stop["color"];
  }

  /** The colours of inline SVG at points across the text, from the shape on top to the first opaque one below it. */
  ofDrawing(drawing: SVGElement, rects: Rect[]): Layer[] {
    const shapes = this.shapesOf(drawing);
    if (!shapes) return [{ colors: [], covers: false }];
    const near = shapes.filter(({ rect }) => this.meets(rects, rect));
    if (near.length === 0) return [];
    const colors = new Set<string>();
    let covers = true;
    for (const [x, y] of this.pointsOf(rects)) {
      const isCovered = near.some((shape) => {
        const hit = this.hit(shape, x, y);
        for (const color of hit.colors) colors.add(color);
        return hit.isSolid;
      });
      covers &&= isCovered;
    }
    return colors.size === 0 ? [] : [{ colors: Array.from(colors), covers }];
  }

  /** The visible shapes, the topmost first; null where a drawing has more than flat shapes. */
  shapesOf(drawing: SVGElement): Shape[] | null {
    const known = this.shapes.get(drawing);
    if (known !== undefined) return known;
    const isFlat = !drawing.querySelector(
      "image,foreignObject,filter,mask,clipPath,linearGradient,radialGradient,pattern",
    );
    const elements = drawing.querySelectorAll<SVGElement>("path,rect,circle,ellipse,line,polyline,polygon,text,use");
    const shapes = isFlat ? Array.from(elements, (element) => this.shapeOf(element)).reverse() : null;
    this.shapes.set(drawing, shapes);
    return shapes;
  }

  shapeOf(element: SVGElement): Shape {
    const { fill, stroke, strokeWidth, opacity, fillOpacity, strokeOpacity } = getComputedStyle(element);
    const { left, top, width, height } = element.getBoundingClientRect();
    const margin = stroke === "none" ? 0 : Number.parseFloat(strokeWidth) || 0;
    const rect = new DOMRect(left - margin, top - margin, width + 2 * margin, height + 2 * margin);
    const isSolid = [opacity, fillOpacity, strokeOpacity].every((value) => Number(value) === 1);
    const paints = [stroke, fill].filter((paint) => paint !== "none");
    const exact = element instanceof SVGGeometryElement && this.isSimple(element) ? element : undefined;
    return { rect, fill, stroke, isSolid, paints, exact };
  }

  hit(shape: Shape, x: number, y: number): { colors: string[]; isSolid: boolean } {
    const { rect, fill, stroke, isSolid, paints, exact } = shape;
    if (x < rect.left || x > rect.right || y < rect.top || y > rect.bottom) return { colors: [], isSolid: false };
    if (!exact) return { colors: paints, isSolid: false };
    shape.toShape ??= exact.getScreenCTM()?.inverse();
    const point = new DOMPoint(x, y).matrixTransform(shape.toShape);
    if (stroke !== "none" && exact.isPointInStroke(point))
      return { colors: [stroke], isSolid: isSolid && this.isOpaque(stroke) };
    if (fill !== "none" && exact.isPointInFill(point))
      return { colors: [fill], isSolid: isSolid && this.isOpaque(fill) };
    return { colors: [], isSolid: false };
  }

  /** Whether a shape is cheap to test at a point. An engraved one of thousands of curves is taken as it is. */
  isSimple(element: SVGGeometryElement): boolean {
    const MAX_PATH_CHARS = 500;
    return (element.getAttribute("d")?.length ?? 0) <= MAX_PATH_CHARS;
  }

  isOpaque(color: string): boolean {
    return color.startsWith("rgb(") || (color.includes("(") && !color.includes("/") && !color.startsWith("rgba("));
  }

  /** A grid of points in the lines of a text, about as many across as a line has words. */
  pointsOf(rects: Rect[]): [number, number][] {
    const MAX_ACROSS = 12;
    const DOWN = [0.3, 0.5, 0.7];
    return rects.flatMap(([left, top, width, height]) => {
      const count = Math.min(MAX_ACROSS, Math.max(3, Math.ceil(width / height)));
      return Array.from({ length: count }, (_, index) => left + (width * (index + 0.5)) / count).flatMap((x) =>
        DOWN.map((share): [number, number] => [x, top + height * share]),
      );
    });
  }

  meets(rects: Rect[], { left, top, right, bottom }: DOMRect): boolean {
    return rects.some(([x, y, width, height]) => x < right && x + width > left && y < bottom && y + height > top);
  }
}
