import type { Segmenters } from "../segmenters.ts";
import type { InkMeter } from "./ink-meter.ts";
import type { Atom, BreakLevel } from "./lines/atom.ts";
import type { JapanesePhrases } from "./lines/japanese-phrases.ts";
import type { OpticalEdges } from "./optical-edges.ts";
import type { ProbedStyle } from "./text-style.ts";

export type ProbeTools = { phrases: JapanesePhrases; edges: OpticalEdges; segmenters: Segmenters };

/**
 * Measures texts in the page, which gets it as source text: it refers to nothing outside itself but types. Widths and
 * breaks come from the page's own lines, and ink from a canvas with the same font.
 */
export class TextProbe {
  meter: InkMeter;
  phrases: JapanesePhrases;
  edges: OpticalEdges;
  segmenters: Segmenters;

  constructor(meter: InkMeter, { phrases, edges, segmenters }: ProbeTools) {
    this.meter = meter;
    this.phrases = phrases;
    this.edges = edges;
    this.segmenters = segmenters;
  }

  /** Reads the style of an element as it was designed, with its contents in it. */
  styleOf(element: HTMLElement): ProbedStyle {
    const style = getComputedStyle(element);
    const pixels = (value: string) => Number.parseFloat(value) || 0;
    const from = pixels(style.fontSize);
    const isVertical = style.writingMode.startsWith("vertical");
    const language = element.closest<HTMLElement>("[lang]")?.lang ?? "";
    const font = this.meter.applyFont(style, language);
    const baselineShift = isVertical ? (font.fontAscent - font.fontDescent) / 2 : 0;
    const usual = isVertical ? this.meter.usualTurnedInk(style, baselineShift) : this.meter.usualInk(style);
    const { fontAscent, fontDescent } = isVertical ? { fontAscent: 0.5, fontDescent: 0.5 } : font;
    const own = this.lineHeightOf(style, { from, normal: fontAscent + fontDescent });
    const inner = Array.from(element.querySelectorAll<HTMLElement>("*"), (child) => getComputedStyle(child));
    const heights = inner.map((child) => this.lineHeightOf(child, { from, normal: fontAscent + fontDescent }));
    const isTrimmed = !["", "none"].includes(style.getPropertyValue("text-box-trim"));
    return {
      from,
      isVertical,
      baselineShift,
      language,
      optical: this.edges.styleOf(element, style),
      lineHeight: Math.max(own, ...heights),
      fontAscent,
      fontDescent,
      usualAscent: usual.ascent,
      usualDescent: usual.descent,
      isTrimmed,
      capHeight: isTrimmed ? this.capHeightOf(element, from) : 0,
      indent: pixels(style.textIndent) / from,
      ellipsis: this.meter.widthOf("…"),
      extra: Math.max(0, ...inner.map((child) => this.extraOf(child))) / from,
      align: { center: 0.5, end: 1, right: 1 }[style.textAlign] ?? 0,
      isBalanced: style.getPropertyValue("text-wrap-style") === "balance",
      isRightToLeft: style.direction === "rtl",
      padding: {
        before: pixels(style.paddingBlockStart),
        after: pixels(style.paddingBlockEnd),
        left: pixels(style.paddingLeft),
        right: pixels(style.paddingRight),
      },
    };
  }

  /** The height of capitals that `text-box-trim` uses. */
  capHeightOf(element: HTMLElement, from: number): number {
    const cap = document.createElement("span");
    Object.assign(cap.style, { position: "absolute", height: "1cap" });
    element.append(cap);
    const height = Number.parseFloat(getComputedStyle(cap).height) / from;
    cap.remove();
    return height;
  }

  lineHeightOf(style: CSSStyleDeclaration, { from, normal }: { from: number; normal: number }): number {
    const height = Number.parseFloat(style.lineHeight);
    return Number.isNaN(height) ? normal : height / from;
  }

  /** The padding, border and margin of an inline element, in CSS pixels. */
  extraOf(style: CSSStyleDeclaration): number {
    if (style.display !== "inline") return 0;
    const names = ["padding-inline-start", "padding-inline-end", "margin-inline-start", "margin-inline-end"];
    const sum = names.reduce((total, name) => total + (Number.parseFloat(style.getPropertyValue(name)) || 0), 0);
    return Math.max(0, sum);
  }

  /**
   * Lays copies of all contents out as narrow as possible, inside their elements, so that each line ends where the page
   * allows a break. One layout serves all of them.
   */
  atomsOf(texts: { element: HTMLElement; contents: Node[]; style: ProbedStyle }[]): Atom[][] {
    const placed = texts.map((text) => this.place(text));
    const found = placed.map(({ copy, space }, index) => {
      const { style } = texts[index] as (typeof texts)[number];
      const spaceWidth = this.extentOf(space.getBoundingClientRect(), style).length / style.from;
      return this.readAtoms(copy, { style, spaceWidth, isPreLine: this.keepsLines(copy) });
    });
    // Styles are read before the page changes again, because the browser would have to compute them again.
    for (const [index, text] of texts.entries()) {
      this.phrases.keep(found[index] ?? [], text.style.language);
      this.meter.measure(found[index] ?? [], text);
      const isUpperCase = getComputedStyle(text.element).textTransform === "uppercase";
      this.edges.trim(found[index] ?? [], { style: text.style, isUpperCase });
    }
    for (const { probe } of placed) probe.remove();
    return found;
  }

