import type { Box, Glyph, TextUnit } from "./text-unit.ts";

/** A line of a unit, and the highlight that colours it. */
export type InkSlot = { unit: number; line: number; channel: 0 | 1 | 2 | 3 };

/** A text node of a unit, and where it starts in the unit's text. */
type Piece = { node: Text; start: number };

type Found = { element: HTMLElement; pieces: Piece[]; unit: TextUnit };

/**
 * Runs in a page that was drawn, and reads where its texts stand. It shares no code with the fitting engine. The page gets it
 * as source text, so it refers to nothing outside itself. It is a class because minifiers keep the names of methods.
 */
class PageReader {
  found: Found[] = [];
  style = document.createElement("style");

  /** The units of the page in document order. Texts in `aria-hidden` elements are decoration, and are left out. */
  read(): TextUnit[] {
    const byElement = new Map<HTMLElement, Text[]>();
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode() as Text | null; node; node = walker.nextNode() as Text | null) {
      const parent = node.parentElement;
      if (!parent || !this.isSeen(parent)) continue;
      const element = parent.closest<HTMLElement>("[data-fit]") ?? this.blockOf(parent);
      byElement.set(element, [...(byElement.get(element) ?? []), node]);
    }
    for (const element of document.querySelectorAll<HTMLElement>("[data-fit]"))
      if (!byElement.has(element) && this.isSeen(element)) byElement.set(element, []);
    const shown = Array.from(byElement).filter(
      ([element, nodes]) => element.dataset.fit !== undefined || nodes.some(({ data }) => data.trim() !== ""),
    );
    const lines = this.straightened(() => shown.map(([element, nodes]) => this.linesOf(element, nodes)));
    this.found = shown.map(([element, nodes], id) =>
      this.readUnit(element, { nodes, id, lines: lines[id] ?? new Map() }),
    );
    return this.found.map(({ unit }) => unit);
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

