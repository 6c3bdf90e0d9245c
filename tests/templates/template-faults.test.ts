import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { compileRegistry, describeFault } from "#lib/templates/build-registry.ts";
import { pngBomb } from "#tests/images/files.ts";
import { faultsOf } from "./faults-of.ts";
import { manifestWith, TITLE, templatesRoot, writeTemplate } from "./template-folder.ts";

/** A template that uses its text in an unsafe place in one branch only. */
const TONES = manifestWith({
  title: TITLE,
  tone: { type: "select", label: "Tone", options: ["light", "dark"], default: "light" },
});
const BRANCH = '{% if tone == "dark" %}<h1 style="color: {{ title }}">x</h1>{% else %}<h1>{{ title }}</h1>{% endif %}';

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
    /template\.json:1?\d fields\.title\.type: Got an unknown value, want one of "text", /,
  ],
  [
    "a field name that Liquid or JSON reserves",
    { "template.json": manifestWith({ constructor: TITLE }) },
    /reserved|constructor/,
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
    "Liquid that does not parse",
    { "template.html": "<p>{{ title }}</p>\n{% if title %}" },
    /template\.html:2 .*not closed/,
  ],
  [
    "a variable that is not declared",
    { "template.html": "<p>{{ title }}</p>\n<p>{{ titel }}</p>" },
    /template\.html:2 undefined variable: titel/,
  ],
  [
    "one brace too few",
    { "template.html": "<p>{{ title }</p>{{ title }}" },
    /html:1 .*the two braces that end the output/,
  ],
  [
    "a loop that is not closed",
    { "template.html": "{% if title %}{% for x in title %}{{ x }}{% endif %}{{ title }}" },
    /html:1 Got \{% endif %\}, but its tag, or one inside it/,
  ],
  [
    "a word without its quotes",
    { "template.html": "<p>{{ title }}{{ title | append: full }}</p>" },
    /undefined variable: full\. .*put quotes around it if it is a text/,
  ],
  [
    "a key that is missing",
    { "template.json": manifestWith({ title: { type: "text" } }) },
    /fields\.title\.label: Got nothing, want a value of type string/,
  ],
  [
    "a misspelt filter",
    { "template.html": "<p>{{ title | upcas }}</p>" },
    /undefined filter: upcas\. Did you mean "upcase"\?$/,
  ],
  ["an unknown filter", { "template.html": "<p>{{ title | shout }}</p>" }, /undefined filter: shout/],
  ["the filter that undoes escaping", { "template.html": "<p>{{ title | raw }}</p>" }, /undefined filter: raw/],
  ["a tag that reads files", { "template.html": "<p>{{ title }}</p>{% include 'x' %}" }, /want a file such as "_parts/],
  ["a script", { "template.html": "<p>{{ title }}</p>\n\n<script>1</script>" }, /template\.html:3 <script> is refused/],
  [
    "an animation by a clock of its own",
    { "template.html": '<p>{{ title }}</p><svg><rect><animateTransform attributeName="x"/></rect></svg>' },
    /<animateTransform> is refused/,
  ],
  ["an autofocus", { "template.html": '<p tabindex="0" autofocus>{{ title }}</p>' }, /autofocus is refused/],
  ["an event handler", { "template.html": '<p onclick="x">{{ title }}</p>' }, /onclick is refused/],
  [
    "an image from elsewhere",
    { "template.html": '<p>{{ title }}</p><img src="https://example.com/x.png">' },
    /want an image field/,
  ],
  [
    "an image whose name every object has",
    { "template.html": '<p>{{ title }}</p><img src="constructor">' },
    /Got src="constructor", want an image field/,
  ],
  ["a text field as an address", { "template.html": '<img src="{{ title }}">' }, /want an image field/],
  [
    "a text field in a style attribute",
    { "template.html": '<p style="color: {{ title }}">x</p>' },
    /"title" is in the attribute style/,
  ],
  [
    "a text field in an element that Liquid writes",
    { "template.html": '<{{ "textarea" }}>{{ title }}</{{ "textarea" }}>' },
    /"title" is in <textarea>/,
  ],
  ["a text field in a comment", { "template.html": "<p>{{ title }}</p><!-- {{ title }} -->" }, /"title"/],
  [
    "a text field in an unquoted attribute",
    { "template.html": "<p class={{ title }}>x</p>" },
    /attribute without quotes/,
  ],
  [
    "a text field in a style attribute of one branch",
    { "template.json": TONES, "template.html": BRANCH },
    /"title" is in the attribute style/,
  ],
  [
    "a date that is the time of the render",
    { "template.html": '<p>{{ title }}{{ "now" | date: "%s" }}</p>' },
    /must not depend on the current time/,
  ],
  [
    "an image that cannot be decoded",
    { "assets/logo.png": "garbage" },
    /assets\/logo\.png:1 The image cannot be decoded/,
  ],
  ["JSON nested 200,000 deep", { "content.json": "[".repeat(200_000) }, /nested too deeply|not valid JSON/],
  ["markup nested 50,000 deep", { "template.html": `${"<div>".repeat(50_000)}{{ title }}` }, /nested too deeply/],
  [
    "a text file of megabytes",
    { "template.html": `<p>{{ title }}</p>${" ".repeat(1_000_000)}` },
    /html:1 Got 10000\d\d bytes, want at most 1000000/,
  ],
  ["an asset of an unknown kind", { "assets/notes.txt": "x" }, /assets\/notes\.txt:1 Files of this type/],
  [
    "a text field that ends an unquoted attribute",
    { "template.html": "<p class=x{{ title }}>x</p>" },
    /changes the elements of the document/,
  ],
  ["a field that is never used", { "template.html": "<p>x</p>" }, /"title" is declared but not used/],
  [
    "a fit without its element",
    { "template.json": manifestWith({ title: { ...TITLE, fit: { mode: "clamp", maxLines: 2 } } }) },
    /no element has data-fit="title"/,
  ],
  [
    "a QR code without its element",
    {
      "template.json": manifestWith({ title: TITLE, entry: { type: "qr", label: "Entry" } }),
      "template.html": '<p>{{ title }}</p><img src="{{ entry }}" alt="">',
    },
    /no element has data-qr="entry"/,
  ],
  [
    "a mark for a QR code on another element",
    { "template.html": '<p data-qr="title">{{ title }}</p>' },
    /Got data-qr="title", want/,
  ],
  ["CSS that does not parse", { "style.css": "h1 { color: red;\n}\nh2 { color }" }, /style\.css:3 /],
  [
    "an address by another function",
    { "style.css": "h1 { background: image-set('//example.com/x.png' 1x) }" },
    /Got image-set/,
  ],
  ["an import", { "style.css": "@import 'x.css';" }, /style\.css:1 Got @import/],
  [
    "a style address from elsewhere",
    { "style.css": "h1 {\n background: url(//example.com/x.png) }" },
    /style\.css:2 Got url/,
  ],
  [
    "a style address by src()",
    { "style.css": 'h1 { background: src("//example.com/x.png") }' },
    /style\.css:1 Got src/,
  ],
  ["the end of the style element", { "style.css": "h1 { color: red } /* </style> */" }, /style\.css:1 Got <\/style/],
  ["a style address whose name every object has", { "style.css": "h1 { background: url(constructor) }" }, /Got url/],
  [
    "an image of a variant whose name every object has",
    {
      "template.json": manifestWith({ title: TITLE, photo: { type: "image", label: "Photo" } }),
      "template.html": '<p>{{ title }}</p><img src="{{ photo }}" alt="">',
      "content.json": JSON.stringify({ plain: { title: "Hello", photo: "constructor" } }),
    },
    /Got "constructor/,
  ],
  ["an escaped style address", { "style.css": "h1 { background: \\75rl(//example.com/x.png) }" }, /style\.css:1 /],
  [
    "a family that is not bundled",
    { "style.css": 'h1 { font-family: "Comic Sans MS", serif }' },
    /"Comic Sans MS" is not bundled/,
  ],
])("%s is a fault with file, line and reason", async (_, files, wanted) => {
  const faults = await faultsOf(files as Record<string, string>);
  expect(faults.join("\n")).toMatch(wanted);
});