  place({ element, contents, style }: { element: HTMLElement; contents: Node[]; style: ProbedStyle }) {
    const probe = document.createElement("span");
    const isKorean = style.language.startsWith("ko");
    Object.assign(probe.style, {
      ...{ position: "absolute", display: "block", visibility: "hidden", width: "auto", height: "auto", padding: "0" },
      ...{ inlineSize: "0", margin: "0", lineHeight: "3", textIndent: "0", textAlign: "start", columns: "auto" },
      ...{ textWrap: "wrap", overflowWrap: "normal", wordBreak: isKorean ? "keep-all" : "normal" },
      ...{ fontSize: `${style.from}px`, hyphens: "manual" },
    });
    // The white of a bracket is moved out of its line instead.
    if (style.optical) probe.style.setProperty("text-spacing-trim", "space-all");
    const space = document.createElement("span");
    space.style.whiteSpace = "pre";
    space.textContent = "\u00a0";
    const copy = document.createElement("span");
    copy.append(...contents.map((node) => node.cloneNode(true)));
    for (const child of copy.querySelectorAll<HTMLElement>("*")) child.style.lineHeight = "inherit";
    probe.append(copy, document.createElement("br"), space);
    element.append(probe);
    return { probe, copy, space };
  }

  keepsLines(element: HTMLElement): boolean {
    return getComputedStyle(element).getPropertyValue("white-space-collapse") !== "collapse";
  }

  extentOf(rect: DOMRect, { isVertical }: ProbedStyle): { length: number; line: number } {
    return isVertical ? { length: rect.height, line: rect.right } : { length: rect.width, line: rect.top };
  }

  /** The box of a character. A character after a soft hyphen at a line's end has two boxes, the first of which is the hyphen's. */
  boxOf(range: Range, before: Atom | undefined): DOMRect {
    const own = before?.text === "\u00ad" ? Array.from(range.getClientRects()).at(-1) : undefined;
    return own ?? range.getBoundingClientRect();
  }

  readAtoms(
    copy: HTMLElement,
    { style, spaceWidth, isPreLine }: { style: ProbedStyle; spaceWidth: number; isPreLine: boolean },
  ): Atom[] {
    const atoms: Atom[] = [];
    const walker = document.createTreeWalker(copy, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
    const range = document.createRange();
    let [end, line, seen] = [0, Number.NaN, false];
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (node.nodeName === "BR") this.breakAfter(atoms, { level: 0, isForced: true });
      if (node.nodeType !== Node.TEXT_NODE) continue;
      const face = this.meter.faceIn(node.parentElement ?? copy, style.from);
      for (const { segment, index } of this.segmentsOf(node)) {
        end += segment.length;
        const isNewLine = isPreLine && /^[\r\n]+$/.test(segment);
        const isSpace = /^[ \t\r\n\f]+$/.test(segment);
        const atom = {
          text: segment,
          end,
          isSpace,
          level: 2 as const,
          hyphen: 0,
          isForced: false,
          ascent: 0,
          descent: 0,
          left: 0,
          right: 0,
          trimStart: 0,
          trimEnd: 0,
          isStacked: false,
        };
        if (isSpace) {
          const isExtra = isNewLine || !seen || atoms.at(-1)?.isSpace;
          atoms.push({ ...atom, width: isExtra ? 0 : spaceWidth, level: 0, isForced: isNewLine });
          continue;
        }
        range.setStart(node, index);
        range.setEnd(node, index + segment.length);
        const extent = this.extentOf(this.boxOf(range, atoms.at(-1)), style);
        const isHyphen = segment === "\u00ad";
        const isNextLine = !isHyphen && extent.length > 0 && seen && Math.abs(extent.line - line) > style.from;
        if (isNextLine) this.breakAfter(atoms, { level: this.dividesNumber(atoms, segment) ? 1 : 0 });
        if (!isHyphen && extent.length > 0) line = extent.line;
        const width = extent.length / style.from;
        const known = atoms.length;
        if (isHyphen) atoms.push({ ...atom, width: 0, level: 1, hyphen: width });
        else
          atoms.push({
            ...atom,
            width,
            isSpace: /^\p{Zs}$/u.test(segment) && segment !== "\u00a0" && segment !== "\u202f",
          });
        const added = atoms[known];
        if (added) this.meter.faces.set(added, face);
        seen = true;
      }
    }
    return this.withoutLeadingSpace(atoms);
  }

  /** The graphemes of a text. What is drawn in one cell of a vertical line counts as one. */
  segmentsOf({ parentElement, textContent }: Node): Iterable<{ segment: string; index: number }> {
    const text = textContent ?? "";
    if (parentElement?.localName === "upright-cell" && text !== "") return [{ segment: text, index: 0 }];
    return this.segmenters.graphemes.segment(text);
  }

  /** Browsers break 2-1 and COVID-19 at the hyphen, which Unicode forbids (LB25 of UAX 14), and 2–1 after the dash. */
  dividesNumber(atoms: Atom[], next: string): boolean {
    const before = atoms.slice(-2).map(({ text }) => text);
    return /^(?:[\p{L}\p{Nd}][-\u2010]|\p{Nd}\u2013)\p{Nd}$/u.test(before.join("") + next);
  }

  /** Does not change a break that the last atom already has. */
  breakAfter(atoms: Atom[], { level, isForced = false }: { level: BreakLevel; isForced?: boolean }): void {
    const last = atoms.at(-1);
    if (!last) return;
    if (last.level === 2) last.level = level;
    if (isForced) last.isForced = true;
  }

  /** A line break inside white space belongs to its last character. */
  withoutLeadingSpace(atoms: Atom[]): Atom[] {
    for (const [index, atom] of atoms.entries()) {
      const next = atoms[index + 1];
      if (atom.isSpace && !atom.isForced && next?.isSpace && next.isForced) atom.level = 2;
      if (next?.isSpace && atom.level === 0 && !atom.isForced) atom.level = 2;
    }
    const last = atoms.at(-1);
    if (last) last.isForced = false;
    return atoms;
  }
}
