import { beforeAll, describe, expect, it } from "vitest";
import { readFields } from "#lib/templates/field-values.ts";
import { getRegistry } from "#lib/templates/registry.ts";
import { readTextSettings } from "#lib/templates/text-settings.ts";
import { prepareTemplates } from "./shipped.ts";

beforeAll(() => prepareTemplates());

/** The language of a template when a request edits a variant. */
async function languageOf(variant: string, data: Record<string, unknown>, wanted = "event/ticket"): Promise<string> {
  const { templates } = await getRegistry();
  const template = templates.find(({ slug }) => slug === wanted);
  const base = template?.variants[variant]?.values;
  if (!template || !base) throw new Error(`There is no variant "${variant}".`);
  const read = await readFields({ declarations: template.fields, values: data, base, path: "/data" });
  expect(read.issues).toEqual([]);
  return readTextSettings(template.fields, read.values).language;
}

describe("the language of a variant, when a request replaces its leading text", () => {
  it.each([
    ["stays, where kanji alone do not decide", "yose", { title: "直感骨海" }, "ja"],
    ["stays, where the text is written in it", "concert", { title: "An evening of slow songs by the sea" }, "en"],
    ["gives way to Chinese that Japanese does not write", "yose", { title: "夏夜音乐会欢迎您" }, "zh-Hans"],
    ["gives way to another script", "concert", { title: "Ночь музыки" }, "ru"],
    ["gives way to Japanese, which another text shows", "concert", { title: "直感骨海", subtitle: "夜の音楽会" }, "ja"],
    ["stays, where the request states it", "concert", { title: "Ночь музыки", language: "en" }, "en"],
  ])("%s", async (_name, variant, data, language) => {
    expect(await languageOf(variant, data)).toBe(language);
  });
});

describe("the language of a badge, on which a name leads", () => {
  it.each([
    ["stays with a name of another language", "kyaku", { name: "John Smith" }, "ja"],
    ["stays with a name in other letters", "staff", { name: "Lina Haddad" }, "ar"],
    ["stays in Latin letters too", "speaker", { name: "Ольга Петренко" }, "en"],
    ["gives way to the words of another text", "crew", { name: "Søren Kierkegård", role: "Foredragsholder" }, "da"],
    [
      "gives way where no text is left in its letters",
      "staff",
      { name: "Ольга Петренко", affiliation: "Мурманск", role: "Гость", event: "Книжная ярмарка" },
      "ru",
    ],
  ])("%s", async (_name, variant, data, language) => {
    expect(await languageOf(variant, data, "event/badge")).toBe(language);
  });
});
