import type { Fit } from "./fields/text.ts";

/** How many of the characters of a text are shown, as a reader counts them. */
type Cut = { shown: number; of: number };

/** What became of one fitted element: its type size in CSS pixels before and after, and how much is left where text was cut. */
export type FitOutcome = { field: string; from: number; to: number; cut?: Cut };

/** The sizes to choose from, in CSS pixels, and the lines that the text may take. */
type SizeRange = { from: number; least: number; maxLines: number };

/** How much room a module of a QR code that is shown has, in CSS pixels. It is drawn with the whole pixels of that. */
export type CodeOutcome = { field: string; room: number };

/** What {@link Fitting} finds. `hidden` are fields that the style sheet leaves no room, wherever they are fitted or drawn. */
export type Measurements = { fits: FitOutcome[]; codes: CodeOutcome[]; hidden: string[]; brokenImages: number };

/**
 * Runs in the page, after everything has loaded: makes each text fit its element, and counts images that do not draw.
 * It is sent as source text, so it refers to nothing outside itself; a class, because what minifies the code of a server keeps
 * the names of methods.
 */
class Fitting {
  measure(rules: Record<string, Fit>): Measurements {
    const elements = Array.from(document.querySelectorAll<HTMLElement>("[data-fit]"));
    const fits = elements.map((element) => this.fitElement(element, rules));
    for (const [index, element] of elements.entries()) {
      const { field, from, cut } = fits[index] ?? { field: "", from: 0, cut: { shown: 0, of: 0 } };
      // A text that was fitted later may have taken this one's room.
      if (!cut && !this.fits(element, rules[field]?.maxLines ?? Number.POSITIVE_INFINITY))
        fits[index] = { ...this.fitElement(element, rules), from };
    }
    const broken = Array.from(document.images).filter((image) => !image.complete || image.naturalWidth === 0);
    const images = Array.from(document.querySelectorAll<HTMLImageElement>("[data-qr]"));
    const codes = images.filter((image) => this.isShown(image)).map((image) => this.fitCode(image));
    return { fits, codes, hidden: this.findHidden(), brokenImages: broken.length };
  }

  /**
   * Draws the modules of a code in whole pixels, and so all as large as each other. The element stays as large as it is: what
   * is left over widens the margin of the code.
   */
  fitCode(image: HTMLImageElement): CodeOutcome {
    const modules = image.naturalWidth;
    const [across, down] = [this.roomOf(image, "width"), this.roomOf(image, "height")];
    const room = Math.min(across.size, down.size) / modules;
    const drawn = Math.floor(room) * modules;
    if (drawn > 0) {
      const [left, top] = [across, down].map(({ size }) => Math.floor((size - drawn) / 2)) as [number, number];
      const right = across.size - drawn - left;
      const bottom = down.size - drawn - top;
      const sides = [down.before + top, across.after + right, down.after + bottom, across.before + left];
      const padding = sides.map((side) => `${side}px`).join(" ");
      const size = `${drawn}px`;
      const free = { flex: "none", minWidth: "0", minHeight: "0", maxWidth: "none", maxHeight: "none" };
      Object.assign(image.style, { ...free, boxSizing: "content-box", width: size, height: size, padding });
    }
    return { field: image.dataset.qr ?? "", room };
  }

  /** The size of an element's content, and the padding before and after it, in CSS pixels and their fractions. */
  roomOf(element: HTMLElement, size: "width" | "height"): { size: number; before: number; after: number } {
    const style = getComputedStyle(element);
    const [first, last] = size === "width" ? ["left", "right"] : ["top", "bottom"];
    const pixels = (property: string) => Number.parseFloat(style.getPropertyValue(property)) || 0;
    const [before, after] = [pixels(`padding-${first}`), pixels(`padding-${last}`)];
    const around = before + after + pixels(`border-${first}-width`) + pixels(`border-${last}-width`);
    return { size: pixels(size) - (style.boxSizing === "border-box" ? around : 0), before, after };
  }

  fitElement(element: HTMLElement, rules: Record<string, Fit>): FitOutcome {
    const field = element.dataset.fit ?? "";
    const rule = rules[field];
    const from = Number.parseFloat(getComputedStyle(element).fontSize);
    if (!rule) return { field, from, to: from };
    const { mode, maxLines, minSize = from / 2 } = rule;
    element.style.overflowWrap = mode === "shrink" ? "normal" : "anywhere";
    if (this.fits(element, maxLines)) return { field, from, to: from };
    const to = mode === "shrink" ? this.shrink(element, { from, least: Math.min(from, minSize), maxLines }) : from;
    element.style.fontSize = `${to}px`;
    return this.fits(element, maxLines) ? { field, from, to } : { field, from, to, cut: this.cut(element, maxLines) };
  }

  shrink(element: HTMLElement, { from, least, maxLines }: SizeRange): number {
    for (const wrap of ["normal", "anywhere"]) {
      // A long word makes the type smaller before it is broken.
      element.style.overflowWrap = wrap;
      element.style.fontSize = `${least}px`;
      if (this.fits(element, maxLines)) return this.largestSize(element, { from, least, maxLines });
    }
    return least;
  }

