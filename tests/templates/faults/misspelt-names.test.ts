import { describe, expect, test } from "vitest";
import { manifestWith, TITLE } from "../template-folder.ts";
import { faultsOf } from "./faults-of.ts";

const FIT = { ...TITLE, fit: { mode: "shrink", minSize: 20, maxLines: 2 } };
const PHOTO = { type: "image", label: "Photo" };

describe("a misspelt name is told once, with the one that is meant:", () => {
  test.each([
    [
      "a mark",
      { "template.json": manifestWith({ title: FIT }), "template.html": "\n<h1 data-fit='titel'>{{ title }}</h1>" },
      'template.html:2 Got data-fit="titel". Did you mean "title"?',
    ],
    [
      "the mark of an image",
      {
        "template.json": manifestWith({ title: TITLE, photo: PHOTO }),
        "template.html": '{{ title }}<img data-image="phto" src="{{ photo }}" alt="">',
      },
      'template.html:1 Got data-image="phto". Did you mean "photo"?',
    ],
    [
      "a key of a field",
      { "template.json": manifestWith({ title: { ...TITLE, maxLenght: 3 } }) },
      'template.json:12 fields.title: Unknown key "maxLenght". Did you mean "maxLength"?',
    ],
    [
      "a key of an item's field",
      {
        "template.json": manifestWith({
          title: TITLE,
          rows: { type: "list", label: "Rows", max: 3, item: { name: { ...TITLE, fitt: {} } } },
        }),
      },
      'template.json:22 fields.rows.item.name: Unknown key "fitt". Did you mean "fit"?',
    ],
    [
      "a key that is required",
      { "template.json": manifestWith({ title: { type: "text", lable: "Title", required: true } }) },
      'template.json:10 fields.title: Unknown key "lable". Did you mean "label"?',
    ],
    [
      "a colour of the brand in a default",
      {
        "template.json": manifestWith({
          title: TITLE,
          ink: { type: "color", label: "Ink", required: true, default: "brand.colors.primray" },
        }),
        "template.html": '<h1 style="color: {{ ink }}">{{ title }}</h1>',
        "../../brand.json": '{ "colors": { "primary": "#1d4ed8" } }',
      },
      'template.json:17 Got "brand.colors.primray", which brand.json does not have, want "brand.colors.primary".',
    ],
    [
      "a type",
      { "template.json": manifestWith({ title: { ...TITLE, type: "txet" } }) },
      'template.json:9 fields.title.type: Got "txet". Did you mean "text"?',
    ],
    [
      "the default variant",
      { "template.json": manifestWith({ title: TITLE }, { defaultVariant: "plian" }) },
      'template.json:6 content.json has no variant "plian", did you mean "plain"?',
    ],
    [
      "a required field in a variant",
      { "content.json": '{ "plain": {\n"titel": "x" } }' },
      'content.json:2 plain.titel: Unknown field "titel". Did you mean "title"?',
    ],
    [
      "a file",
      {
        "template.html": '<h1>{{ title }}</h1><img src="assets/lgo.svg" alt="">',
        "assets/logo.svg": '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>',
      },
      "template.html:1 Got assets/lgo.svg, which is not there. Did you mean assets/logo.svg?",
    ],
  ])("%s", async (_, files, wanted) => {
    expect(await faultsOf(files as Record<string, string>)).toEqual([`social/faulty/${wanted}`]);
  });
});

