import type { BreakMarks } from "./break-marks.ts";
import type { Fitted } from "./line-placing.ts";
import type { Atom } from "./lines/atom.ts";
import type { Paragraph } from "./lines/paragraph.ts";
import type { ProbedStyle } from "./text-style.ts";

type Written = { contents: Node[]; atoms: Atom[]; paragraph: Paragraph; style: ProbedStyle; fitted: Fitted };

/** Writes lines into an element. The page gets it as source text, so it refers to nothing outside itself but types. */
export class LineWriter {
  marks: BreakMarks;

  constructor(marks: BreakMarks) {
    this.marks = marks;
  }

  /**
   * Puts an image without height into an element. It wants so many CSS pixels along the line, and takes less where the layout
   * has less, so no track or box around it grows.
   */
  standIn(element: HTMLElement, { length, isVertical }: { length: number; isVertical: boolean }): void {
    const image = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    const [along, across] = isVertical ? ["height", "width"] : ["width", "height"];
    image.style.cssText = `all: initial; display: inline-block; ${along}: ${length}px; max-${along}: 100%; ${across}: 0`;
    element.replaceChildren(image);
    Object.assign(element.style, {
      ...{ textWrap: "nowrap", columns: "auto", textIndent: "0" },
      ...{
        fontSize: "",
        lineHeight: "",
        paddingBlockStart: "",
        paddingBlockEnd: "",
        paddingLeft: "",
        paddingRight: "",
      },
    });
  }

  write(element: HTMLElement, { contents, atoms, paragraph, style, fitted }: Written): void {
    const { size, lines, leading, above, below, left, right, shown } = fitted;
    element.replaceChildren(...contents.map((node) => node.cloneNode(true)));
    for (const child of element.querySelectorAll<HTMLElement>("*")) child.style.lineHeight = "inherit";
    const padding = (own: number, more: number) => (more > 0 ? `${own + more}px` : "");
    Object.assign(element.style, {
      ...{ textWrap: "nowrap", columns: "auto", textIndent: "" },
      fontSize: size === style.from ? "" : `${size}px`,
      lineHeight: `${leading}px`,
      paddingBlockStart: padding(style.padding.before, above),
      paddingBlockEnd: padding(style.padding.after, below),
      paddingLeft: padding(style.padding.left, left),
      paddingRight: padding(style.padding.right, right),
    });
    if (shown !== undefined) this.shorten(element, shown === 0 ? 0 : (atoms[shown - 1]?.end ?? 0));
    for (const [index, line] of [...lines.entries()].toReversed()) {
      const { end } = line;
      const atom = atoms[end - 1];
      const [start, finish] = paragraph.trimsOf(line);
      const [first, last] = paragraph.endsOf(line);
      if (index < lines.length - 1 && atom && !atom.isForced && end !== shown) {
        const mark = this.marks.markAt(atoms, end, this.directionAt(element, atom.end, style));
        this.insertAt(element, atom.end, [document.createElement("br"), mark]);
        // A mark after the white space at the end of the line would make it part of the line.
        this.insertAt(element, last?.end ?? atom.end, [`${atom.hyphen > 0 ? "-" : ""}${mark}`]);
      }
      if (finish > 0 && last && (shown === undefined || end <= shown)) this.moveEnd(element, last.end, finish);
      if (start > 0 && first) this.moveStart(element, first.end - first.text.length, start);
    }
  }

  /** The text nodes of an element and where they start. */
  nodesOf(element: HTMLElement): { node: Text; start: number }[] {
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    const nodes: { node: Text; start: number }[] = [];
    let start = 0;
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      nodes.push({ node: node as Text, start });
      start += node.textContent?.length ?? 0;
    }
    return nodes;
  }

  /** The cell of a vertical line that a text is in, which has neither a break nor an ellipsis. */
  cellOf({ parentElement }: Text): Element | undefined {
    return parentElement?.localName === "upright-cell" ? parentElement : undefined;
  }

  shorten(element: HTMLElement, length: number): void {
    const nodes = this.nodesOf(element);
    const last = nodes.findLast(({ start }) => start < length) ?? nodes[0];
    for (const { node, start } of nodes) {
      const part = node.data.slice(0, Math.max(0, length - start));
      const cell = this.cellOf(node);
      if (cell && part === "") cell.remove();
      node.data = part;
      if (node !== last?.node || length === 0) continue;
      if (cell) cell.after("…");
      else node.appendData("…");
    }
  }

  /** Moves the text after an offset by so many multiples of the font size out of its box. */
  moveStart(element: HTMLElement, offset: number, em: number): void {
    const place = this.nodesOf(element).find(({ node, start }) => offset >= start && offset < start + node.length);
    place?.node.splitText(offset - place.start).before(this.edgeOf("marginInlineStart", em));
  }

  /** The same for the text before an offset. */
  moveEnd(element: HTMLElement, offset: number, em: number): void {
    const place = this.nodeBefore(element, offset);
    place?.node.splitText(offset - place.start).before(this.edgeOf("marginInlineEnd", em));
  }

  edgeOf(margin: "marginInlineStart" | "marginInlineEnd", em: number): HTMLElement {
    const edge = document.createElement("span");
    edge.style[margin] = `${-em}em`;
    return edge;
  }

  /** The direction of the text around an offset: that of its run, if it has one. */
  directionAt(element: HTMLElement, offset: number, { isRightToLeft }: ProbedStyle): "ltr" | "rtl" {
    const run = this.nodeBefore(element, offset)?.node.parentElement?.closest<HTMLElement>("text-run[data-dir]");
    const isRtl = run && element.contains(run) ? run.dataset.dir === "rtl" : isRightToLeft;
    return isRtl ? "rtl" : "ltr";
  }

  /** The text node with the character that ends at an offset. */
  nodeBefore(element: HTMLElement, offset: number): { node: Text; start: number } | undefined {
    return this.nodesOf(element).find(({ node, start }) => offset > start && offset <= start + node.length);
  }

  /** Inserts nodes after a character, which ends at an offset. */
  insertAt(element: HTMLElement, offset: number, parts: (Node | string)[]): void {
    const place = this.nodeBefore(element, offset);
    if (!place) return;
    const cell = this.cellOf(place.node);
    if (cell) cell.after(...parts);
    else place.node.splitText(offset - place.start).before(...parts);
  }
}
