import type { PageTexts } from "./page-texts.ts";

/**
 * Draws the Chinese dashes of bold texts with a stroke, because the bold faces of Noto Sans for Han characters have a dash of
 * regular weight. It runs in the page after the faces are assigned. The page gets it as source text, so it refers to nothing
 * outside itself.
 */
export class ChineseDashes {
  texts: PageTexts;

  constructor(texts: PageTexts) {
    this.texts = texts;
  }

  thicken(): void {
    for (const node of this.texts.nodes()) {
      const parent = node.parentElement;
      if (parent && node.data.includes("——") && this.isThin(parent)) node.replaceWith(...this.partsOf(node, parent));
    }
  }

  isThin(element: Element): boolean {
    const BOLD = 600;
    const { fontFamily, fontWeight } = getComputedStyle(element);
    return Number(fontWeight) >= BOLD && /Noto Sans (?:SC|TC|JP)$/.test(this.texts.firstFamily(fontFamily));
  }

  /** The text, with an element around each dash. */
  partsOf({ data }: Text, parent: Element): (string | Element)[] {
    const STROKE_EM = 0.035;
    return data.split(/(——+)/).map((part) => {
      if (!part.startsWith("——")) return part;
      const dash = this.texts.inlineElement(parent);
      dash.style.setProperty("-webkit-text-stroke-width", `${STROKE_EM}em`);
      dash.textContent = part;
      return dash;
    });
  }
}