describe("a fault is told once, where it is, with what to do:", () => {
  const PNG = Buffer.from("no picture");

  test.each([
    [
      "an asset that is not a picture",
      { "assets/a.png": PNG, "template.html": '<h1>{{ title }}</h1><img src="assets/a.png" alt="">' },
      "assets/a.png:1 The image cannot be decoded",
    ],
    [
      "an asset of another type",
      { "assets/a.tiff": PNG, "template.html": '<h1>{{ title }}</h1><img src="assets/a.tiff" alt="">' },
      "assets/a.tiff:1 Files of this type are not supported",
    ],
    [
      "an asset that is too large, shown by a variant",
      {
        "assets/a.png": Buffer.alloc(8_000_001),
        "template.json": manifestWith({ title: TITLE, photo: PHOTO }),
        "template.html": '{{ title }}<img data-image="photo" src="{{ photo }}" alt="">',
        "content.json": '{ "plain": { "title": "a", "photo": "assets/a.png" } }',
      },
      "assets/a.png:1 Got 8000001 bytes, want at most 8000000.",
    ],
    [
      "a drawing without a size",
      {
        "assets/a.svg": '<svg xmlns="http://www.w3.org/2000/svg"/>',
        "template.html": '<h1>{{ title }}</h1><img src="assets/a.svg" alt="">',
      },
      /assets\/a\.svg:1 The image cannot be decoded: .* An <svg> needs a width and a height, or a viewBox\.$/,
    ],
    [
      "a logo of the brand that is not there",
      {
        "../../brand.json": '{ "colors": { "primary": "#1d4ed8" }, "logo": "_parts/logo.svg" }',
        "template.html": '<h1>{{ title }}</h1><img src="{{ brand.logo }}" alt="">',
        "style.css": "h1 { color: var(--brand-primary) }",
      },
      /^brand\.json:1 \(in social\/faulty\) There is no picture "_parts\/logo\.svg", the logo\.$/,
    ],
    [
      "an import from the network",
      { "style.css": '@import "https://fonts.example.com/a.css";' },
      'style.css:1 Got @import "https://fonts.example.com/a.css", want only @import "_parts/name.css", or copy the rules',
    ],
    [
      "a filter that undoes the escaping",
      { "template.html": "<h1>\n{{ title | raw }}</h1>" },
      "template.html:2 undefined filter: raw. It is refused, because every output is escaped. Remove it.",
    ],
    [
      "a misspelt tag of Liquid",
      { "template.html": "<h1>{{ title }}</h1>\n{% fi title %}x{% endif %}" },
      'template.html:2 tag "fi" not found. Did you mean "if"?',
    ],
    [
      "a style element",
      { "template.html": "<h1>{{ title }}</h1>\n<style>h1 { color: red }</style>" },
      "template.html:2 <style> is refused: style.css has the styles. Move the rules there.",
    ],
    [
      "a style sheet of its own",
      { "template.html": '<h1>{{ title }}</h1>\n<link rel="stylesheet" href="style.css">' },
      "template.html:2 <link> is refused: style.css is used without one. Remove it.",
    ],
    [
      "a text in a style attribute, also used before",
      { "template.html": '<h1>{{ title }}</h1>\n<i style="color: {{ title }}">x</i>' },
      'template.html:2 The text field "title" is in the attribute style of <i>',
    ],
  ])("%s", async (_, files, wanted) => {
    const faults = await faultsOf(files as Record<string, string>);
    expect(faults).toEqual([
      typeof wanted === "string" ? expect.stringContaining(wanted) : expect.stringMatching(wanted),
    ]);
  });
});

describe("a fault of a JSON file names what it got:", () => {
  test.each([
    [
      { currency: "EURO", type: "money" },
      'fields.price.currency: Got "EURO", want a currency of ISO 4217 such as "EUR"',
    ],
    [{ type: "text", maxLength: "3" }, 'fields.price.maxLength: Got "3", want a number.'],
    [{ type: "text", kind: "title" }, 'fields.price.kind: Got "title", want one of "words", "name", "code".'],
    [{ type: "text", maxLength: 0 }, "fields.price.maxLength: Got 0, want at least 1."],
    [{ type: "text", label: "x".repeat(70) }, "fields.price.label: Got 70 characters, want at most 60."],
    [{ type: "select", options: ["a"] }, "fields.price.options: Got 1 item, want at least 2."],
    [{ type: "select", options: ["a", "b", "a"] }, 'fields.price.options.2: Got "a" twice, want it once'],
    [{ type: "select", options: ["A", "b"] }, 'fields.price.options.0: Got "A", want lower-case words'],
    [{ type: "number", min: 5, max: 1 }, "fields.price.min: Got 5, want at most max, 1"],
    [{ type: "money", currency: "EUR", min: 5, max: 1 }, "fields.price.min: Got 5, want at most max, 1"],
    [
      { type: "range", of: { type: "money", currency: "EUR", min: 5, max: 1 } },
      "fields.price.of.min: Got 5, want at most max, 1",
    ],
    [{ type: "list", item: { name: TITLE } }, "fields.price.max: Got nothing, want a number."],
  ])("%j", async (rest, wanted) => {
    const manifest = manifestWith({ title: TITLE, price: { label: "Price", ...rest } });
    expect((await faultsOf({ "template.json": manifest })).join("\n")).toContain(wanted);
  });
});

test("a field that only has the name of a filter is not used", async () => {
  const files = {
    "template.json": manifestWith({ title: TITLE, number: FIT }),
    "content.json": '{ "plain": { "title": "a", "number": "1" } }',
    "template.html": '<h1>{{ title | number: "compact", digits: 1 }}</h1>',
  };
  expect(await faultsOf(files)).toEqual([
    'social/faulty/template.html:1 The field "number" is declared but not used. Write {{ number }} where it is shown, or remove it from template.json.',
  ]);
});
