import type { ClippedShapes } from "./clipped-shapes.ts";
import type { GroundColors } from "./ground-colors.ts";
import type { Layer, Rect } from "./text-run.ts";

/** An element that paints something, where it does, and its layers from the top down. */
export type Painter = { element: Element; rect: DOMRect; layers: Layer[] };

/**
 * Runs in the page: tells what elements paint, and which of them paint where a text is. The page gets it as source text, so it
 * refers to nothing outside itself but types.
 */
export class Painters {
  styles = new Map<Element, CSSStyleDeclaration>();
  painted = new Map<Element, Layer[]>();
  boxes = new Map<Element, DOMRect>();
  /** The elements that may paint something, and where. */
  candidates: [Element, DOMRect][] | undefined;
  readonly colors: GroundColors;
  readonly shapes: ClippedShapes;

  constructor(colors: GroundColors, shapes: ClippedShapes) {
    this.colors = colors;
    this.shapes = shapes;
  }

  /** The layers of an element's own background, from the top down. */
  backgroundOf(style: CSSStyleDeclaration, place?: { box: DOMRect; rects: Rect[] }): Layer[] {
    const layers: Layer[] = [];
    if (style.backgroundImage !== "none") {
      const isGradient = !/url\(|image-set\(|cross-fade\(|element\(|paint\(/.test(style.backgroundImage);
      const colors = style.backgroundImage.match(/\b(?:rgba?|hsla?|hwb|lab|lch|oklab|oklch|color)\([^()]*\)/g) ?? [];
      const isWhole = style.backgroundRepeat === "repeat" && colors.every((color) => this.alphaOf(color) === 1);
      const seen = place && this.colors.ofGradient(style, place.box, place.rects);
      layers.push({ colors: seen ?? (isGradient ? Array.from(new Set(colors)) : []), covers: isGradient && isWhole });
    }
    // What is behind a glass pane is blurred or recoloured.
    const glass = style.getPropertyValue("backdrop-filter");
    const alpha = this.alphaOf(style.backgroundColor);
    if (alpha > 0) layers.push({ colors: [style.backgroundColor], covers: alpha === 1 });
    if (glass !== "none" && glass !== "" && alpha < 1) layers.push({ colors: [], covers: false });
    return layers;
  }

  /** The elements that are drawn where the text is, other than those around it and in it. */
  over(parent: Element, rects: Rect[]): Painter[] {
    // A text of many scripts has thousands of elements, one for each change of its face. They paint nothing.
    this.candidates ??= Array.from(document.body.querySelectorAll("*"))
      .filter((element) => !(element instanceof SVGElement && element.ownerSVGElement))
      .filter((element) => element instanceof SVGElement || this.paintOf(element, []).length > 0)
      .map((element): [Element, DOMRect] => [element, this.boxOf(element)])
      .filter(([, { width, height }]) => width > 0 && height > 0);
    return this.candidates.flatMap(([element, rect]) => {
      if (!this.colors.meets(rects, rect) || element.contains(parent) || parent.contains(element)) return [];
      const layers = this.paintOf(element, rects);
      if (layers.length === 0) return [];
      const { clipPath } = this.styleOf(element);
      const isCut = clipPath !== "none" && !this.shapes.holds(clipPath, rect, rects);
      return [{ element, rect, layers: isCut ? layers.map(({ colors }) => ({ colors, covers: false })) : layers }];
    });
  }

  paintOf(element: Element, rects: Rect[]): Layer[] {
    if (element instanceof SVGElement) return this.isShown(element) ? this.colors.ofDrawing(element, rects) : [];
    const known = this.painted.get(element);
    if (known) return known;
    const layers = this.readPaint(element);
    this.painted.set(element, layers);
    return layers;
  }

  readPaint(element: Element): Layer[] {
    const style = this.styleOf(element);
    if (!this.isShown(element)) return [];
    if (/^(?:img|canvas|video)$/i.test(element.tagName)) return [{ colors: [], covers: false }];
    const isMasked = style.maskImage !== "none" && style.maskImage !== "";
    const isFaded = Number(style.opacity) < 1 || style.borderRadius !== "0px" || style.transform !== "none";
    const isBlended = style.mixBlendMode !== "normal" || style.filter !== "none";
    return this.backgroundOf(style).map(({ colors, covers }) => ({
      colors: isBlended ? [] : colors,
      covers: covers && !isMasked && !isFaded,
    }));
  }

  /** Whether something is hidden by the element that covers everything behind the text. */
  isBelow({ element, rect }: Painter, rects: Rect[], cover: Element | undefined): boolean {
    if (!cover || (cover.contains(element) && !this.isSunk(element, cover))) return false;
    const [left, top, width, height] = rects.find((own) => this.colors.meets([own], rect)) ?? [0, 0, 0, 0];
    const x = (Math.max(left, rect.left) + Math.min(left + width, rect.right)) / 2;
    const y = (Math.max(top, rect.top) + Math.min(top + height, rect.bottom)) / 2;
    const stack = document.elementsFromPoint(x, y);
    const [own, covering] = [stack.indexOf(element), stack.indexOf(cover)];
    return own >= 0 && covering >= 0 && covering < own;
  }

  /** Whether an element may be drawn below the background of one around it. Finding out takes the browser long in drawings. */
  isSunk(element: Element, around: Element): boolean {
    for (let at: Element | null = element; at && at !== around; at = at.parentElement)
      if (Number(this.styleOf(at).zIndex) < 0) return true;
    return false;
  }

  /** The boxes that `::before` and `::after` paint, placed as exactly as the page tells. */
  pseudos(): Painter[] {
    return Array.from(document.body.querySelectorAll("*")).flatMap((element) =>
      ["::before", "::after"].flatMap((name): Painter[] => {
        const style = getComputedStyle(element, name);
        if (style.content === "none" || style.content === "normal") return [];
        const layers = this.backgroundOf(style);
        if (layers.length === 0) return [];
        const origin = element.getBoundingClientRect();
        const isPlaced = style.position === "absolute" && this.styleOf(element).position !== "static";
        const [left, top, width, height] = ["left", "top", "width", "height"].map((side) =>
          Number.parseFloat(style.getPropertyValue(side)),
        ) as [number, number, number, number];
        if (style.position === "static" || style.position === "relative") return [{ element, rect: origin, layers }];
        const whole = new DOMRect(0, 0, innerWidth, innerHeight);
        const isKnown = isPlaced && [left, top, width, height].every((value) => !Number.isNaN(value));
        const rect = isKnown ? new DOMRect(origin.left + left, origin.top + top, width, height) : whole;
        return [{ element, rect, layers }];
      }),
    );
  }

  /** The box around an element. The browser looks at each line of an inline one, and many texts are in the same elements. */
  boxOf(element: Element): DOMRect {
    const known = this.boxes.get(element);
    if (known) return known;
    const box = element.getBoundingClientRect();
    this.boxes.set(element, box);
    return box;
  }

  isShown(element: Element): boolean {
    return element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  }

  styleOf(element: Element): CSSStyleDeclaration {
    const known = this.styles.get(element);
    if (known) return known;
    const style = getComputedStyle(element);
    this.styles.set(element, style);
    return style;
  }

  alphaOf(color: string): number {
    const alpha = /^rgba\(.*,\s*([\d.]+)\)$/.exec(color)?.[1] ?? /\/\s*([\d.]+)\)$/.exec(color)?.[1];
    return alpha === undefined ? 1 : Number(alpha);
  }
}