  /** Reads the page without transforms: in a turned text, the end of a line may be as high as the start of the next one. */
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
    { nodes, id, lines }: { nodes: Text[]; id: number; lines: Map<number, number> },
  ): Found {
    const style = getComputedStyle(element);
    const pieces: Piece[] = [];
    let text = "";
    for (const node of nodes) {
      pieces.push({ node, start: text.length });
      text += node.data;
    }
    const isVertical = style.writingMode !== "horizontal-tb";
    const [panel, clip] = [this.panelOf(element), this.clipOf(element)];
    const unit: TextUnit = {
      id,
      field: element.dataset.fit ?? "",
      text,
      nodes: nodes.filter(({ data }) => data.trim() !== "").length,
      direction: style.direction as "ltr" | "rtl",
      isVertical,
      fontSize: Number.parseFloat(style.fontSize),
      fontWeight: Number.parseFloat(style.fontWeight),
      isCutOut: this.isCutOut(element),
      box: this.boxOf(element.getBoundingClientRect()),
      ...(panel && { panel }),
      ...(clip && { clip }),
      glyphs: this.graphemesOf(nodes).flatMap((glyph) => {
        const line = lines.get(glyph.at);
        return line === undefined ? [] : { ...glyph, line };
      }),
    };
    return { element, pieces, unit };
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
    let start = 0;
    for (const node of nodes) {
      for (const { index, segment } of new Intl.Segmenter().segment(node.data)) {
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
  linesOf(element: HTMLElement, nodes: Text[]): Map<number, number> {
    const isVertical = getComputedStyle(element).writingMode !== "horizontal-tb";
    const lines = new Map<number, number>();
    let line = 0;
    let last: { middle: number; size: number } | undefined;
    for (const { at, box } of this.graphemesOf(nodes)) {
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

  /** Makes every text transparent, so that the next picture shows what is behind them. */
  hideTexts(): void {
    this.style.textContent = `*,*::before,*::after{-webkit-text-fill-color:transparent!important;-webkit-text-stroke-color:transparent!important;text-decoration-color:transparent!important;text-emphasis-color:transparent!important}`;
    document.head.append(this.style);
    for (const element of document.querySelectorAll<HTMLElement>("body *"))
      if (getComputedStyle(element).getPropertyValue("background-clip").includes("text"))
        element.style.setProperty("background", "none", "important");
  }

  /** Leaves only the texts, which {@link showInk} colours, on black. What would cut them off no longer does. */
  prepareInk(): void {
    const colors = ["#f00", "#0f0", "#00f", "#fff"].map(
      (color, channel) =>
        `::highlight(ink${channel}){color:${color};-webkit-text-fill-color:${color};-webkit-text-stroke-color:${color}}`,
    );
    const bare =
      "background:none!important;border-color:transparent!important;border-image:none!important;box-shadow:none!important;outline-color:transparent!important;text-shadow:none!important;color:transparent!important;-webkit-text-fill-color:transparent!important;-webkit-text-stroke-color:transparent!important;text-decoration-color:transparent!important;text-emphasis-color:transparent!important;mask:none!important;clip-path:none!important";
    this.style.textContent = `html{background:#000!important}body,body *,*::before,*::after{${bare}}body *{opacity:1!important;mix-blend-mode:plus-lighter!important}img,svg,video,canvas{visibility:hidden!important}${colors.join("")}`;
    document.head.append(this.style);
    // Another filter in its place, because an element with one contains its positioned descendants.
    for (const element of document.querySelectorAll<HTMLElement>("body *"))
      if (getComputedStyle(element).filter !== "none") element.style.setProperty("filter", "opacity(1)", "important");
    this.openClips();
  }

  /** Lets texts show beyond elements that cut them off, unless that moves any text. */
  openClips(): void {
    const placeOf = () => JSON.stringify(this.found.map(({ element }) => this.boxOf(element.getBoundingClientRect())));
    const before = placeOf();
    const opened: [HTMLElement, string][] = [];
    for (const element of document.querySelectorAll<HTMLElement>("body *")) {
      const { overflowX, overflowY, display, minWidth, minHeight } = getComputedStyle(element);
      if (overflowX === "visible" && overflowY === "visible") continue;
      opened.push([element, element.style.cssText]);
      element.style.setProperty("overflow", "clip", "important");
      element.style.setProperty("overflow-clip-margin", "4096px", "important");
      if (minWidth === "auto") element.style.setProperty("min-width", "0", "important");
      if (minHeight === "auto") element.style.setProperty("min-height", "0", "important");
      if (display === "block" || display === "list-item")
        element.style.setProperty("display", "flow-root", "important");
    }
    if (placeOf() !== before) for (const [element, css] of opened) element.style.cssText = css;
  }

  /** Colours lines of texts: 0 to 2 are red, green and blue, which add up where they meet; 3 is every colour. */
  showInk(slots: InkSlot[]): void {
    const highlights = [0, 1, 2, 3].map(() => new Highlight());
    for (const { unit, line, channel } of slots) {
      const found = this.found[unit];
      for (const { node, start } of found?.pieces ?? []) {
        const own = found?.unit.glyphs.filter(
          (glyph) => glyph.line === line && glyph.at >= start && glyph.at < start + node.data.length,
        );
        const [first, last] = [own?.[0], own?.at(-1)];
        if (!first || !last) continue;
        const range = new StaticRange({
          startContainer: node,
          startOffset: first.at - start,
          endContainer: node,
          endOffset: last.at - start + last.text.length,
        });
        highlights[channel]?.add(range);
      }
    }
    for (const [channel, highlight] of highlights.entries()) CSS.highlights.set(`ink${channel}`, highlight);
  }

  /** Gives each word with an unusual letter an element of its own. @returns the words in document order */
  markWords(units: number[]): { unit: number; text: string }[] {
    const words: { unit: number; text: string }[] = [];
    for (const id of units) {
      for (const { node } of this.found[id]?.pieces ?? []) {
        const segments = Array.from(new Intl.Segmenter(undefined, { granularity: "word" }).segment(node.data));
        const wanted = segments.filter(({ segment }) => /[^\p{ASCII}\s]/u.test(segment) && /\p{L}/u.test(segment));
        for (const { index, segment } of wanted.toReversed()) {
          const range = document.createRange();
          range.setStart(node, index);
          range.setEnd(node, index + segment.length);
          const span = document.createElement("span");
          span.dataset.proofWord = `${id}`;
          range.surroundContents(span);
        }
      }
    }
    this.layOut();
    for (const span of document.querySelectorAll<HTMLElement>("[data-proof-word]"))
      words.push({ unit: Number(span.dataset.proofWord), text: span.textContent ?? "" });
    return words;
  }

  /** Gives each text node an element of its own, because the protocol looks only two levels below an element. */
  markUnits(): void {
    for (const { pieces, unit } of this.found) {
      for (const { node } of pieces) {
        const span = document.createElement("span");
        span.dataset.proofUnit = `${unit.id}`;
        node.replaceWith(span);
        span.append(node);
      }
    }
    this.layOut();
  }

  /** The protocol finds no fonts of an element that was not laid out. */
  layOut(): void {
    document.body.getBoundingClientRect();
  }
}

/** Puts a reader into the page. Its value is the units of the page. */
export const READ_PAGE = `(document.pageReader = new (${PageReader.toString()})()).read()`;

/** An expression that calls a method of the reader in the page. */
export function callReader(method: Exclude<keyof PageReader, "found" | "style">, ...args: unknown[]): string {
  return `document.pageReader.${method}(${args.map((arg) => JSON.stringify(arg)).join(",")}) ?? null`;
}
