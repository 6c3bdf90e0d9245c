import { expect, test } from "vitest";
import { WrittenValue } from "#lib/templates/filters/written-value.ts";
import { fillLiquid, parseLiquid } from "#lib/templates/liquid.ts";
import { cleanBidi, directionIn, directionOf } from "#lib/type/text/bidi/bidi.ts";
import type { TextSettings } from "#lib/type/text/runs.ts";

test.each([
  ["an override is removed", "abc\u202edef", "abcdef"],
  ["an override is removed with its closing character", "a\u202ddef\u202cg", "adefg"],
  ["an open embedding is closed", "a\u202bdef", "a\u202bdef\u202c"],
  ["an open isolate is closed at the end of its line", "a\u2067b\nc", "a\u2067b\u2069\nc"],
  ["a closing character without an opening one is removed", "a\u2069b\u202cc", "abc"],
  ["an isolate closes the embeddings inside it", "\u2068\u202ax\u2069y", "\u2068\u202ax\u202c\u2069y"],
  ["a balanced isolate stays", "a \u2068ליל\u2069 b", "a \u2068ליל\u2069 b"],
  ["a balanced embedding stays", "a \u202bליל\u202c b", "a \u202bליל\u202c b"],
])("%s", (_, text, wanted) => {
  expect(cleanBidi(text)).toBe(wanted);
});

test.each([
  ["9 pm", "ltr"],
  ["9 בערב", "rtl"],
  ["«‏ABC»", "rtl"],
  ["ދިވެހި", "rtl"],
  ["ߒߞߏ", "rtl"],
  ["𞤀𞤁", "rtl"],
  ["१२ ליל", "ltr"],
  ["١٢ abc", "ltr"],
  ["١٢–۱۲ (−50 %)", undefined],
  ["\u2067abc\u2069 ליל", "rtl"],
  ["\u2067a\u2066b\u2069c\u2069\u2069 ליל", "rtl"],
  ["\u2067abc ליל", undefined],
  ["٣٥٪\u061c", "rtl"],
  ["߃߀%", "rtl"],
  ["−𞥙%", "rtl"],
])("%s starts in the direction %s", (text, wanted) => {
  expect(directionOf(text)).toBe(wanted);
});

test.each([
  ["Apple تطلق هاتفها الجديد وSamsung ترد بعد أسبوع", "ar", "rtl"],
  ["Vodafone مصر", "ar", "rtl"],
  ["npm ו־yarn: השוואה קצרה", "he", "rtl"],
  ["The café called קפה opens", "he", "ltr"],
  ["קפה is the word that the sign has", "en", "ltr"],
  ["קפה Docker Compose for beginners", "he", "rtl"],
  ["קפה bar", "en", "rtl"],
  ["\u200eApple تطلق هاتفها الجديد", "ar", "ltr"],
  ["\u200fקפה is the word that the sign has", "en", "rtl"],
  ["\u2067קפה פתוח היום\u2069 is open", "en", "ltr"],
  ["Apple تطلق هاتفها الجديد", "", "ltr"],
  ["iPhone 18", "ar", "ltr"],
  ["18:30", "ar", undefined],
])("%s in the language %s is read in the direction %s", (text, language, wanted) => {
  expect(directionIn(text, language)).toBe(wanted);
});

test("the direction of a text with a hundred thousand nested isolates is found", () => {
  const [open, close] = ["\u2067", "\u2069"].map((character) => character.repeat(100_000));
  expect(directionOf(`${open}abc${close}ליל`)).toBe("rtl");
});

const RTL: TextSettings = {
  language: "he",
  direction: "rtl",
  isWhole: (text) => text === "9" || text === "min read",
  typeset: (text) => text,
  textOf: () => "",
  languageOf: () => "he",
  languageOfField: () => "he",
};

const fill = (source: string, values: Record<string, unknown>, settings = RTL) =>
  fillLiquid(parseLiquid(source), values, settings).html;

test("each text is isolated with its own direction in a right-to-left layout", () => {
  expect(fill("<p>{{ a }}</p><p>{{ b }}</p>", { a: "ליל", b: "9 pm" })).toBe(
    "<p><text-run data-dir=rtl>ליל</text-run></p><p><text-run data-dir=ltr>9 pm</text-run></p>",
  );
});

test("several outputs are one phrase, in which each field is isolated", () => {
  const run = (text: string) => `<text-run data-dir=ltr>${text}</text-run>`;
  expect(fill("<p> {{ n }} {{ label }} </p>", { n: 9, label: "min read" })).toBe(
    `<p> ${run(`${run("9")} ${run("min read")}`)} </p>`,
  );
});

test("lines that differ in direction are isolated one by one", () => {
  expect(fill("<p>{{ a }}</p>", { a: "9 pm\nליל" })).toBe(
    "<p><text-run data-dir=ltr>9 pm</text-run>\n<text-run data-dir=rtl>ליל</text-run></p>",
  );
});

test("lines of one direction have it also where most words of all lines are of the other one", () => {
  const a = "Apple ליל ירח\nליל Sheikh Zayed Road Downtown Dubai";
  expect(fill("<p>{{ a }}</p>", { a })).toBe(`<p><text-run data-dir=rtl>${a}</text-run></p>`);
});

test("a mark before a number does not decide the direction of its line", () => {
  const a = "\u200e-2 ליל\nירח";
  expect(fill("<p>{{ a }}</p>", { a })).toBe(`<p><text-run data-dir=rtl>${a}</text-run></p>`);
});

test("a range of numbers that is written in the language of the layout reads in its direction", () => {
  const a = new WrittenValue({ text: "€1,180 – €1,420", raw: "1180–1420" });
  expect(fill("<p>{{ a }}</p><p>{{ a }} {{ b }}</p>", { a, b: "ליל" })).toBe(
    "<p><text-run data-dir=rtl>€1,180 – €1,420</text-run></p>" +
      "<p><text-run data-dir=rtl><text-run data-dir=rtl>€1,180 – €1,420</text-run> ליל</text-run></p>",
  );
});

test("outputs in attributes and comments are only escaped", () => {
  const source = `<p title="{{ a }}" data-x='>{{ a }}'><!-- > {{ a }} --></p>`;
  expect(fill(source, { a: `ליל "x"` })).toBe(
    `<p title="ליל &#34;x&#34;" data-x='>ליל &#34;x&#34;'><!-- > ליל &#34;x&#34; --></p>`,
  );
});

test("text in an SVG is isolated by characters, because only SVG elements are drawn there", () => {
  expect(fill("<svg><text>{{ a }}</text></svg><p>{{ a }}</p>", { a: "9 pm" })).toBe(
    "<svg><text>\u20669 pm\u2069</text></svg><p><text-run data-dir=ltr>9 pm</text-run></p>",
  );
});

test("a document without right-to-left letters has no elements added", () => {
  const settings: TextSettings = { ...RTL, direction: "ltr" };
  expect(fill("<p>{{ a }}</p>", { a: "9 pm" }, settings)).toBe("<p>9 pm</p>");
});

test("filters and conditions see the text of a capture", () => {
  const source = "{% capture c %}{{ a }}!{% endcapture %}{% if c == 'ab!' %}{{ c | upcase }}{% endif %}";
  expect(fillLiquid(parseLiquid(source), { a: "ab" }).html).toBe("AB!");
});

test("a text that a capture drops is not shown", () => {
  const { shown } = fillLiquid(parseLiquid("{% capture c %}{{ a }}{% endcapture %}{{ b }}"), { a: "one", b: "two" });
  expect([...shown]).toEqual(["two"]);
});
