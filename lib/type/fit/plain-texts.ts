import type { LinePlacing } from "./line-placing.ts";
import type { TextProbe } from "./text-probe.ts";
import type { ProbedStyle } from "./text-style.ts";

/** A block with text that no field fits, such as a date or a template's own word. */
type PlainText = { element: HTMLElement; nodes: Text[] };

/** In CSS pixels: the distance of lines, and the padding that gives the first and the last line room. */
type InkRoom = { leading: number | undefined; above: number; below: number };

/**
 * Gives texts that are not fitted the room that their letters need: a date in Burmese is higher and deeper than the Latin one
 * that a style sheet was made for. Their size, their breaks, and texts with ordinary letters stay as they are. The page gets
 * this class as source text, so it refers to nothing outside itself but types.
 */
export class PlainTexts {
  probe: TextProbe;
  placing: LinePlacing;
  /** Ink that leaves its line by less is no fault, in CSS pixels. */
  tolerance = 1;

  constructor(probe: TextProbe, placing: LinePlacing) {
    this.probe = probe;
    this.placing = placing;
  }

  /** Call it before anything is fitted, because these texts take room from the fitted ones. */
  makeRoom(): void {
    const texts = this.find();
    const rooms = texts.map((text) => this.roomFor(text));
    for (const [index, { element }] of texts.entries()) {
      const { leading, above, below } = rooms[index] as InkRoom;
      const { paddingBlockStart, paddingBlockEnd } = getComputedStyle(element);
      if (leading !== undefined) element.style.lineHeight = `${leading}px`;
      if (above > 0) element.style.paddingBlockStart = `${Number.parseFloat(paddingBlockStart) + above}px`;
      if (below > 0) element.style.paddingBlockEnd = `${Number.parseFloat(paddingBlockEnd) + below}px`;
    }
  }

  /** Style sheets are made for ASCII, so such texts are left out. */
  find(): PlainText[] {
    const blocks = new Map<HTMLElement, Text[]>();
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode() as Text | null; node; node = walker.nextNode() as Text | null) {
      const parent = node.parentElement;
      if (!parent || /^\p{ASCII}*$/u.test(node.data)) continue;
      if (parent.closest("[data-fit],[aria-hidden=true],svg,style,script")) continue;
      const block = this.blockOf(parent);
      const nodes = blocks.get(block);
      if (nodes) nodes.push(node);
      else if (block.getClientRects().length > 0) blocks.set(block, [node]);
    }
    return Array.from(blocks, ([element, nodes]) => ({ element, nodes })).filter(
      ({ element }) => getComputedStyle(element).writingMode === "horizontal-tb",
    );
  }

  blockOf(element: HTMLElement): HTMLElement {
    let block = element;
    while (block.parentElement && /^(?:inline|contents)$/.test(getComputedStyle(block).display))
      block = block.parentElement;
    return block;
  }

  roomFor({ element, nodes }: PlainText): InkRoom {
    const style = this.probe.styleOf(element);
    const { from, lineHeight, fontAscent, fontDescent, usualAscent, usualDescent, isTrimmed, padding } = style;
    const ink = this.inkOf(nodes, style);
    const { usualTolerance, inkGap } = this.placing;
    const isUnusual = ink.ascent > usualAscent * usualTolerance || ink.descent > usualDescent * usualTolerance;
    const needed = this.linesOf(element, style) > 1 ? ink.ascent + ink.descent + inkGap : 0;
    const leading = isUnusual && (needed - lineHeight) * from > this.tolerance ? needed : lineHeight;
    const half = (leading - fontAscent - fontDescent) / 2;
    const [top, bottom] = isTrimmed ? [style.capHeight, 0] : [half + fontAscent, half + fontDescent];
    const above = this.placing.excess(ink.ascent, usualAscent, top) * from - padding.before;
    const below = this.placing.excess(ink.descent, usualDescent, bottom) * from - padding.after;
    return {
      leading: leading > lineHeight ? leading * from : undefined,
      above: above > this.tolerance ? this.placing.wholePixels(above) : 0,
      below: below > this.tolerance ? this.placing.wholePixels(below) : 0,
    };
  }

  /** The most that any word reaches up and down, in multiples of the element's font size. */
  inkOf(nodes: Text[], { from, language }: ProbedStyle): { ascent: number; descent: number } {
    const most = { ascent: 0, descent: 0 };
    for (const node of nodes) {
      const parent = node.parentElement as HTMLElement;
      const face = this.probe.meter.faceIn(parent, from);
      const isUpperCase = getComputedStyle(parent).textTransform === "uppercase";
      const text = isUpperCase ? this.probe.meter.capitalsOf(node.data, face.language ?? language) : node.data;
      for (const word of text.split(/\s+/)) {
        this.probe.meter.selectFace(word, face, language);
        const { ascent, descent } = this.probe.meter.inkOf(word);
        most.ascent = Math.max(most.ascent, ascent * face.scale);
        most.descent = Math.max(most.descent, descent * face.scale);
      }
    }
    return most;
  }

  linesOf(element: HTMLElement, { from, lineHeight, fontAscent, fontDescent }: ProbedStyle): number {
    const range = document.createRange();
    range.selectNodeContents(element);
    const { height } = range.getBoundingClientRect();
    return 1 + Math.round((height / from - fontAscent - fontDescent) / lineHeight);
  }
}
