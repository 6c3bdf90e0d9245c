import type { FoundUnit } from "./unit-reader.ts";

/**
 * Runs in a page that was drawn: puts texts and words into elements of their own, because the protocol tells the fonts of
 * elements. The page gets it as source text, so it refers to nothing outside itself but types.
 */
export class TextMarker {
  readonly found: FoundUnit[];

  constructor(found: FoundUnit[]) {
    this.found = found;
  }

  /**
   * Gives each word with an unusual letter an element of its own: the first time that it stands in its unit, and no more than
   * `most` words in all. @returns the words in document order
   */
  markWords(units: number[], most: number): { unit: number; text: string }[] {
    const words: { unit: number; text: string }[] = [];
    const segmenter = new Intl.Segmenter(undefined, { granularity: "word" });
    let left = most;
    for (const id of units) {
      const known = new Set<string>();
      for (const { node } of this.found[id]?.pieces ?? []) {
        const wanted = Array.from(segmenter.segment(node.data)).filter(({ segment }) => {
          const isNew = !known.has(segment) && /[^\p{ASCII}\s]/u.test(segment) && /\p{L}/u.test(segment);
          if (!isNew || left === 0) return false;
          left--;
          known.add(segment);
          return true;
        });
        for (const { index, segment } of wanted.toReversed()) {
          const range = document.createRange();
          range.setStart(node, index);
          range.setEnd(node, index + segment.length);
          const span = document.createElement("span");
          span.dataset.proofWord = `${id}`;
          range.surroundContents(span);
        }
      }
    }
    this.layOut();
    for (const span of document.querySelectorAll<HTMLElement>("[data-proof-word]"))
      words.push({ unit: Number(span.dataset.proofWord), text: span.textContent ?? "" });
    return words;
  }

  /**
   * Gives text nodes elements of their own, because the protocol looks only two levels below an element: one of each unit that
   * shows anything, and about `most` in all. A page has as many units as its template, and text nodes as its request.
   * @returns the unit of each element, in document order
   */
  markUnits(most: number): number[] {
    let left = most;
    for (const { pieces, unit } of this.found) {
      const marked = unit.glyphs.length > 0 ? pieces.slice(0, Math.max(1, left)) : [];
      left -= marked.length;
      for (const { node } of marked) {
        const span = document.createElement("span");
        span.dataset.proofUnit = `${unit.id}`;
        node.replaceWith(span);
        span.append(node);
      }
    }
    this.layOut();
    return Array.from(document.querySelectorAll<HTMLElement>("[data-proof-unit]"), (span) =>
      Number(span.dataset.proofUnit),
    );
  }

  /** The protocol finds no fonts of an element that was not laid out. */
  layOut(): void {
    document.body.getBoundingClientRect();
  }
}
