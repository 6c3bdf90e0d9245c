import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { PROJECT_DIR } from "#lib/config.ts";
import { readFields } from "#lib/templates/field-values.ts";
import { type FieldDeclaration, fieldDeclaration } from "#lib/templates/fields/field-types.ts";
import { translationFor } from "#lib/templates/filters/translation.ts";

const translations = { fr: "min de lecture", he: "דקות קריאה", zh: "分钟阅读", "zh-Hant": "分鐘閱讀" };
const declarations: Record<string, FieldDeclaration> = {
  title: fieldDeclaration.parse({ type: "text", label: "Title", required: true }),
  minutes: fieldDeclaration.parse({ type: "text", label: "Minutes", default: "min read", translations }),
};

const ENGLISH = { title: "Give this seven minutes and get your afternoon back", minutes: "min read" };
const FRENCH = "Une histoire de la lumière et de la mer";

async function minutesOf(values: Record<string, unknown>, base: Record<string, unknown> = ENGLISH) {
  return (await readFields({ declarations, values, base, path: "/data" })).values.minutes;
}

test.each([
  ["in its own language", {}, "min read"],
  ["in French", { title: FRENCH }, "min de lecture"],
  ["in Simplified Chinese", { title: "给你的下午七分钟时间" }, "分钟阅读"],
  ["in Traditional Chinese", { title: "給你的下午七分鐘時間" }, "分鐘閱讀"],
  ["in a language without a translation", { title: "Дайте этому семь минут вашего времени" }, "min read"],
])("a picture %s has the default in its language", async (_, values, word) => {
  expect(await minutesOf(values)).toBe(word);
});

test.each([
  ["sr-Latn", "min čitanja"],
  ["sr", "мин читања"],
  ["pa", "ਮਿੰਟ"],
  ["pa-PK", undefined],
  ["zh-Hant", "分钟"],
  ["nb-NO", "min lesing"],
  ["nn-NO", "min lesing"],
])("words in other letters are none for %s, but for Chinese", (language, word) => {
  const words = { sr: "мин читања", "sr-Latn": "min čitanja", pa: "ਮਿੰਟ", zh: "分钟", nb: "min lesing" };
  expect(translationFor(words, language)).toBe(word);
  const { "sr-Latn": _, ...cyrillic } = words;
  expect(translationFor(cyrillic, "sr-Latn")).toBeUndefined();
});

test("Nynorsk has its own words before those of Bokmål", () => {
  expect(translationFor({ nb: "fra", nn: "frå" }, "nn")).toBe("frå");
});

test("the request's own word stays, also where it is the default of another language", async () => {
  expect(await minutesOf({ title: FRENCH, minutes: "minutes" })).toBe("minutes");
  expect(await minutesOf({ title: FRENCH, minutes: "min read" })).toBe("min read");
});

test("an emptied word stays empty", async () => {
  expect(await minutesOf({ title: FRENCH, minutes: null })).toBeNull();
  expect(await minutesOf({ title: FRENCH }, { ...ENGLISH, minutes: null })).toBeNull();
});

test("a variant's own word stays, and a default that it spells out follows the language", async () => {
  expect(await minutesOf({ title: FRENCH }, { ...ENGLISH, minutes: "to go" })).toBe("to go");
  expect(await minutesOf({ title: FRENCH }, { ...ENGLISH, minutes: "דקות קריאה" })).toBe("min de lecture");
});

test("a variant without the word has the default in its own language", async () => {
  const { values } = await readFields({ declarations, values: { title: FRENCH }, path: "" });
  expect(values.minutes).toBe("min de lecture");
});

test.each([
  ["without a default", { translations }],
  ["longer than the field allows", { default: "min", maxLength: 5, translations }],
  ["for something that is no language", { default: "min", translations: { french: "min" } }],
])("translations %s are a fault of the template", (_, rest) => {
  expect(fieldDeclaration.safeParse({ type: "text", label: "Minutes", ...rest }).success).toBe(false);
});

const fileOf = (template: string, file: string) => readFileSync(join(PROJECT_DIR, "templates", template, file), "utf8");

test.each([
  ["blog/article", "minutesLabel"],
  ["document/certificate", "preamble"],
  ["document/certificate", "dateLabel"],
])("%s has the words of %s in every language of a ticket", (template, field) => {
  const known = JSON.parse(fileOf(template, "template.json")).fields[field].translations;
  // Of languages that share their words, such as `"nb", "no", "nn"`, the first is the one that is detected.
  const wanted = [...fileOf("event/ticket", "template.html").matchAll(/- when "([^"]+)"/g)].map(
    ([, language]) => `${language}`,
  );
  expect(wanted.length).toBeGreaterThanOrEqual(40);
  expect(wanted.filter((language) => !(language in known))).toEqual([]);
});

// A reader cannot change the words of an option, as they can those of a text. A sign such as m² is the same in most languages, also in German.
test.each(globSync("*/*/template.json", { cwd: join(PROJECT_DIR, "templates") }).map((path) => dirname(path)))(
  "the options of %s have words in no or in thirty languages",
  (template) => {
    type Labelled = { labels?: Record<string, object | string>; item?: Record<string, Labelled> };
    const fields: Record<string, Labelled> = JSON.parse(fileOf(template, "template.json")).fields;
    const declared = Object.entries(fields).flatMap(([name, field]) =>
      Object.entries({ [name]: field, ...field.item }),
    );
    const few = declared.flatMap(([name, { labels = {} }]) =>
      Object.entries(labels)
        .filter(([, words]) => typeof words === "object" && "de" in words)
        .filter(([, words]) => Object.keys(words).length < 30)
        .map(([option]) => `${name}: ${option}`),
    );
    expect(few).toEqual([]);
  },
);
