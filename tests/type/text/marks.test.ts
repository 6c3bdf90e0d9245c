import { expect, test } from "vitest";
import { fillLiquid, parseLiquid } from "#lib/templates/liquid.ts";
import { markWords } from "#lib/type/text/marks.ts";

const marked = (text: string, words: string) => {
  const found = markWords(text, words);
  const [span] = found?.spans ?? [];
  if (!found || !span) return undefined;
  const { text: whole } = found;
  return `${whole.slice(0, span.start)}[${whole.slice(span.start, span.end)}]${whole.slice(span.end)}`;
};

test.each([
  ["the words as they stand", "no gate, no lock", "no lock", "no gate, [no lock]"],
  ["no hole before a comma", "no gate, no lock", "no gate", "[no gate,] no lock"],
  ["closing punctuation", "He said “never.” Twice.", "never", "He said [“never.”] Twice."],
  ["opening punctuation", "¿Quién? Tú", "quién", "[¿Quién?] Tú"],
  ["another case", "Less IS more", "is MORE", "Less [IS more]"],
  ["either apostrophe", "Don’t stop", "don't", "[Don’t] stop"],
  ["a line break as a space", "one\ntwo three", "one two", "[one\ntwo] three"],
  ["whole clusters in Devanagari", "नमस्ते दुनिया", "नमस", "[नमस्ते] दुनिया"],
  ["whole clusters in Thai", "ว่ายน้ำ", "ว", "[ว่]ายน้ำ"],
  ["a whole emoji family", "a 👩‍👧 b", "👩", "a [👩‍👧] b"],
  ["composed and decomposed letters", "un cafe\u0301 noir", "caf\u00e9", "un [caf\u00e9] noir"],
  ["a letter that grows in lower case", "İstanbul, evet", "evet", "İstanbul, [evet]"],
])("a mark takes %s", (_, text, words, wanted) => {
  expect(marked(text, words)).toBe(wanted);
});

test("words that the text does not contain are not marked", () => {
  expect([markWords("Less is more", "nowhere"), markWords("Less", " ")]).toEqual([undefined, undefined]);
});

test("the filter marks inside an escaped text, and attributes get the text alone", () => {
  const source = `<p title="{{ text | mark: words }}">{{ text | mark: words }}</p>`;
  const { html, shown } = fillLiquid(parseLiquid(source), { text: "<b> & c", words: "&" });
  expect(html).toBe(`<p title="&lt;b&gt; &amp; c">&lt;b&gt; <mark data-marked>&amp;</mark> c</p>`);
  expect([...shown]).toEqual(["<b> & c", "<b> & c\0mark 4 5"]);
});
