import type { Fit } from "./fit-rule.ts";

/** How many graphemes of a text are shown. */
type Cut = { shown: number; of: number };

/** The result for one fitted element: its font size in CSS pixels before and after, and how it was cut. */
export type FitOutcome = { field: string; from: number; to: number; cut?: Cut };

/** The range of font sizes in CSS pixels, and the number of lines allowed. */
type SizeRange = { from: number; least: number; maxLines: number };

/** The room that one module of a visible QR code has, in CSS pixels. The code is drawn with modules of whole pixels. */
export type CodeOutcome = { field: string; room: number };

/** What {@link Fitting} measures. `hidden` names the fields whose elements all have no box or are invisible. */
export type Measurements = { fits: FitOutcome[]; codes: CodeOutcome[]; hidden: string[]; brokenImages: number };

/**
 * Runs in the page after everything has loaded: fits each text to its element and counts broken images. The page gets
 * it as source text, so it refers to nothing outside itself. It is a class because minifiers keep the names of methods.
 */
class Fitting {
  measure(rules: Record<string, Fit>): Measurements {
    const elements = Array.from(document.querySelectorAll<HTMLElement>("[data-fit]"));
    const fits = elements.map((element) => this.fitElement(element, rules));
    for (const [index, element] of elements.entries()) {
      const fit = fits[index];
      // A text that was fitted later may have taken this one's room.
      if (fit && !fit.cut && !this.fits(element, rules[fit.field]?.maxLines ?? Number.POSITIVE_INFINITY))
        fits[index] = this.fitElement(element, rules, fit.from);
    }
    const broken = Array.from(document.images).filter((image) => !image.complete || image.naturalWidth === 0);
    const images = Array.from(document.querySelectorAll<HTMLImageElement>("[data-qr]"));
    const codes = images.filter((image) => this.isShown(image)).map((image) => this.fitCode(image));
    return { fits, codes, hidden: this.findHidden(), brokenImages: broken.length };
  }

  /**
   * Gives the modules of a QR code whole pixels, so that all have the same size. The element keeps its size: the
   * remaining pixels widen the margin of the code.
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

  /** The size of an element's content and the padding before and after it, in fractional CSS pixels. */
  roomOf(element: HTMLElement, size: "width" | "height"): { size: number; before: number; after: number } {
    const style = getComputedStyle(element);
    const [first, last] = size === "width" ? ["left", "right"] : ["top", "bottom"];
    const pixels = (property: string) => Number.parseFloat(style.getPropertyValue(property)) || 0;
    const [before, after] = [pixels(`padding-${first}`), pixels(`padding-${last}`)];
    const around = before + after + pixels(`border-${first}-width`) + pixels(`border-${last}-width`);
    return { size: pixels(size) - (style.boxSizing === "border-box" ? around : 0), before, after };
  }

  /** @param designed the font size from the style sheet, for an element that was fitted before */
  fitElement(element: HTMLElement, rules: Record<string, Fit>, designed?: number): FitOutcome {
    const field = element.dataset.fit ?? "";
    const rule = rules[field];
    const from = designed ?? Number.parseFloat(getComputedStyle(element).fontSize);
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
      // A long word is made smaller before it is broken.
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
    /** Client sizes are rounded to whole pixels. */
    const ROUNDING_PX = 1;
    const { lines, tooLong, tooHigh } = this.extentOf(element);
    return lines <= maxLines && tooLong <= ROUNDING_PX && tooHigh <= ROUNDING_PX;
  }

  /** Measures lines and overflow. In vertical writing, lines are counted from side to side. */
  extentOf(element: HTMLElement) {
    /** Assumed for `line-height: normal`, in multiples of the font size. */
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
    // Tall glyphs overflow a tight line by less than half a line, which rounding ignores.
    const lines = Math.round((block - padding) / lineHeight);
    const room = (isVertical ? element.clientWidth : element.clientHeight) - padding;
    // With `line-height: normal` or `text-box-trim` the height of the lines is unknown, but an extra line can be
    // detected.
    const isKnown = style.lineHeight !== "normal" && style.getPropertyValue("text-box-trim") === "none";
    const tooHigh = isKnown ? lines * lineHeight - room : block - padding - room - lineHeight / 2;
    return { lines, tooLong, tooHigh };
  }

  /** Drops graphemes from the end until the rest fits with an ellipsis. */
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

  /** The text of an element, and a function that keeps only its first part, with an ellipsis. */
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

  /** Moves `end` back to the end of a word, unless that would drop more than a short word. */
  wholeWords(text: string, end: number): number {
    /** In UTF-16 units. A longer word is cut in the middle. */
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

  /** Finds the fields that have elements, of which none is visible. */
  findHidden(): string[] {
    const isShown = new Map<string, boolean>();
    for (const element of document.querySelectorAll<HTMLElement>("[data-fit],[data-image],[data-qr]")) {
      const field = element.dataset.fit ?? element.dataset.image ?? element.dataset.qr ?? "";
      isShown.set(field, isShown.get(field) || this.isShown(element));
    }
    return Array.from(isShown).flatMap(([field, shown]) => (shown ? [] : [field]));
  }
}

/** The JavaScript expression that fits and measures a document. */
export function measureExpression(rules: Record<string, Fit>): string {
  return `new (${Fitting.toString()})().measure(${JSON.stringify(rules)})`;
}
