/**
 * Segmenters by language, which a page keeps for its next documents: loading a dictionary takes longer than reading a text. The
 * page gets this class as source text, so it refers to nothing outside itself.
 */
export class Segmenters {
  readonly graphemes = new Intl.Segmenter();
  readonly #words = new Map<string, Intl.Segmenter>();

  wordsOf(language: string): Intl.Segmenter {
    const known = this.#words.get(language);
    if (known) return known;
    const segmenter = new Intl.Segmenter(language, { granularity: "word" });
    this.#words.set(language, segmenter);
    return segmenter;
  }
}
