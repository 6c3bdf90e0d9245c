import { keptInPage } from "../kept-in-page.ts";
import { ClippedShapes } from "./clipped-shapes.ts";
import { GroundColors } from "./ground-colors.ts";
import { type Painter, Painters } from "./painters.ts";
import type { Rect, TextRun } from "./text-run.ts";

/** A CSS colour for each run, by its id. */
export type Recoloring = [id: number, color: string][];

type Behind = Pick<TextRun, "layers" | "opacity" | "isMixed"> & { cover: Element | undefined };

/**
 * Runs in the page after its texts are fitted: collects every text with its colour and with what may lie behind it. The
 * page gets it as source text, so it refers to nothing outside itself. Judging the colours is left to the service.
 */
class ContrastSurvey {
  readonly painters: Painters;
  pseudos: Painter[] = [];

  constructor(painters: Painters) {
    this.painters = painters;
  }

  read(hasPseudos: boolean): TextRun[] {
    if (hasPseudos) this.pseudos = this.painters.pseudos();
    const runs = Array.from(this.textsByParent(), ([parent, texts], id) => this.runOf(parent, texts, id));
    return runs.filter((run) => run !== null);
  }

  /** Gives runs other colours. */
  recolor(colors: Recoloring): void {
    const parents = Array.from(this.textsByParent().keys());
    for (const [id, color] of colors) {
      const parent = parents[id];
      if (!(parent instanceof HTMLElement || parent instanceof SVGElement)) continue;
      const isClip = this.painters.styleOf(parent).backgroundClip.includes("text");
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
      else if (Number.parseFloat(this.painters.styleOf(parent).fontSize) >= LEAST_READ_PX)
        texts.set(parent, [node as Text]);
    }
    return texts;
  }

  runOf(parent: Element, texts: Text[], id: number): TextRun | null {
    /** Characters that tell which output a text is. */
    const QUOTED_CHARS = 200;
    const BOLD = 700;
    if (!this.painters.isShown(parent)) return null;
    const seen = this.seenBox(parent);
    const rects = texts.flatMap((text) => this.rectsOf(text, seen));
    if (rects.length === 0) return null;
    const style = this.painters.styleOf(parent);
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

  /** The part of the picture that elements around a text leave of it. The line boxes of tight type reach further. */
  seenBox(parent: Element): { left: number; top: number; right: number; bottom: number } {
    const seen = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
    for (let element: Element | null = parent; element; element = element.parentElement) {
      const { overflowX, overflowY, position } = this.painters.styleOf(element);
      if (position === "fixed") break;
      // Another element does not cut off what is placed in one further out.
      if (overflowX === "visible" || overflowY === "visible" || position === "static") continue;
      const { left, top, right, bottom } = this.painters.boxOf(element);
      seen.left = Math.max(seen.left, left);
      seen.top = Math.max(seen.top, top);
      seen.right = Math.min(seen.right, right);
      seen.bottom = Math.min(seen.bottom, bottom);
    }
    return seen;
  }

  /** The lines of a text, as far as they are seen. */
  rectsOf(text: Text, seen: { left: number; top: number; right: number; bottom: number }): Rect[] {
    const range = document.createRange();
    range.selectNodeContents(text);
    return Array.from(range.getClientRects()).flatMap(({ left, top, right, bottom }): Rect[] => {
      const [x, y] = [Math.max(seen.left, left), Math.max(seen.top, top)];
      const [width, height] = [Math.min(seen.right, right) - x, Math.min(seen.bottom, bottom) - y];
      return width > 0 && height > 0 ? [[x, y, width, height]] : [];
    });
  }

  /** What the elements around a text and those that overlap it draw behind the text. */
  behind(parent: Element, rects: Rect[]): Behind {
    const found = this.behindOf(parent, rects);
    const over = this.painters
      .over(parent, rects)
      .filter((painter) => !this.painters.isBelow(painter, rects, found.cover));
    const [only] = over;
    const isFlat = found.layers.length <= 1;
    if (only && over.length === 1 && isFlat && only.layers.at(-1)?.covers && this.isWithin(rects, only.rect))
      return { ...found, layers: only.layers };
    const partial = [...over, ...this.pseudos.filter(({ rect }) => this.painters.colors.meets(rects, rect))].flatMap(
      ({ layers }) => layers.map(({ colors }) => ({ colors, covers: false })),
    );
    return { ...found, layers: [...partial, ...found.layers] };
  }

  behindOf(parent: Element, rects: Rect[]): Behind {
    const behind: Behind = { layers: [], opacity: 1, isMixed: false, cover: undefined };
    for (let element: Element | null = parent; element; element = element.parentElement) {
      const style = this.painters.styleOf(element);
      if (!behind.cover) {
        const box = this.painters.boxOf(element);
        const isAround = this.isWithin(rects, box);
        for (const layer of this.painters.backgroundOf(style, { box, rects })) {
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
  const [survey, painters, colors, shapes] = [
    keptInPage("contrast", ContrastSurvey.toString()),
    keptInPage("painters", Painters.toString()),
    keptInPage("grounds", GroundColors.toString()),
    keptInPage("shapes", ClippedShapes.toString()),
  ];
  return `new ${survey}(new ${painters}(new ${colors}(), new ${shapes}()))`;
}

/** The JavaScript expression that collects the texts of a document. Its value is `TextRun[]`. */
export function surveyExpression(css: string): string {
  return `${newSurvey()}.read(${/:(?:before|after)\b/.test(css)})`;
}

/** The JavaScript expression that gives runs other colours. */
export function recolorExpression(colors: Recoloring): string {
  return `${newSurvey()}.recolor(${JSON.stringify(colors)})`;
}
