import { expect, test } from "vitest";
import { JapanesePhrases } from "#lib/type/fit/lines/japanese-phrases.ts";
import { Segmenters } from "#lib/type/segmenters.ts";
import { letters } from "./letters.ts";

/** The phrases of a text, where the page allows a break after any character but before punctuation and after an opening quote. */
function phrasesOf(text: string, language = "ja"): string {
  const atoms = letters(text);
  for (const [index, atom] of atoms.entries())
    atom.level = /\p{P}/u.test(atoms[index + 1]?.text ?? "") || /[\p{Ps}\p{Pi}]/u.test(atom.text) ? 2 : 0;
  new JapanesePhrases(new Segmenters()).keep(atoms, language);
  return atoms.map(({ text: letter, level }, index) => letter + (level === 0 && atoms[index + 1] ? "|" : "")).join("");
}

test.each([
  [
    "particles in hiragana",
    "今日はとても天気がいいので散歩に出かけました。",
    "今日は|とても|天気がいいので|散歩に|出かけました。",
  ],
  [
    "particles and endings in katakana",
    "雨ニモマケズ、風ニモマケズ、雪ニモ夏ノ暑サニモマケヌ、決シテ瞋ラズ。",
    "雨ニモマケズ、|風ニモマケズ、|雪ニモ|夏ノ|暑サニモマケヌ、|決シテ|瞋ラズ。",
  ],
  ["a loanword in katakana", "京都コーヒー博覧会", "京都|コーヒー|博覧会"],
  ["a genitive of a genitive", "夏の夜の寄席", "夏の夜の|寄席"],
])("%s", (_, text, wanted) => {
  expect(phrasesOf(text)).toBe(wanted);
});

test("a few words in Chinese quotes stay together", () => {
  expect(phrasesOf("老城区里的“音乐与诗”之夜", "zh-Hans")).toBe("老|城区里的“音乐与诗”|之夜");
  expect(phrasesOf("“时间会走。”", "zh-Hans")).toBe("“时间|会|走。”");
});

test.each([
  ["numbers stay with what they count", "前売四千五百円当日五千円", "前売·四千五百円·当日·五千円"],
  ["years and days", "平成三十一年四月三十日", "平成·三十一年·四月·三十日"],
  ["a suffix of one character stays with its word", "東京都交響楽団", "東京都·交響楽団"],
])("in a compound of kanji, %s", (_, text, wanted) => {
  const atoms = letters(text);
  for (const atom of atoms) atom.level = 0;
  new JapanesePhrases(new Segmenters()).keep(atoms, "ja");
  const words = atoms.map(({ text: letter, level }, index) => letter + (level === 1 && atoms[index + 1] ? "·" : ""));
  expect(words.join("")).toBe(wanted);
});

test("a Chinese dash does not begin a line", () => {
  const atoms = letters("小巷之夜——欢迎光临");
  for (const atom of atoms) atom.level = 0;
  new JapanesePhrases(new Segmenters()).keep(atoms, "zh-Hans");
  expect(atoms.slice(3, 6).map(({ level }) => level)).toEqual([2, 2, 0]);
});
