import { expect, test } from "vitest";
import { detectLanguage, detectScript } from "#lib/type/text/language.ts";

test.each([
  ["東京タワー", "ja"],
  ["서울 大學", "ko"],
  ["简体中文汉语", "zh-Hans"],
  ["繁體中文臺灣", "zh-Hant"],
  ["ㄅㄆㄇ 注音", "zh-Hant"],
  ["你好", "zh-Hans"],
  ["Γειά σου", ""],
  ["", ""],
])("%s gets the glyphs of %s", (text, language) => {
  expect(detectLanguage(text)).toBe(language);
});

test.each([
  ["สวัสดี 2026", "thai"],
  ["नमस्ते world, दुनिया", "devanagari"],
  ["한국어", "hangul"],
  ["hello 東京", "latin"],
  ["42 · 😀", ""],
])("%s is written in %j", (text, script) => {
  expect(detectScript(text)).toBe(script);
});
