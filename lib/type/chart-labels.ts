/**
 * Draws the labels of charts smaller where they are wider than their room. Charts place their texts by estimated widths, and no estimate
 * holds for every font, for capitals by `text-transform`, and for any `letter-spacing`. The page gets it as source text, so it refers to
 * nothing outside itself but types.
 */
export class ChartLabels {
  fitAll(): void {
    const charts = Array.from(document.querySelectorAll<SVGSVGElement>("svg[data-chart]"));
    // All are measured before any is changed: each change would have the page laid out again for the next one.
    const wide = charts.flatMap((chart) => this.findWide(chart)).map((label) => ({ ...label, ...this.sizesOf(label) }));
    for (const { text, size, spacing } of wide) {
      text.style.fontSize = `${size}px`;
      if (spacing !== undefined) text.style.letterSpacing = `${spacing}px`;
    }
  }

  /** The labels of a chart that have one size in its design have one in the picture. */
  findWide(chart: SVGSVGElement): { text: SVGTextElement; share: number }[] {
    const texts = Array.from(chart.querySelectorAll<SVGTextElement>("text[data-room]"));
    const shares = new Map<string | null, number>();
    for (const text of texts) {
      const size = text.getAttribute("font-size");
      const share = Number(text.dataset.room) / text.getComputedTextLength();
      shares.set(size, Math.min(shares.get(size) ?? 1, share));
    }
    return texts.flatMap((text) => {
      const share = shares.get(text.getAttribute("font-size")) ?? 1;
      return share < 1 ? [{ text, share }] : [];
    });
  }

  sizesOf({ text, share }: { text: SVGTextElement; share: number }): { size: number; spacing: number | undefined } {
    const { fontSize, letterSpacing } = getComputedStyle(text);
    // Without a spacing, it is `normal`.
    const spacing = Number.parseFloat(letterSpacing);
    return { size: Number.parseFloat(fontSize) * share, spacing: spacing ? spacing * share : undefined };
  }
}
