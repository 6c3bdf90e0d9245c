import type { Fit } from "./fields/text.ts";

/** What became of one fitted element: its type size in CSS pixels before and after, and whether text was cut. */
type FitOutcome = { field: string; from: number; to: number; cut: boolean };

/** The sizes to choose from, in CSS pixels, and the lines that the text may take. */
type SizeRange = { from: number; least: number; maxLines: number };

/** What {@link measureDocument} finds. */
export type Measurements = { fits: FitOutcome[]; brokenImages: number };

/**
 * Runs in the page, after everything has loaded: makes each text fit its element, and counts images that do not draw.
 * It is sent as source text, so it refers to nothing outside itself.
 */
function measureDocument(rules: Record<string, Fit>): Measurements {
  const PRECISION_PX = 0.25;
  /** Client sizes are whole pixels. */
  const ROUNDING_PX = 1;
  /** A guess, in multiples of the type size, for elements that say nothing. */
  const NORMAL_LINE_HEIGHT = 1.2;

  /** Sizes across and along the lines: in vertical writing, lines stand side by side. */
  function extentOf(element: HTMLElement) {
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

  function fits(element: HTMLElement, maxLines: number): boolean {
    const { lines, tooLong, tooHigh } = extentOf(element);
    return lines <= maxLines && tooLong <= ROUNDING_PX && tooHigh <= ROUNDING_PX;
  }

  function largestSize(element: HTMLElement, { from, least, maxLines }: SizeRange): number {
    let [low, high] = [least, from];
    while (high - low > PRECISION_PX) {
      const middle = (low + high) / 2;
      element.style.fontSize = `${middle}px`;
      if (fits(element, maxLines)) low = middle;
      else high = middle;
    }
    return Math.floor(low / PRECISION_PX) * PRECISION_PX;
  }

  function cut(element: HTMLElement, maxLines: number): void {
    const clamp = {
      display: "-webkit-box",
      "-webkit-box-orient": "vertical",
      "-webkit-line-clamp": String(maxLines),
      overflow: "hidden",
    };
    // Tall scripts reach beyond a tight line; the room is given back by the margin, so that nothing moves.
    const room = { "padding-block": "0.2em", "margin-block": "-0.2em" };
    for (const [name, value] of Object.entries({ ...clamp, ...room })) element.style.setProperty(name, value);
  }

  function shrink(element: HTMLElement, { from, least, maxLines }: SizeRange): number {
    for (const wrap of ["normal", "anywhere"]) {
      // A long word makes the type smaller before it is broken.
      element.style.overflowWrap = wrap;
      element.style.fontSize = `${least}px`;
      if (fits(element, maxLines)) return largestSize(element, { from, least, maxLines });
    }
    return least;
  }

  function fitElement(element: HTMLElement): FitOutcome {
    const field = element.dataset.fit ?? "";
    const rule = rules[field];
    const from = Number.parseFloat(getComputedStyle(element).fontSize);
    if (!rule) return { field, from, to: from, cut: false };
    const { mode, maxLines, minSize = from / 2 } = rule;
    element.style.overflowWrap = mode === "shrink" ? "normal" : "anywhere";
    if (fits(element, maxLines)) return { field, from, to: from, cut: false };
    const to = mode === "shrink" ? shrink(element, { from, least: Math.min(from, minSize), maxLines }) : from;
    element.style.fontSize = `${to}px`;
    const isCut = !fits(element, maxLines);
    if (isCut) cut(element, maxLines);
    return { field, from, to, cut: isCut };
  }

  const elements = Array.from(document.querySelectorAll<HTMLElement>("[data-fit]"));
  const outcomes = elements.map(fitElement);
  for (const [index, element] of elements.entries()) {
    const { field, from, cut: isCut } = outcomes[index] ?? { field: "", from: 0, cut: true };
    // A text that was fitted later may have taken this one's room.
    if (!isCut && !fits(element, rules[field]?.maxLines ?? Number.POSITIVE_INFINITY))
      outcomes[index] = { ...fitElement(element), from };
  }
  const broken = Array.from(document.images).filter((image) => !image.complete || image.naturalWidth === 0);
  return { fits: outcomes, brokenImages: broken.length };
}

/** The expression that fits and measures a document. */
export function measureExpression(rules: Record<string, Fit>): string {
  return `(${measureDocument.toString()})(${JSON.stringify(rules)})`;
}
