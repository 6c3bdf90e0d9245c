import type { FittedText } from "./fitted-text.ts";
import type { Fitted, LinePlacing, Room } from "./line-placing.ts";
import type { Atom } from "./lines/atom.ts";
import type { Paragraph } from "./lines/paragraph.ts";
import type { Box, FitOutcome } from "./measurements.ts";
import type { ProbedStyle } from "./text-style.ts";

/**
 * Reads from the page what it drew of a text: its room, its length, its ink, and the outcome. The page gets this class as
 * source text, so it refers to nothing outside itself but types.
 */
export class DrawnText {
  placing: LinePlacing;
  /** The boxes around an element that clip it. */
  clips = new Map<Element, Element[]>();

  constructor(placing: LinePlacing) {
    this.placing = placing;
  }

  /** The content box of an element, along and across its lines, in CSS pixels. */
  sizesOf(element: HTMLElement, { isVertical }: ProbedStyle): Room {
    let box: HTMLElement = element;
    while (getComputedStyle(box).display === "inline" && box.parentElement) box = box.parentElement;
    const style = getComputedStyle(box);
    const pixels = (name: string) => Number.parseFloat(style.getPropertyValue(name)) || 0;
    const inner = (size: string, sides: string[]) => {
      const around = sides.flatMap((side) => [`padding-${side}`, `border-${side}-width`]);
      const total = style.boxSizing === "border-box" ? around.reduce((sum, name) => sum + pixels(name), 0) : 0;
      return pixels(size) - total;
    };
    const [across, down] = [inner("width", ["left", "right"]), inner("height", ["top", "bottom"])];
    return isVertical ? { width: down, height: across } : { width: across, height: down };
  }

  /** How far the ink of a text leaves the canvas, or a box that clips it: above and below, or beside a vertical text. */
  inkOver(entry: FittedText): number {
    if (entry.fitted.shown === 0) return 0;
    const ink = this.inkOf(entry);
    const { clientWidth, clientHeight } = document.documentElement;
    const [start, end] = entry.style.isVertical ? (["left", "right"] as const) : (["top", "bottom"] as const);
    let [first, last] = [0, entry.style.isVertical ? clientWidth : clientHeight];
    for (const box of this.clipsOf(entry.element)) {
      const rect = box.getBoundingClientRect();
      [first, last] = [Math.max(first, rect[start]), Math.min(last, rect[end])];
    }
    return Math.max(0, first - ink[start]) + Math.max(0, ink[end] - last);
  }

  clipsOf(element: Element): Element[] {
    const known = this.clips.get(element);
    if (known) return known;
    const clips: Element[] = [];
    for (let box: Element | null = element; box && box !== document.body; box = box.parentElement)
      if (getComputedStyle(box).overflowY !== "visible") clips.push(box);
    this.clips.set(element, clips);
    return clips;
  }

  /** The room that the element has at this moment, its content box without the room for ink. */
  boxOf(entry: FittedText): Room {
    const { width, height } = this.sizesOf(entry.element, entry.style);
    const { above, below, left, right } = entry.fitted;
    return { width: width + left + right, height: height + above + below };
  }

  /** The length of the longest line, as drawn. */
  lengthOf({ element, style, fitted, paragraph }: FittedText): number {
    const range = document.createRange();
    range.selectNodeContents(element);
    const rect = range.getBoundingClientRect();
    const [start, end] = this.trimsOf(paragraph, fitted);
    return (style.isVertical ? rect.height : rect.width) - start - end;
  }

  /** How far marks hang out of the box, in CSS pixels. Letters move by the white beside them, so their ink stays inside. */
  hangOf(paragraph: Paragraph, { lines, size }: Fitted): [start: number, end: number] {
    const ends = lines.map((line) => paragraph.endsOf(line));
    const isMark = (atom: Atom | undefined) => atom !== undefined && !/^[\p{L}\p{N}\u3000-\u303f]/u.test(atom.text);
    const start = ends.map(([first]) => (first && isMark(first) ? Math.min(first.width, first.trimStart) : 0));
    const end = ends.map(([, last]) => (last && isMark(last) ? Math.min(last.width, last.trimEnd) : 0));
    return [Math.max(0, ...start) * size, Math.max(0, ...end) * size];
  }

  /** By how much lines move out of their box, in CSS pixels. */
  trimsOf(paragraph: Paragraph, { lines, size }: Fitted): [start: number, end: number] {
    const trims = lines.map((line) => paragraph.trimsOf(line));
    return [Math.max(0, ...trims.map(([start]) => start)) * size, Math.max(0, ...trims.map(([, end]) => end)) * size];
  }

  outcomeOf(entry: FittedText): FitOutcome {
    const { field, style, fitted, atoms, isPressed } = entry;
    const { size, lines, leading, shown } = fitted;
    const textOf = (from: number, to: number) =>
      atoms
        .slice(from, to)
        .map(({ text }) => text)
        .join("");
    // Soft hyphens are no characters of the request.
    const graphemes = (text: string) =>
      Array.from(new Intl.Segmenter().segment(text.replaceAll("\u00ad", "").trim())).length;
    const cut =
      shown === undefined
        ? {}
        : { cut: { shown: graphemes(textOf(0, shown)), of: graphemes(textOf(0, atoms.length)) } };
    return {
      field,
      from: style.from,
      to: size,
      ...cut,
      why: isPressed && size < style.from ? "neighbours" : fitted.why,
      lines: lines.map(({ start, end }) =>
        shown !== undefined && end > shown ? `${textOf(start, shown)}…` : this.asDrawn(textOf(start, end)),
      ),
      leading,
      ink: this.inkOf(entry),
      box: this.toBox(entry.element.getBoundingClientRect()),
    };
  }

  /** Soft hyphens are drawn at the end of a line only. */
  asDrawn(line: string): string {
    return line
      .trim()
      .replace(/\u00ad$/, "-")
      .replaceAll("\u00ad", "");
  }

  toBox({ left, top, right, bottom }: DOMRect): Box {
    return { left, top, right, bottom };
  }

  /** What the glyphs cover, from the lines that the page drew and the ink of the first and the last one. */
  inkOf({ element, style, fitted, paragraph }: FittedText): Box {
    const range = document.createRange();
    range.selectNodeContents(element);
    const box = this.toBox(range.getBoundingClientRect());
    const { size, lines } = fitted;
    const [first, last] = [lines[0], lines.at(-1)].map((line) => this.placing.inkOf(paragraph, line));
    if (style.isVertical && box.right > box.left) {
      // Each box lies around the middle of its line, however large its font is.
      const middles = Array.from(range.getClientRects(), ({ left, right }) => (left + right) / 2).sort((a, b) => a - b);
      const [start, end] = [(first?.ascent ?? 0) * size, (last?.descent ?? 0) * size];
      const [left, right] = getComputedStyle(element).writingMode === "vertical-lr" ? [start, end] : [end, start];
      return { ...box, left: (middles[0] ?? 0) - left, right: (middles.at(-1) ?? 0) + right };
    }
    const sides = this.placing.sidesOf(paragraph, style, lines);
    const [start, end] = this.trimsOf(paragraph, fitted);
    const [hungStart, hungEnd] = this.hangOf(paragraph, fitted);
    return {
      left: box.left + start - hungStart - sides.left * size,
      right: box.right - end + hungEnd + sides.right * size,
      top: box.top + (style.fontAscent - (first?.ascent ?? 0)) * size,
      bottom: box.bottom - (style.fontDescent - (last?.descent ?? 0)) * size,
    };
  }
}
