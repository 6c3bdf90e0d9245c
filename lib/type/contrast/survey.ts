import { GroundColors } from "./ground-colors.ts";
import type { Layer, Rect, TextRun } from "./text-run.ts";

/** A CSS colour for each run, by its id. */
export type Recoloring = [id: number, color: string][];

type Painter = { element: Element; rect: DOMRect; layers: Layer[] };
type Behind = Pick<TextRun, "layers" | "opacity" | "isMixed"> & { cover: Element | undefined };

/**
 * Runs in the page after its texts are fitted: collects every text with its colour and with what may lie behind it. The
 * page gets it as source text, so it refers to nothing outside itself. Judging the colours is left to the service.
 */
class ContrastSurvey {
  styles = new Map<Element, CSSStyleDeclaration>();
  painted = new Map<Element, Layer[]>();
  boxes: [Element, DOMRect][] | undefined;
  pseudos: Painter[] = [];
  readonly colors: GroundColors;

  constructor(colors: GroundColors) {
    this.colors = colors;
  }

  read(hasPseudos: boolean): TextRun[] {
    if (hasPseudos) this.pseudos = this.findPseudos();
    const runs = Array.from(this.textsByParent(), ([parent, texts], id) => this.runOf(parent, texts, id));
    return runs.filter((run) => run !== null);
  }

  /** Gives runs other colours. */
  recolor(colors: Recoloring): void {
    const parents = Array.from(this.textsByParent().keys());
    for (const [id, color] of colors) {
      const parent = parents[id];
      if (!(parent instanceof HTMLElement || parent instanceof SVGElement)) continue;
      const isClip = this.styleOf(parent).backgroundClip.includes("text");
      parent.style.setProperty("-webkit-text-fill-color", color, "important");
      if (parent instanceof SVGElement) parent.style.setProperty("fill", color, "important");
      if (isClip) parent.style.setProperty("background", "none", "important");
    }
  }

