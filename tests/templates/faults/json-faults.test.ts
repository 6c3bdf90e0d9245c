import { expect, test } from "vitest";
import { manifestWith, TITLE } from "../template-folder.ts";
import { faultsOf } from "./faults-of.ts";

test.each([
  [
    "JSON that does not parse",
    { "template.json": '{\n  "title": "x",\n}' },
    /^social\/faulty\/template\.json:3 The file is not valid JSON/,
  ],
  [
    "a repeated key",
    { "content.json": '{\n "plain": {},\n "plain": {}\n}' },
    /content\.json:3 Got the key "plain" twice/,
  ],
  ["an empty file", { "template.json": "" }, /template\.json:1 Got an empty file/],
  [
    "a comma too many, told once",
    { "content.json": '{\n  "plain": { "title": "a", },\n}' },
    /^[^\n]*json:2 .*want a name in double quotes here, and no comma[^\n]*$/,
  ],
  [
    "a name of a variant with a capital letter",
    { "content.json": '{ "Plain": { "title": "a" } }' },
    /content\.json:1 Plain: Got this name, want lower-case words joined by hyphens/,
  ],
  [
    "a field name with an underscore",
    { "template.json": manifestWith({ sub_title: TITLE }) },
    /fields\.sub_title: Got this name, want a lower-case letter/,
  ],
  [
    "an unknown key",
    { "template.json": manifestWith({ title: TITLE }, { colour: 1 }) },
    /template\.json:\d+ .*Unknown key "colour"/,
  ],
  [
    "an unknown field type",
    { "template.json": manifestWith({ title: { type: "rich", label: "T" } }) },
    /template\.json:1?\d fields\.title\.type: Got "rich", want one of "text", /,
  ],
  [
    "a field name that Liquid or JSON reserves",
    { "template.json": manifestWith({ constructor: TITLE, tablerowloop: TITLE }) },
    /tablerowloop: Got this name, which is a reserved word, want another name/,
  ],
  [
    "a default variant that is not there",
    { "template.json": manifestWith({ title: TITLE }, { defaultVariant: "x" }) },
    /template\.json:6 content\.json has no variant "x"/,
  ],
  [
    "a variant with a bad value",
    { "content.json": '{\n  "plain": {\n    "title": 5\n  }\n}' },
    /content\.json:3 plain\.title: Got 5, want a string/,
  ],
  [
    "a variant with an unknown field",
    { "content.json": '{ "plain": { "title": "a",\n "titel": "b" } }' },
    /content\.json:2 plain\.titel: .*Did you mean "title"/,
  ],
  [
    "a key that is missing",
    { "template.json": manifestWith({ title: { type: "text" } }) },
    /fields\.title\.label: Got nothing, want a text\./,
  ],
  [
    "JSON nested 200,000 deep",
    { "content.json": "[".repeat(200_000) },
    /content\.json:1 Got more than 100 levels of brackets/,
  ],
])("%s is a fault with file, line and reason", async (_, files, wanted) => {
  const faults = await faultsOf(files as Record<string, string>);
  expect(faults.join("\n")).toMatch(wanted);
});

test("a default is checked where it stands, once, also where every variant replaces it", async () => {
  const fields = {
    title: TITLE,
    ink: { type: "color", label: "Ink", default: "blue" },
    rows: { type: "list", label: "Rows", max: 2, item: { day: { type: "date", label: "Day", default: "1.5.2026" } } },
  };
  const faults = await faultsOf({
    "template.json": manifestWith(fields),
    "template.html": "{{ title }}{{ ink | upcase }}{% for row in rows %}{{ row.day | date }}{% endfor %}",
    "content.json": '{ "plain": { "title": "a", "ink": "#123", "rows": [{}, {}] }, "other": { "title": "b" } }',
  });
  expect(faults).toEqual([
    'social/faulty/template.json:16 fields.ink.default: Got "blue", want a hex colour such as #1d4ed8.',
    'social/faulty/template.json:26 fields.rows.item.day.default: Got "1.5.2026", want a date such as 2026-05-01.',
  ]);
});

test("all faults of a template are reported at once", async () => {
  const faults = await faultsOf({
    "template.html": "<script></script>\n<p>{{ title }}</p>\n<iframe></iframe>",
    "style.css": "@import 'x.css';",
    "content.json": '{ "plain": {} }',
  });
  const places = faults.map((fault) => fault.split(" ")[0]?.slice("social/faulty/".length));
  expect(places).toEqual(["content.json:1", "template.html:1", "template.html:3", "style.css:1"]);
});

test("thousands of faults of a file are told in part", async () => {
  const keys = Array.from({ length: 5_000 }, (_, index) => `"V${index}": 1`).join(",\n");
  const faults = await faultsOf({ "content.json": `{${keys}}` });
  expect(faults).toHaveLength(101);
  expect(faults.at(-1)).toMatch(/There are \d+ more faults\.$/);
});
