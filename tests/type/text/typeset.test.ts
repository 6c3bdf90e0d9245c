import { expect, test } from "vitest";
import { hyphenate } from "#lib/type/text/hyphenate.ts";
import { bindSpaces } from "#lib/type/text/spaces.ts";

const shown = (text: string) => text.replaceAll("\u00ad", "-");

test.each([
  ["de", "Wissenschaftlerinnen", "Wis-sen-schaft-le-rin-nen"],
  ["nl", "verantwoordelijkheidsgevoel", "ver-ant-woor-de-lijk-heids-ge-voel"],
  ["ru", "достопримечательность", "до-сто-при-ме-ча-тель-ность"],
])("a long word in %s is divided", (language, word, wanted) => {
  const got = shown(hyphenate(word, language, false));
  expect(got.replaceAll("-", "")).toBe(word);
  // At least three letters stay before and after a hyphen.
  expect(got).toBe(wanted.replace(/^(\p{L}{1,2})-/u, "$1"));
});

test.each([
  ["Straßenverkehrszulassungsordnung", "Straßenverkehrs-zulassungs-ordnung"],
  ["Donaudampfschifffahrtsgesellschaft", "Donau-dampf-schiff-fahrts-gesellschaft"],
  ["Arbeitsunfähigkeitsbescheinigung", "Arbeits-unfähigkeits-bescheinigung"],
])("the German compound %s is divided between its words", (word, wanted) => {
  expect(shown(hyphenate(word, "de", false))).toBe(wanted);
});

const LANGUAGES =
  "af be bg ca cs cy da de el en en-US es et eu fi fr ga gl hr hu hy id is it lt lv mk nb nl nn pl pt pt-BR ro ru sk sl sq sr sr-Latn sv tr uk".split(
    " ",
  );

test.each(LANGUAGES)("there are patterns for %s", (language) => {
  const word = /^(be|bg|mk|ru|sr|uk)$/.test(language)
    ? "каламанаратола"
    : language === "el"
      ? "καλαμαναρατολα"
      : "kalamanaratola";
  const text = language === "hy" ? "կալամանարատոլա" : word;
  expect(hyphenate(text, language, false)).toContain("\u00ad");
});

test.each([
  ["an address", "https://example.org/verantwortungsbewusstsein"],
  ["a mail address", "verantwortungsbewusstsein@example.org"],
  ["a word with digits", "verantwortungsbewusstsein2026"],
  ["an acronym", "UNESCO"],
  ["a short word of a title", "Nachtmusik"],
])("%s is not divided", (_, text) => {
  expect(hyphenate(text, "de", false)).toBe(text);
});

test("a language without patterns is not divided", () => {
  expect(hyphenate("verantwortungsbewusstsein", "yo", false)).toBe("verantwortungsbewusstsein");
});

test("running text is divided at shorter words, and a field can ask for it", () => {
  const words = "und wir gehen an dem alten Haus vorbei ".repeat(3);
  expect(shown(hyphenate(`${words}Nachtmusik`, "de", false))).toContain("Nacht-mu-sik");
  expect(shown(hyphenate("Nachtmusik", "de", true))).toBe("Nacht-mu-sik");
});

test.each([
  ["pl", "W ogrodzie i na łące", "W~ogrodzie i~na~łące"],
  ["cs", "v zahradě a s tebou", "v~zahradě a~s~tebou"],
  ["cs", "Večer ve mlýně", "Večer ve~mlýně"],
  ["ru", "я и ты", "я~и~ты"],
  ["ru", "Концерт под открытым небом у реки", "Концерт под~открытым небом у~реки"],
  ["ru", "Не для продажи, а на память", "Не~для~продажи, а~на~память"],
  ["ru", "Подвал на-под замком", "Подвал на-под замком"],
  ["uk", "Зустріч при свічках без музики", "Зустріч при~свічках без~музики"],
  ["be", "Канцэрт пад адкрытым небам", "Канцэрт пад~адкрытым небам"],
  ["bg", "Концерт на открито със звезди", "Концерт на~открито със~звезди"],
  ["sr", "Ноћ на реци са музиком", "Ноћ на~реци са~музиком"],
  ["sr-Latn", "Noć na reci sa muzikom", "Noć na~reci sa~muzikom"],
  ["pl", "Wieczór w młynie nad Wisłą", "Wieczór w~młynie nad~Wisłą"],
  ["sk", "Večer vo mlyne", "Večer vo~mlyne"],
  ["en", "a walk on the quay", "a~walk on the quay"],
  ["en", "a line — and more", "a~line~— and more"],
  ["en", "A B C D E F G H I J K and a sale", "A B C D E F G H I J K and a~sale"],
  ["zh-Hans", "春 眠 不 觉 晓 处 处 闻 啼 鸟 夜 来", "春 眠 不 觉 晓 处 处 闻 啼 鸟 夜 来"],
  ["ja", "小 林 健 太 郎", "小~林~健~太~郎"],
  ["en", "J. R. Smith’s x-ray", "J. R. Smith’s x-ray"],
  ["de", "50 % und 3 €", "50~% und 3~€"],
  ["fr", "Quoi ? « Rien » !", "Quoi_? «_Rien_»_!"],
  ["fr", "Quoi? «Rien»!", "Quoi_? «_Rien_»_!"],
  ["fr", "Note : à 10:30", "Note~: à~10:30"],
  ["fr", "Note: https://example.org", "Note~: https://example.org"],
  ["pl", "jeden\nz nich", "jeden\nz~nich"],
])("in %s, %j is set as %j", (language, text, wanted) => {
  expect(bindSpaces(text, language).replaceAll("\u00a0", "~").replaceAll("\u202f", "_")).toBe(wanted);
});