/** Each of these conditions holds in one branch only. */
test.each([
  ["of a choice", '{% if tone == "dark" %}'],
  ["of a boolean", "{% if flag == false %}"],
  ["of a variant", "{% if count == 7 %}"],
  ["of one empty field", "{% if role and author == nil %}"],
  ["of several empty fields", "{% unless author or role %}"],
])("a fault in the branch %s is found", async (_, condition) => {
  const field = (type: string, rest: object = {}) => ({ type, label: "Label", ...rest });
  const fields = {
    title: TITLE,
    tone: field("select", { options: ["light", "dark"], default: "light" }),
    flag: field("boolean", { default: true }),
    count: field("number", { default: 1 }),
    author: field("text"),
    role: field("text"),
  };
  const end = condition.includes("unless") ? "{% endunless %}" : "{% endif %}";
  const uses = "{{ title }}{% if tone and flag and count and author and role %}x{% endif %}";
  const files = (inside: string) => ({
    "template.json": manifestWith(fields),
    "content.json": JSON.stringify({
      plain: { title: "x", author: "x", role: "x" },
      seven: { title: "x", author: "x", count: 7 },
    }),
    "template.html": `${uses}\n${condition}${inside}${end}`,
  });
  expect((await faultsOf(files("{{ titel }}"))).join()).toMatch("template.html:2 undefined variable: titel");
  expect((await faultsOf(files("<p class=x{{ title }}>x</p>"))).join()).toMatch("changes the elements of the document");
  expect((await faultsOf(files('<p style="color: {{ title }}">x</p>'))).join()).toMatch("is in the attribute style");
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

test.each([
  '<img src="{{ entry }}" alt=""><img data-qr="entry" src="{{ entry }}" alt="">',
  '<a href="{{ entry }}">x</a><img data-qr="entry" src="{{ entry }}" alt="">',
  '<img data-qr="entry" src="{{ photo }}" alt=""><b>{% if entry %}x{% endif %}</b>',
])("a QR code outside its marked element is a fault: %s", async (html) => {
  const fields = { title: TITLE, entry: { type: "qr", label: "Entry" }, photo: { type: "image", label: "Photo" } };
  const body = `{{ title }}{% if photo %}x{% endif %}${html}`;
  const faults = await faultsOf({ "template.json": manifestWith(fields), "template.html": body });
  expect(faults).toEqual([
    expect.stringMatching(/html:1 (?:Got \w+="\{\{ entry \}\}", want a QR code as|Got data-qr="entry", want)/),
  ]);
});

test("a small image with more pixels than a machine has memory for is a fault, and is not decoded", async () => {
  const root = templatesRoot();
  writeTemplate(root, "card");
  mkdirSync(join(root, "card/assets"));
  writeFileSync(join(root, "card/assets/paper.png"), pngBomb(8_000, 8_000));
  const { faults } = await compileRegistry(root);
  expect(faults.map(describeFault).join("\n")).toMatch(/assets\/paper\.png:1 .*exceeds pixel limit/);
});
