import { expect, test } from "vitest";
import { compileRegistry, describeFault } from "#lib/templates/build-registry.ts";
import { manifestWith, templatesRoot, writeTemplate } from "./template-folder.ts";

const TEXT = { type: "text", label: "Title", required: true };

/** The faults of one template with these files, as lines, while a good one beside it still serves. */
async function faultsOf(files: Record<string, string>): Promise<string[]> {
  const root = templatesRoot();
  writeTemplate(root, "good");
  writeTemplate(root, "social/faulty", files);
  const { templates, faults } = await compileRegistry(root);
  expect(templates.map((template) => template.slug)).toEqual(["good"]);
  return faults.map(describeFault);
}

test("a good folder has no fault, and its slug is its path", async () => {
  const root = templatesRoot();
  writeTemplate(root, "social/card");
  writeTemplate(root, "plain");
  const { templates, faults } = await compileRegistry(root);
  expect(faults).toEqual([]);
  expect(templates.map((template) => template.slug)).toEqual(["plain", "social/card"]);
});

test("the hash changes with anything that can change a pixel, and with nothing else", async () => {
  const hashOf = async (files: Record<string, string>) => {
    const root = templatesRoot();
    writeTemplate(root, "card", files);
    return (await compileRegistry(root)).templates[0]?.hash;
  };
  const hash = await hashOf({});
  expect(await hashOf({})).toBe(hash);
  expect(await hashOf({ "style.css": "h1 { font: 700 41px serif; }\n" })).not.toBe(hash);
  expect(await hashOf({ "content.json": '{ "plain": { "title": "Hullo" } }' })).not.toBe(hash);
});

test.each([
  [
    "JSON that does not parse",
    { "template.json": '{\n  "title": "x",\n}' },
    /^social\/faulty\/template\.json:3 Not JSON/,
  ],
  [
    "a repeated key",
    { "content.json": '{\n "plain": {},\n "plain": {}\n}' },
    /content\.json:3 The key "plain" stands there twice/,
  ],
  ["an empty file", { "template.json": "" }, /template\.json:1 /],
  ["an unknown key", { "template.json": manifestWith({ title: TEXT }, { colour: 1 }) }, /template\.json:\d+ .*colour/],
  [
    "an unknown field type",
    { "template.json": manifestWith({ title: { type: "rich", label: "T" } }) },
    /template\.json:1?\d fields\.title\.type/,
  ],
  [
    "a field name that Liquid or JSON reserves",
    { "template.json": manifestWith({ constructor: TEXT }) },
    /reserved|constructor/,
  ],
  [
    "a default variant that is not there",
    { "template.json": manifestWith({ title: TEXT }, { defaultVariant: "x" }) },
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
  ["an unknown filter", { "template.html": "<p>{{ title | shout }}</p>" }, /undefined filter: shout/],
  ["the filter that undoes escaping", { "template.html": "<p>{{ title | raw }}</p>" }, /undefined filter: raw/],
  ["a tag that reads files", { "template.html": "<p>{{ title }}</p>{% include 'x' %}" }, /include/],
  ["a script", { "template.html": "<p>{{ title }}</p>\n\n<script>1</script>" }, /template\.html:3 <script> is refused/],
  ["a handler", { "template.html": '<p onclick="x">{{ title }}</p>' }, /onclick is refused/],
  [
    "an image from elsewhere",
    { "template.html": '<p>{{ title }}</p><img src="https://example.com/x.png">' },
    /want an image field/,
  ],
  ["a text field as an address", { "template.html": '<img src="{{ title }}">' }, /want an image field/],
  [
    "a text field in a style attribute",
    { "template.html": '<p style="color: {{ title }}">x</p>' },
    /"title" stands in the attribute style/,
  ],
  ["a text field in a comment", { "template.html": "<p>{{ title }}</p><!-- {{ title }} -->" }, /"title"/],
  [
    "a text field in an unquoted attribute",
    { "template.html": "<p class={{ title }}>x</p>" },
    /changes the elements of the document/,
  ],
  ["a field that is never used", { "template.html": "<p>x</p>" }, /"title" is declared and never used/],
  [
    "a fit without its element",
    { "template.json": manifestWith({ title: { ...TEXT, fit: { mode: "clamp", maxLines: 2 } } }) },
    /no element has data-fit="title"/,
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

test("every fault of a template is named at once", async () => {
  const faults = await faultsOf({
    "template.html": "<script></script>\n<p>{{ title }}</p>\n<iframe></iframe>",
    "style.css": "@import 'x.css';",
    "content.json": '{ "plain": {} }',
  });
  const places = faults.map((fault) => fault.split(" ")[0]?.slice("social/faulty/".length));
  expect(places).toEqual(["content.json:1", "template.html:1", "template.html:3", "style.css:1"]);
});

test("an asset is inlined in markup, styles and variants", async () => {
  const root = templatesRoot();
  writeTemplate(root, "card", {
    "template.json": manifestWith({ title: TEXT, photo: { type: "image", label: "Photo" } }),
    "content.json": JSON.stringify({ plain: { title: "x", photo: "assets/photo.svg" } }),
    "template.html":
      '<h1>{{ title }}</h1><img src="assets/logo.svg" alt="">{% if photo %}<img src="{{ photo }}" alt="">{% endif %}',
    "style.css": "h1 { background: url(assets/logo.svg) }",
    "assets/logo.svg": "<svg/>",
    "assets/photo.svg": "<svg id='p'/>",
  });
  const { templates, faults } = await compileRegistry(root);
  expect(faults).toEqual([]);
  const [template] = templates;
  const logo = `data:image/svg+xml;base64,${Buffer.from("<svg/>").toString("base64")}`;
  expect(template?.html).toContain(`src="${logo}"`);
  expect(template?.css).toContain(logo);
  expect(template?.variants.plain?.values.photo).toMatch(/^data:image\/svg/);
  expect(template?.variants.plain?.content.photo).toBe("assets/photo.svg");
});

test("a generic family is spelled out, so that every script has a family of its own", async () => {
  const root = templatesRoot();
  writeTemplate(root, "card", { "style.css": 'h1 { font-family: "Fraunces", serif; --font-x: sans-serif }' });
  const css = (await compileRegistry(root)).templates[0]?.css;
  expect(css).toMatch(/"Fraunces", "Noto Serif",.*"Noto Sans Arabic".*"Noto Sans JP".*"Noto Color Emoji"/);
  expect(css).toMatch(/--font-x: "Noto Sans",/);
});

test("CSS of today is left as it is", async () => {
  const root = templatesRoot();
  const css =
    "h1 { .a { width: if(style(--x: 1): 1px; else: 2px) } &:dir(rtl) { color: oklch(from var(--accent) l c h / 50%) } }";
  writeTemplate(root, "card", { "style.css": css });
  expect((await compileRegistry(root)).templates[0]?.css).toBe(css);
});