  largestSize(element: HTMLElement, { from, least, maxLines }: SizeRange): number {
    const PRECISION_PX = 0.25;
    let [low, high] = [least, from];
    while (high - low > PRECISION_PX) {
      const middle = (low + high) / 2;
      element.style.fontSize = `${middle}px`;
      if (this.fits(element, maxLines)) low = middle;
      else high = middle;
    }
    return Math.floor(low / PRECISION_PX) * PRECISION_PX;
  }

  fits(element: HTMLElement, maxLines: number): boolean {
    /** Client sizes are whole pixels. */
    const ROUNDING_PX = 1;
    const { lines, tooLong, tooHigh } = this.extentOf(element);
    return lines <= maxLines && tooLong <= ROUNDING_PX && tooHigh <= ROUNDING_PX;
  }

  /** Sizes across and along the lines: in vertical writing, lines stand side by side. */
  extentOf(element: HTMLElement) {
    /** A guess, in multiples of the type size, for elements that say nothing. */
    const NORMAL_LINE_HEIGHT = 1.2;
    const style = getComputedStyle(element);
    const isVertical = style.writingMode.startsWith("vertical");
    const fontSize = Number.parseFloat(style.fontSize);
    const lineHeight = Number.parseFloat(style.lineHeight) || fontSize * NORMAL_LINE_HEIGHT;
    const padding = Number.parseFloat(style.paddingBlockStart) + Number.parseFloat(style.paddingBlockEnd);
    const block = isVertical ? element.scrollWidth : element.scrollHeight;
    const tooLong = isVertical
      ? element.scrollHeight - element.clientHeight
      : element.scrollWidth - element.clientWidth;
    // Tall glyphs reach beyond a tight line, by less than half of it: rounding leaves them out.
    const lines = Math.round((block - padding) / lineHeight);
    const room = (isVertical ? element.clientWidth : element.clientHeight) - padding;
    // Without a line height, or with its ends trimmed, the height of the lines is not known: a line too many still is.
    const isKnown = style.lineHeight !== "normal" && style.getPropertyValue("text-box-trim") === "none";
    const tooHigh = isKnown ? lines * lineHeight - room : block - padding - room - lineHeight / 2;
    return { lines, tooLong, tooHigh };
  }

  /** Drops characters from the end until the rest fits with an ellipsis. What a reader sees as one character stays whole. */
  cut(element: HTMLElement, maxLines: number): Cut {
    const { whole, keep } = this.textOf(element);
    const ends = Array.from(new Intl.Segmenter().segment(whole), ({ index }) => index);
    let [low, high] = [0, ends.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      keep(ends[middle] ?? 0);
      if (this.fits(element, maxLines)) low = middle;
      else high = middle;
    }
    const kept = this.wholeWords(whole, ends[low] ?? 0);
    keep(kept);
    return { shown: this.countCharacters(whole.slice(0, kept)), of: this.countCharacters(whole) };
  }

  /** The text of an element, and what leaves only so much of it, with an ellipsis. */
  textOf(element: HTMLElement): { whole: string; keep: (length: number) => void } {
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    const texts: { node: Node; start: number; text: string }[] = [];
    let whole = "";
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const text = node.textContent ?? "";
      texts.push({ node, start: whole.length, text });
      whole += text;
    }
    const keep = (length: number) => {
      const kept = whole.slice(0, length).replace(/[\s\p{Po}\p{Pd}]+$/u, "");
      const last = texts.findLast(({ start }) => start < kept.length) ?? texts[0];
      for (const { node, start, text } of texts) {
        const part = kept.slice(start, start + text.length);
        node.textContent = node === last?.node ? `${part}…` : part;
      }
    };
    return { whole, keep };
  }

  /** As much of a text up to `end` as is whole words, as long as that leaves out little. */
  wholeWords(text: string, end: number): number {
    /** In characters: a longer one is cut in the middle rather than left out. */
    const LONGEST_DROPPED_WORD = 16;
    const words = Array.from(
      new Intl.Segmenter(undefined, { granularity: "word" }).segment(text),
      ({ index }) => index,
    );
    const wordEnd = words.findLast((index) => index <= end) ?? end;
    return end - wordEnd <= LONGEST_DROPPED_WORD ? wordEnd : end;
  }

  countCharacters(text: string): number {
    return Array.from(new Intl.Segmenter().segment(text.trim())).length;
  }

  isShown(element: HTMLElement): boolean {
    return element.checkVisibility({ visibilityProperty: true });
  }

  /** Fields of which no element that names them has a box. */
  findHidden(): string[] {
    const isShown = new Map<string, boolean>();
    for (const element of document.querySelectorAll<HTMLElement>("[data-fit],[data-image],[data-qr]")) {
      const field = element.dataset.fit ?? element.dataset.image ?? element.dataset.qr ?? "";
      isShown.set(field, isShown.get(field) || this.isShown(element));
    }
    return Array.from(isShown).flatMap(([field, shown]) => (shown ? [] : [field]));
  }
}

/** The expression that fits and measures a document. */
export function measureExpression(rules: Record<string, Fit>): string {
  return `new (${Fitting.toString()})().measure(${JSON.stringify(rules)})`;
}
