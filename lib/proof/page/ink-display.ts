import type { FoundUnit } from "./unit-reader.ts";

/** A line of a unit, and the highlight that colours it. */
export type InkSlot = { unit: number; line: number; channel: 0 | 1 | 2 | 3 };

/**
 * Runs in a page that was drawn: shows it without its texts, and then the ink of its texts alone. The page gets it as source
 * text, so it refers to nothing outside itself but types.
 */
export class InkDisplay {
  readonly found: FoundUnit[];
  readonly style = document.createElement("style");

  constructor(found: FoundUnit[]) {
    this.found = found;
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
    const placeOf = () =>
      this.found.flatMap(({ element }) => {
        const { left, top, right, bottom } = element.getBoundingClientRect();
        return [left, top, right, bottom].map((pixels) => Math.round(pixels * 100));
      });
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
    if (placeOf().some((pixels, side) => pixels !== before[side]))
      for (const [element, css] of opened) element.style.cssText = css;
  }

  /** Colours lines of texts: 0 to 2 are red, green and blue, which add up where they meet; 3 is every colour. */
  showInk(slots: InkSlot[]): void {
    const highlights = [0, 1, 2, 3].map(() => new Highlight());
    for (const { unit, line, channel } of slots) {
      const found = this.found[unit];
      const own = found?.unit.glyphs.filter((glyph) => glyph.line === line) ?? [];
      // Both are in the order of the text, and each is walked through once: a text may have thousands of pieces.
      let next = 0;
      for (const { node, start } of found?.pieces ?? []) {
        const first = own[next];
        while ((own[next]?.at ?? Infinity) < start + node.data.length) next++;
        const last = own[next - 1];
        if (!first || !last || last.at < first.at) continue;
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
}
