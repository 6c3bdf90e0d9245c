/** A text with a part that is to be marked, in UTF-16 units. */
export class MarkedText {
  readonly text: string;
  readonly start: number;
  readonly end: number;

  constructor(text: string, start: number, end: number) {
    this.text = text;
    this.start = start;
    this.end = end;
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
function widen(text: string, start: number, end: number): MarkedText {
  const clusters = Array.from(segmenter.segment(text), ({ index }) => index);
  const first = clusters.findLast((index) => index <= start) ?? 0;
  const last = clusters.find((index) => index >= end) ?? text.length;
  const before = BEFORE.exec(text.slice(0, first))?.[0].length ?? 0;
  const after = AFTER.exec(text.slice(last))?.[0].length ?? 0;
  return new MarkedText(text, first - before, last + after);
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
  return widen(whole, places[at] ?? 0, places[endUnit] ?? whole.length);
}
