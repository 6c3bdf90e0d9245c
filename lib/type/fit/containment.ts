/** How far a box reaches over the edges of another, in CSS pixels; negative inside. */
type Edges = { left: number; top: number; right: number; bottom: number };

/**
 * A box without children, one around it, and how far it reached over that one's edges before there was text. A box that is
 * no text has a size: where that grows with a text, the box is a ground that its designer stretched.
 */
type Watched = { element: Element; around: Element; free: Edges; size: Size | undefined };

type Size = { width: number; height: number };

/** A box that texts have pushed over an edge, by so many CSS pixels along and across the lines of horizontal text. */
export type Overflow = { element: Element; around: Element; across: number; along: number };

/**
 * Finds the boxes that texts push over the edges of those around them. It compares with the layout without any text, in
 * which every box is where its designer wants it, so tracks and boxes that grow with a text hide nothing. The page gets it
 * as source text, so it refers to nothing outside itself but types.
 */
export class Containment {
  watched: Watched[] = [];
  /** The width of padding and border of an element. */
  insets = new Map<Element, Edges>();
  /** What rounding may add, in CSS pixels. */
  tolerance = 1;

  /** Call it while the fitted elements are empty. */
  watch(fitted: HTMLElement[]): void {
    const texts = new Set<Element>(fitted);
    const boxes = new Map<Element, Edges>();
    const visit = (element: Element, around: Element[]): boolean => {
      if (element instanceof SVGElement) return false;
      const style = getComputedStyle(element);
      // It has no box, but those in it have.
      if (style.display === "contents" && !texts.has(element))
        return Array.from(element.children, (child) => visit(child, around)).includes(true);
      if (/^(?:inline|contents|none)$/.test(style.display)) return false;
      this.insets.set(element, this.insetsOf(style));
      const inner = texts.has(element) ? [] : Array.from(element.children);
      const hasBoxes = inner.map((child) => visit(child, [...around, element])).includes(true);
      if (hasBoxes) return true;
      for (const outer of around.toReversed())
        this.watched.push({
          element,
          around: outer,
          free: this.edgesOf(element, outer, boxes),
          size: texts.has(element) ? undefined : this.sizeOf(element, boxes),
        });
      return true;
    };
    visit(document.body, []);
  }

  insetsOf(style: CSSStyleDeclaration): Edges {
    const of = (side: string) =>
      (Number.parseFloat(style.getPropertyValue(`padding-${side}`)) || 0) +
      (Number.parseFloat(style.getPropertyValue(`border-${side}-width`)) || 0);
    return { left: of("left"), top: of("top"), right: of("right"), bottom: of("bottom") };
  }

  /** The content box of an element. */
  contentOf(element: Element, boxes: Map<Element, Edges>): Edges {
    const known = boxes.get(element);
    if (known) return known;
    const { left, top, right, bottom } = element.getBoundingClientRect();
    const inset = this.insets.get(element) ?? { left: 0, top: 0, right: 0, bottom: 0 };
    const box = {
      left: left + inset.left,
      top: top + inset.top,
      right: right - inset.right,
      bottom: bottom - inset.bottom,
    };
    boxes.set(element, box);
    return box;
  }

  sizeOf(element: Element, boxes: Map<Element, Edges>): Size {
    const { left, top, right, bottom } = this.contentOf(element, boxes);
    return { width: right - left, height: bottom - top };
  }

  edgesOf(element: Element, around: Element, boxes: Map<Element, Edges>): Edges {
    const [inner, outer] = [this.contentOf(element, boxes), this.contentOf(around, boxes)];
    return {
      left: outer.left - inner.left,
      top: outer.top - inner.top,
      right: inner.right - outer.right,
      bottom: inner.bottom - outer.bottom,
    };
  }

  overflows(): Overflow[] {
    const boxes = new Map<Element, Edges>();
    const found = new Map<Element, Overflow>();
    for (const { element, around, free, size } of this.watched) {
      const edges = this.edgesOf(element, around, boxes);
      const now = this.sizeOf(element, boxes);
      const isStretched = (side: keyof Size) => size !== undefined && now[side] > size[side] + this.tolerance;
      const over = (edge: keyof Edges) => {
        const more = edges[edge] - Math.max(0, free[edge]);
        return more > this.tolerance ? more : 0;
      };
      const across = isStretched("height") ? 0 : over("top") + over("bottom");
      const along = isStretched("width") ? 0 : over("left") + over("right");
      // The nearest box that it leaves counts: what stands in that box pushed it.
      if ((across > 0 || along > 0) && !found.has(element)) found.set(element, { element, around, across, along });
    }
    return [...found.values()].sort((a, b) => Math.max(b.across, b.along) - Math.max(a.across, a.along));
  }
}
