/** A part of a text that is set off, in UTF-16 units. */
export type Span = { start: number; end: number; kind: "mark" | "strong" | "em" };

/** A text with parts that are set off. They may contain and cross each other. */
export class MarkedText {
  readonly text: string;
  readonly #spans: Span[];

  constructor(text: string, spans: Span[]) {
    this.text = text;
    this.#spans = spans;
  }

  get spans(): Span[] {
    return this.#spans;
  }

  /** The text with one more part set off. */
  with(span: Span): MarkedText {
    return new MarkedText(this.text, [...this.#spans, span]);
  }

  /** What other filters and outputs in attributes see. */
  toString(): string {
    return this.text;
  }
}

/** How a character is compared: without case, with either form of an apostrophe, a quotation mark and a space. */
function fold(character: string): string {
  if (/\s/u.test(character)) return " ";
  if (character === "’" || character === "‘") return "'";
  if (character === "“" || character === "”") return '"';
  return character.toLowerCase();
}

type Folded = {
  text: string /** The index in the original text of each unit, and its length at the end. */;
  places: number[];
};

function foldText(original: string): Folded {
  let text = "";
  const places: number[] = [];
  let at = 0;
  for (const character of original) {
    const folded = fold(character);
    for (let unit = 0; unit < folded.length; unit++) places.push(at);
    text += folded;
    at += character.length;
  }
  return { text, places: [...places, original.length] };
}

const AFTER = /^[,.;:!?…‥)\]}”’»›"'、。，．：；！？」』】）।॥،؛؟]+/u;
const BEFORE = /[¡¿([{“‘«‹„‚「『【（]+$/u;

const segmenter = new Intl.Segmenter();

/** Widens a part of a text to whole grapheme clusters and to the punctuation that belongs to it. */
function widen(text: string, start: number, end: number): Span {
  const clusters = Array.from(segmenter.segment(text), ({ index }) => index);
  const first = clusters.findLast((index) => index <= start) ?? 0;
  const last = clusters.find((index) => index >= end) ?? text.length;
  const before = BEFORE.exec(text.slice(0, first))?.[0].length ?? 0;
  const after = AFTER.exec(text.slice(last))?.[0].length ?? 0;
  return { start: first - before, end: last + after, kind: "mark" };
}

/** Finds words in a text that may have parts set off already, and marks them as {@link markWords} does. */
export function markMore(text: MarkedText, words: string): MarkedText {
  const [span] = markWords(text.text, words)?.spans ?? [];
  return span ? text.with(span) : text;
}

/**
 * Finds words in a text and marks their first occurrence. The words match without case and with either apostrophe. The
 * mark covers whole grapheme clusters and the adjoining punctuation, so that it neither splits a letter nor leaves a hole.
 * @returns nothing where the text does not contain the words
 */
export function markWords(text: string, words: string): MarkedText | undefined {
  const [whole, wanted] = [text.normalize("NFC"), words.normalize("NFC").trim()];
  if (wanted === "") return undefined;
  const { text: folded, places } = foldText(whole);
  const { text: needle } = foldText(wanted);
  const at = folded.indexOf(needle);
  if (at < 0) return undefined;
  const endUnit = at + needle.length;
  return new MarkedText(whole, [widen(whole, places[at] ?? 0, places[endUnit] ?? whole.length)]);
}
