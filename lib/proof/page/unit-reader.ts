import type { Box, Glyph, TextUnit } from "./text-unit.ts";

/** A text node of a unit, and where it starts in the unit's text. */
type Piece = { node: Text; start: number };

/** A unit, and where it stands in the document. */
export type FoundUnit = { element: HTMLElement; pieces: Piece[]; unit: TextUnit };

/**
 * Runs in a page that was drawn, and reads where its texts stand. It shares no code with the fitting engine. The page gets it
 * as source text, so it refers to nothing outside itself but types.
 */
export class UnitReader {
  /**
   * The texts that can be seen, by the field or the block that has them, in document order. Those in `aria-hidden` elements are
   * decoration, and are left out. So are blocks that have only the line ends and spaces between the elements of the source.
   */
  shownTexts(): [element: HTMLElement, nodes: Text[]][] {
    const byElement = new Map<HTMLElement, Text[]>();
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode() as Text | null; node; node = walker.nextNode() as Text | null) {
      const parent = node.parentElement;
      if (!parent || !this.isSeen(parent)) continue;
      const element = parent.closest<HTMLElement>("[data-fit]") ?? this.blockOf(parent);
      const nodes = byElement.get(element);
      if (nodes) nodes.push(node);
      else byElement.set(element, [node]);
    }
    for (const element of document.querySelectorAll<HTMLElement>("[data-fit]"))
      if (!byElement.has(element) && this.isSeen(element)) byElement.set(element, []);
    return Array.from(byElement).filter(
      ([element, nodes]) => element.dataset.fit !== undefined || nodes.some(({ data }) => data.trim() !== ""),
    );
  }

  /** How many characters the page shows, in units of UTF-16. */
  countCharacters(): number {
    return this.shownTexts()
      .flatMap(([, nodes]) => nodes)
      .reduce((sum, { length }) => sum + length, 0);
  }

  /** The units of the page in document order. */
  read(): FoundUnit[] {
    const shown = this.shownTexts();
    const placed = shown.map(([, nodes]) => this.graphemesOf(nodes));
    // In a turned text, the end of a line may be as high as the start of the next one.
    const straight = this.isTransformed()
      ? this.straightened(() => shown.map(([, nodes]) => this.graphemesOf(nodes)))
      : placed;
    return shown.map(([element, nodes], id) => {
      const lines = this.linesOf(element, straight[id] ?? []);
      return this.readUnit(element, { nodes, id, glyphs: placed[id] ?? [], lines });
    });
  }

  isSeen(element: HTMLElement): boolean {
    if (element.closest("[aria-hidden=true],style,script,svg")) return false;
    return element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  }

  blockOf(element: HTMLElement): HTMLElement {
    let block = element;
    while (block.parentElement && /^(inline|contents|ruby)$/.test(getComputedStyle(block).display))
      block = block.parentElement;
    return block;
  }

  /** Whether an element is moved or turned. Reading a long text takes longer than looking at each element. */
  isTransformed(): boolean {
    return Array.from(document.querySelectorAll("*")).some((element) => {
      const { transform, translate, rotate, scale } = getComputedStyle(element);
      return [transform, translate, rotate, scale].some((value) => value !== "none");
    });
  }

  /** Reads the page without transforms. */
  straightened<T>(read: () => T): T {
    const style = document.createElement("style");
    const names = ["transform", "translate", "rotate", "scale"];
    style.textContent = `*,*::before,*::after{${names.map((name) => `${name}:none!important`).join(";")}}`;
    document.head.append(style);
    const result = read();
    style.remove();
    return result;
  }

  readUnit(
    element: HTMLElement,
    {
      nodes,
      id,
      glyphs,
      lines,
    }: { nodes: Text[]; id: number; glyphs: Omit<Glyph, "line">[]; lines: Map<number, number> },
  ): FoundUnit {
    const style = getComputedStyle(element);
    const pieces: Piece[] = [];
    const breaks: number[] = [];
    let text = "";
    for (const [index, node] of nodes.entries()) {
      if (element.dataset.fit === undefined && this.followsBreak(node, nodes[index - 1])) breaks.push(text.length);
      pieces.push({ node, start: text.length });
      text += node.data;
    }
    const isVertical = style.writingMode !== "horizontal-tb";
    const [panel, clip] = [this.panelOf(element), this.clipOf(element)];
    const unit: TextUnit = {
      id,
      field: element.dataset.fit ?? "",
      text,
      breaks,
      nodes: nodes.filter(({ data }) => data.trim() !== "").length,
      direction: style.direction as "ltr" | "rtl",
      isVertical,
      fontSize: Number.parseFloat(style.fontSize),
      fontWeight: Number.parseFloat(style.fontWeight),
      isCutOut: this.isCutOut(element),
      box: this.boxOf(element.getBoundingClientRect()),
      ...(panel && { panel }),
      ...(clip && { clip }),
      glyphs: glyphs.flatMap((glyph) => {
        const line = lines.get(glyph.at);
        return line === undefined ? [] : { ...glyph, line };
      }),
    };
    return { element, pieces, unit };
  }

  /** Whether a `<br>` stands between two texts. */
  followsBreak(node: Text, before: Text | undefined): boolean {
    if (!before) return false;
    const between = document.createRange();
    between.setStartAfter(before);
    between.setEndBefore(node);
    return between.cloneContents().querySelector("br") !== null;
  }

  isCutOut(element: HTMLElement): boolean {
    for (let at: HTMLElement | null = element; at && at !== document.body; at = at.parentElement) {
      const style = getComputedStyle(at);
      if (style.mixBlendMode !== "normal") return true;
      if (at === element && style.getPropertyValue("background-clip").includes("text")) return true;
    }
    return false;
  }

  boxOf({ left, top, right, bottom }: DOMRect): Box {
    const round = (pixels: number) => Math.round(pixels * 100) / 100;
    return { left: round(left), top: round(top), right: round(right), bottom: round(bottom) };
  }

  /** The graphemes that have a box. */
  graphemesOf(nodes: Text[]): Omit<Glyph, "line">[] {
    const glyphs: Omit<Glyph, "line">[] = [];
    const range = document.createRange();
    const segmenter = new Intl.Segmenter();
    let start = 0;
    for (const node of nodes) {
      for (const { index, segment } of segmenter.segment(node.data)) {
        range.setStart(node, index);
        range.setEnd(node, index + segment.length);
        const box = this.boxOf(range.getBoundingClientRect());
        const [width, height] = [box.right - box.left, box.bottom - box.top];
        if (width + height === 0 || (segment.trim() === "" && width * height === 0)) continue;
        glyphs.push({ at: start + index, text: segment, box });
      }
      start += node.data.length;
    }
    return glyphs;
  }

  /** The line of each grapheme, by its offset. A line starts where the middle of a grapheme leaves the one before it. */
  linesOf(element: HTMLElement, glyphs: Omit<Glyph, "line">[]): Map<number, number> {
    const isVertical = getComputedStyle(element).writingMode !== "horizontal-tb";
    const lines = new Map<number, number>();
    let line = 0;
    let last: { middle: number; size: number } | undefined;
    for (const { at, box } of glyphs) {
      const size = isVertical ? box.right - box.left : box.bottom - box.top;
      const middle = isVertical ? (box.left + box.right) / 2 : (box.top + box.bottom) / 2;
      if (last && Math.abs(middle - last.middle) > 0.55 * Math.min(size, last.size)) line++;
      last = { middle, size };
      lines.set(at, line);
    }
    return lines;
  }

  /** Elements that paint most of the page are its ground rather than a panel. */
  panelOf(element: HTMLElement): Box | undefined {
    const page = innerWidth * innerHeight;
    for (let at: HTMLElement | null = element; at && at !== document.body; at = at.parentElement) {
      const style = getComputedStyle(at);
      const isPainted =
        style.backgroundImage !== "none" ||
        !/^transparent$|, 0\)$|\/ 0\)$/.test(style.backgroundColor) ||
        ["Top", "Right", "Bottom", "Left"].every((side) => {
          const width = style.getPropertyValue(`border-${side.toLowerCase()}-width`);
          return Number.parseFloat(width) > 0;
        });
      const isClippedToText = style.getPropertyValue("background-clip").includes("text");
      const { width, height } = at.getBoundingClientRect();
      if (isPainted && !isClippedToText && style.display !== "inline")
        return width * height < 0.8 * page ? this.boxOf(at.getBoundingClientRect()) : undefined;
    }
    return undefined;
  }

  clipOf(element: HTMLElement): Box | undefined {
    let clip: Box | undefined;
    for (let at: HTMLElement | null = element; at && at !== document.body; at = at.parentElement) {
      const { overflowX, overflowY } = getComputedStyle(at);
      if (overflowX === "visible" && overflowY === "visible") continue;
      const box = this.boxOf(at.getBoundingClientRect());
      clip = clip
        ? {
            left: Math.max(clip.left, box.left),
            top: Math.max(clip.top, box.top),
            right: Math.min(clip.right, box.right),
            bottom: Math.min(clip.bottom, box.bottom),
          }
        : box;
    }
    return clip;
  }
}