  textsByParent(): Map<Element, Text[]> {
    /** Smaller letters are a texture. */
    const LEAST_READ_PX = 8;
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const texts = new Map<Element, Text[]>();
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const parent = node.parentElement;
      if (!parent || !/\S/.test(node.nodeValue ?? "") || parent.closest("[aria-hidden=true],style,title,desc"))
        continue;
      const known = texts.get(parent);
      if (known) known.push(node as Text);
      else if (Number.parseFloat(this.styleOf(parent).fontSize) >= LEAST_READ_PX) texts.set(parent, [node as Text]);
    }
    return texts;
  }

  runOf(parent: Element, texts: Text[], id: number): TextRun | null {
    /** Characters that tell which output a text is. */
    const QUOTED_CHARS = 200;
    const BOLD = 700;
    if (!this.isShown(parent)) return null;
    const rects = texts.flatMap((text) => this.rectsOf(text));
    if (rects.length === 0) return null;
    const style = this.styleOf(parent);
    const { layers, opacity, isMixed } = this.behind(parent, rects);
    return {
      id,
      field: parent.closest<HTMLElement>("[data-fit]")?.dataset.fit ?? "",
      text: texts
        .map((text) => text.data)
        .join("")
        .slice(0, QUOTED_CHARS),
      color: parent instanceof SVGElement ? style.fill : style.getPropertyValue("-webkit-text-fill-color"),
      opacity,
      fontSize: Number.parseFloat(style.fontSize),
      isBold: Number(style.fontWeight) >= BOLD,
      rects,
      layers,
      isMixed,
    };
  }

  /** The lines of a text, as far as they are in the picture. */
  rectsOf(text: Text): Rect[] {
    const range = document.createRange();
    range.selectNodeContents(text);
    return Array.from(range.getClientRects()).flatMap(({ left, top, right, bottom }): Rect[] => {
      const [x, y] = [Math.max(0, left), Math.max(0, top)];
      const [width, height] = [Math.min(innerWidth, right) - x, Math.min(innerHeight, bottom) - y];
      return width > 0 && height > 0 ? [[x, y, width, height]] : [];
    });
  }

  /** What the elements around a text and those that overlap it draw behind the text. */
  behind(parent: Element, rects: Rect[]): Behind {
    const found = this.behindOf(parent, rects);
    const over = this.paintersOver(parent, rects).filter((painter) => !this.isBelow(painter, rects, found.cover));
    const [only] = over;
    const isFlat = found.layers.length <= 1;
    if (only && over.length === 1 && isFlat && only.layers.at(-1)?.covers && this.isWithin(rects, only.rect))
      return { ...found, layers: only.layers };
    const partial = [...over, ...this.pseudos.filter(({ rect }) => this.colors.meets(rects, rect))].flatMap(
      ({ layers }) => layers.map(({ colors }) => ({ colors, covers: false })),
    );
    return { ...found, layers: [...partial, ...found.layers] };
  }

  behindOf(parent: Element, rects: Rect[]): Behind {
    const behind: Behind = { layers: [], opacity: 1, isMixed: false, cover: undefined };
    for (let element: Element | null = parent; element; element = element.parentElement) {
      const style = this.styleOf(element);
      if (!behind.cover) {
        const box = element.getBoundingClientRect();
        const isAround = this.isWithin(rects, box);
        for (const layer of this.backgroundOf(style, { box, rects })) {
          const covers = layer.covers && isAround;
          behind.layers.push({ colors: layer.colors, covers });
          if (covers) behind.cover = element;
        }
      }
      const opacity = Number(style.opacity);
      // A faded text on its own faded background mixes both with what is below.
      if (opacity < 1 && behind.layers.length > 0) behind.isMixed = true;
      behind.opacity *= opacity;
      const isFiltered = style.filter !== "none" && /(?:^|\) )(?!drop-shadow\()[a-z-]+\(/.test(style.filter);
      const isClip = element === parent && style.backgroundClip.includes("text");
      if (style.mixBlendMode !== "normal" || isFiltered || isClip) behind.isMixed = true;
    }
    return behind;
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
  paintersOver(parent: Element, rects: Rect[]): Painter[] {
    this.boxes ??= Array.from(document.body.querySelectorAll("*"))
      .filter((element) => !(element instanceof SVGElement && element.ownerSVGElement))
      .map((element): [Element, DOMRect] => [element, element.getBoundingClientRect()])
      .filter(([, { width, height }]) => width > 0 && height > 0);
    return this.boxes.flatMap(([element, rect]) => {
      if (!this.colors.meets(rects, rect) || element.contains(parent) || parent.contains(element)) return [];
      const layers = this.paintOf(element, rects);
      return layers.length > 0 ? [{ element, rect, layers }] : [];
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
    const isShaped = [style.maskImage, style.clipPath].some((value) => value !== "none" && value !== "");
    const isFaded = Number(style.opacity) < 1 || style.borderRadius !== "0px" || style.transform !== "none";
    const isBlended = style.mixBlendMode !== "normal" || style.filter !== "none";
    return this.backgroundOf(style).map(({ colors, covers }) => ({
      colors: isBlended ? [] : colors,
      covers: covers && !isShaped && !isFaded,
    }));
  }

  /** Whether something is hidden by the element that covers everything behind the text. */
  isBelow({ element, rect }: Painter, rects: Rect[], cover: Element | undefined): boolean {
    const [left, top, width, height] = rects.find((own) => this.colors.meets([own], rect)) ?? [0, 0, 0, 0];
    const x = (Math.max(left, rect.left) + Math.min(left + width, rect.right)) / 2;
    const y = (Math.max(top, rect.top) + Math.min(top + height, rect.bottom)) / 2;
    const stack = document.elementsFromPoint(x, y);
    const [own, covering] = [stack.indexOf(element), cover ? stack.indexOf(cover) : -1];
    return own >= 0 && covering >= 0 && covering < own;
  }

  /** The boxes that `::before` and `::after` paint, placed as exactly as the page tells. */
  findPseudos(): Painter[] {
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

  /** Whether the letters are inside a box. The line box of tight type is higher than its letters. */
  isWithin(rects: Rect[], { left, top, right, bottom }: DOMRect): boolean {
    /** The part of a line's height, above and below, that has no letters. */
    const SLACK = 0.2;
    return rects.every(([x, y, width, height]) => {
      const slack = height * SLACK;
      return x >= left - slack && x + width <= right + slack && y + slack >= top && y + height - slack <= bottom;
    });
  }
}

function newSurvey(): string {
  return `new (${ContrastSurvey.toString()})(new (${GroundColors.toString()})())`;
}

/** The JavaScript expression that collects the texts of a document. Its value is `TextRun[]`. */
export function surveyExpression(css: string): string {
  return `${newSurvey()}.read(${/:(?:before|after)\b/.test(css)})`;
}

/** The JavaScript expression that gives runs other colours. */
export function recolorExpression(colors: Recoloring): string {
  return `${newSurvey()}.recolor(${JSON.stringify(colors)})`;
}
