/**
 * Draws the rows of code smaller that are wider than their block, which cuts them off. Rows are laid out by estimated widths, and no
 * estimate holds for every sign of every font. The page gets it as source text, so it refers to nothing outside itself but types.
 */
export class CodeRows {
  fitAll(): void {
    const texts = Array.from(document.querySelectorAll<HTMLElement>("code-row > code-text"));
    // All are measured before any is changed: each change would have the page laid out again for the next one.
    for (const { text, size } of texts.flatMap((one) => this.findWide(one))) text.style.fontSize = `${size}px`;
  }

  /** The size at which the row fits. None for one that does already. */
  findWide(text: HTMLElement): { text: HTMLElement; size: number }[] {
    const row = text.parentElement as HTMLElement;
    const excess = row.scrollWidth - row.clientWidth;
    if (excess <= 0) return [];
    const style = getComputedStyle(text);
    const width = text.offsetWidth - Number.parseFloat(style.paddingLeft);
    return [{ text, size: Number.parseFloat(style.fontSize) * Math.max(0.1, (width - excess - 1) / width) }];
  }
}
