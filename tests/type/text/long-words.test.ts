import { describe, expect, it } from "vitest";
import { divideLongWords } from "#lib/type/text/long-words.ts";

const divided = (html: string) => html.replaceAll(/<long-word>(.*?)<\/long-word>/g, "[$1]");

describe("lines may end anywhere", () => {
  it.each([
    ["two alphabets", "aж".repeat(100)],
    ["letters and signs", "a→".repeat(100)],
    ["letters of two directions", "aא".repeat(100)],
    ["emoji and letters", "a😀".repeat(100)],
  ])("in a word of hundreds of pieces, of %s", (_name, word) => {
    expect(divided(divideLongWords(`Before ${word} after\n${word}`))).toBe(`Before [${word}] after\n[${word}]`);
  });

  it("in each hundred Mongolian letters, with the marks behind the last one", () => {
    const letters = "ᠮᠣ".repeat(49);
    const html = `${letters}ᠮᠣ\u180b\u180c${letters}ᠮ${"ᠣ".repeat(99)} ${letters}`;
    expect(divided(divideLongWords(html))).toBe(`[${letters}ᠮᠣ\u180b\u180c][${letters}ᠮᠣ]${"ᠣ".repeat(98)} ${letters}`);
  });

  it.each([
    ["Arabic", "ب"],
    ["N'Ko", "ߒ"],
    ["Syriac", "ܒ"],
    ["Adlam", "𞤢"],
    ["lengthened", "ـ"],
  ])("in each hundred joined letters: %s", (_name, letter) => {
    const [hundred, few] = [letter.repeat(100), letter.repeat(50)];
    expect(divided(divideLongWords(hundred + hundred + few))).toBe(`[${hundred}][${hundred}]${few}`);
  });

  it("in stacks of twenty Burmese letters", () => {
    expect(divided(divideLongWords("က္".repeat(41)))).toBe(`${`[${"က္".repeat(20)}]`.repeat(2)}က္`);
  });

  it("in Mongolian letters within a word of hundreds of pieces", () => {
    const [word, letters] = ["aж".repeat(100), "ᠣ".repeat(100)];
    expect(divideLongWords(word + letters)).toBe(`<long-word>${word}<long-word>${letters}</long-word></long-word>`);
  });

  it("in such a word between tags, and not in the tags", () => {
    const word = "aж".repeat(150);
    const html = `<em data-marked>${word}</em>&lt;`;
    expect(divided(divideLongWords(html))).toBe(`<em data-marked>[${word}]</em>&lt;`);
  });
});

describe("lines end where they do in any text", () => {
  it.each([
    ["a long word of one alphabet", "Donaudampfschiff".repeat(40)],
    ["an address with a few other letters", `https://example.com/${"straße-".repeat(30)}`],
    ["escaped signs", "&amp;&lt;".repeat(100)],
    ["a text of two alphabets in words", "привет hello ".repeat(100)],
    ["Japanese without spaces", "漢字とカナの文章。".repeat(60)],
    ["Chinese with Latin letters", "使用API和SDK开发".repeat(60)],
    ["Thai without spaces", "ภาษาไทยabc".repeat(60)],
    ["Korean", "한국어와English".repeat(60)],
    ["Khmer", "ភាសាខ្មែរabc".repeat(60)],
    ["Burmese", "အားလုံးသောလူသားများသည်ဗုဒ္ဓ".repeat(20)],
    ["Arabic in words", "مُحَمَّدٌ رَسُولُ ".repeat(60)],
    ["Mongolian in words", "ᠮᠣᠩᠭᠣᠯ ᠪᠢᠴᠢᠭ ".repeat(60)],
  ])("in %s", (_name, text) => expect(divideLongWords(text)).toBe(text));
});
