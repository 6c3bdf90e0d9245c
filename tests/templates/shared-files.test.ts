import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { compileRegistry, describeFault } from "#lib/templates/build-registry.ts";
import { composeDocument } from "#lib/templates/compose.ts";
import { readFields } from "#lib/templates/field-values.ts";
import { manifestWith, TITLE, templatesRoot, writeTemplate } from "./template-folder.ts";

const PIXEL = Buffer.from("R0lGODlhAQABAAAAACwAAAAAAQABAAACAkQBADs=", "base64");

let root: string;

beforeEach(() => {
  root = templatesRoot();
});

/** Writes a card and the shared files of its folder, and compiles them. */
async function compile(files: Record<string, string>, shared: Record<string, string | Buffer> = {}) {
  writeTemplate(root, "social/card", files);
  writeTemplate(root, "_parts", {});
  for (const [file, text] of Object.entries(shared)) writeFileSync(join(root, file), text);
  const { templates, faults } = await compileRegistry(root);
  return { template: templates[0], slugs: templates.map(({ slug }) => slug), faults: faults.map(describeFault) };
}

describe("a part", () => {
  test("stands at its place, with the variables of the template, and parts in it", async () => {
    const { template, slugs, faults } = await compile(
      { "template.html": '{% assign tone = "x" %}\n<main>{% include "_parts/head.html" %}</main>' },
      {
        "_parts/head.html": "<header>{% render '_parts/title.html' %}</header>\n",
        "_parts/title.html": '<h1 class="{{ tone }}">{{ title }}</h1>',
      },
    );
    expect(faults).toEqual([]);
    expect(slugs).toEqual(["social/card"]);
    expect(template?.html).toContain('<main><header><h1 class="{{ tone }}">{{ title }}</h1></header></main>');
  });

  test("changes the hash of the template", async () => {
    const hashWith = async (part: string) =>
      (await compile({ "template.html": '{% include "_parts/a.html" %}' }, { "_parts/a.html": part })).template?.hash;
    expect(await hashWith("<p>{{ title }}</p>")).not.toBe(await hashWith("<b>{{ title }}</b>"));
  });

  test.each([
    ["a script", "<p>{{ title }}</p>\n<script>1</script>", "_parts/a.html:2 (in social/card) <script> is refused"],
    ["an unquoted attribute", "\n<p class={{ title }}>x</p>", "_parts/a.html:2 (in social/card) Got an output"],
    ["an unsafe place", '\n\n<p style="color: {{ title }}">x</p>', "_parts/a.html:3 (in social/card) The text field"],
    ["an undefined variable", "{{ title }}\n{{ titel }}", "_parts/a.html:2 (in social/card) undefined variable: titel"],
    ["Liquid that does not parse", "{{ title }}\n{% if %}", "_parts/a.html:2 (in social/card) "],
  ])("with %s is a fault with its file and line", async (_, part, wanted) => {
    const { faults } = await compile(
      { "template.html": '<main>\n\n{% include "_parts/a.html" %}\n</main>' },
      { "_parts/a.html": part },
    );
    expect(faults[0]).toContain(wanted);
  });

  test("moves no line of the template itself", async () => {
    const { faults } = await compile(
      { "template.html": '{% include "_parts/a.html" %}\n<script></script>' },
      { "_parts/a.html": "<p>\n{{ title }}\n</p>\n" },
    );
    expect(faults).toEqual([expect.stringContaining("social/card/template.html:2 <script> is refused")]);
  });

  test.each([
    ["out of its folder", '{% include "_parts/../social/card/template.html" %}', "want a file such as"],
    ["of another folder", '{% include "/etc/passwd" %}', 'Got "/etc/passwd", want a file such as "_parts/head.html"'],
    ["that is missing", '{% include "_parts/none.html" %}', 'There is no file "_parts/none.html"'],
    ["with arguments", '{% render "_parts/a.html", size: 1 %}', "Set variables with {% assign %} before it"],
    ["by a variable", "{% include title %}", 'Got "title", want only the name of a part in quotes'],
    ["that contains itself", '{% include "_parts/self.html" %}', '"_parts/self.html" contains itself'],
    ["that leads elsewhere", '{% include "_parts/link.html" %}', "Got a link that leads out of the folder"],
  ])("%s is refused", async (_, tag, wanted) => {
    writeTemplate(root, "_parts", {});
    symlinkSync("/etc/hostname", join(root, "_parts/link.html"));
    const shared = { "_parts/a.html": "x", "_parts/self.html": '{% include "_parts/self.html" %}' };
    const { faults } = await compile({ "template.html": `{{ title }}\n${tag}` }, shared);
    expect(faults.join("\n")).toContain(wanted);
    expect(faults).toHaveLength(1);
  });

  test("that doubles at every level ends", async () => {
    const twice = (name: string) => `{% include "_parts/${name}.html" %}`.repeat(60);
    const { faults } = await compile(
      { "template.html": `{{ title }}${twice("a")}` },
      { "_parts/a.html": twice("b"), "_parts/b.html": twice("c"), "_parts/c.html": "x".repeat(1000) },
    );
    expect(faults.join("\n")).toContain("The parts have more than 500000 characters");
  });
});

describe("a shared style sheet", () => {
  test("is imported, with assets and fonts of the shared folder", async () => {
    const { template, faults } = await compile(
      { "style.css": '@import "_parts/base.css";\nh1 { color: red; }' },
      {
        "_parts/base.css": "h1 { background: url(_parts/dot.gif); font-family: sans-serif; }",
        "_parts/dot.gif": PIXEL,
      },
    );
    expect(faults).toEqual([]);
    expect(template?.css).toMatch(/^\s*h1 \{ background: url\("data:image\/gif;base64,/);
    expect(template?.css).toContain("color: red");
  });

  test.each([
    ["a fault", '@import "_parts/base.css";', "_parts/base.css:2 (in social/card) Got url"],
    ["CSS that does not parse", '@import "_parts/broken.css";', "_parts/broken.css:1 (in social/card) The style sheet"],
    ["the end of the style element", '@import "_parts/end.css";', "_parts/end.css:1 (in social/card) Got </style"],
    ["itself as an import", '@import "_parts/self.css";', '"_parts/self.css" imports itself'],
    ["another address", "@import url(//example.com/x.css);", "want only @import"],
    ["a condition", '@import "_parts/base.css" print;', "want only @import"],
    ["another folder", '@import "../x.css";', "want only @import"],
  ])("with %s is refused", async (_, style, wanted) => {
    const { faults } = await compile(
      { "style.css": style },
      {
        "_parts/base.css": "h1 { color: red; }\nh1 { background: url(//example.com/x.png); }",
        "_parts/broken.css": "h1 { color",
        "_parts/end.css": "/* </style> */",
        "_parts/self.css": '@import "_parts/self.css";',
      },
    );
    expect(faults.join("\n")).toContain(wanted);
  });
});

const BRAND = { colors: { primary: "#123456" }, families: { title: "Fraunces, serif" }, logo: "_parts/logo.gif" };
const SHARED = { "brand.json": JSON.stringify(BRAND), "_parts/logo.gif": PIXEL };

describe("the brand of a folder", () => {
  test("is a variable of its templates, and custom properties of their style sheets", async () => {
    const { template, faults } = await compile(
      {
        "template.html":
          '<h1 style="--ink: {{ brand.colors.primary | ink }}">{{ title }}</h1><img src="{{ brand.logo }}">',
        "style.css": "h1 { font-family: var(--font-brand-title); color: var(--brand-primary); }",
      },
      SHARED,
    );
    expect(faults).toEqual([]);
    expect(template?.css).toMatch(/^:root ?\{[^}]*--brand-primary: ?#123456;[^}]*--font-brand-title: ?"Fraunces",/);
    const html = template ? composeDocument(template, template.variants.plain?.values ?? {}).html : "";
    expect(html).toContain("--ink: #ffffff");
    expect(html).toContain('<img src="data:image/gif;base64,');
  });

  test("changes the hash of the templates that use it, and of no other", async () => {
    const hashWith = async (primary: string, html: string) => {
      const brand = JSON.stringify({ colors: { primary } });
      return (await compile({ "template.html": html }, { "brand.json": brand })).template?.hash;
    };
    const using = "<p style='color: {{ brand.colors.primary }}'>{{ title }}</p>";
    expect(await hashWith("#111111", using)).not.toBe(await hashWith("#222222", using));
    expect(await hashWith("#111111", "{{ title }}")).toBe(await hashWith("#222222", "{{ title }}"));
  });

  test("with thousands of levels is a fault of the templates that use it", async () => {
    const shared = { "brand.json": `{ "colors":\n${"[".repeat(100_000)}` };
    const using = { "template.html": "{{ title }}{{ brand.colors.a }}" };
    expect((await compile(using, shared)).faults).toEqual([
      "brand.json:2 (in social/card) Got more than 100 levels of brackets, want fewer.",
    ]);
    expect((await compile({ "template.html": "{{ title }}" }, shared)).faults).toEqual([]);
  });

  test("has no names of Object's prototype", async () => {
    const accent = { type: "color", label: "Accent", default: "brand.colors.constructor" };
    const files = {
      "template.json": manifestWith({ title: TITLE, accent }),
      "template.html": '<p style="color: {{ accent }}">{{ title }}</p>',
    };
    expect((await compile(files, SHARED)).faults[0]).toContain("which brand.json does not have");
  });

  test("may be the default of a field, which a request then replaces", async () => {
    const fields = {
      title: TITLE,
      accent: { type: "color", label: "Accent", default: "brand.colors.primary" },
      logo: { type: "image", label: "Logo", default: "brand.logo" },
    };
    const html = '<p style="color: {{ accent }}">{{ title }}</p>{% if logo %}<img src="{{ logo }}">{% endif %}';
    const { template, faults } = await compile(
      { "template.json": manifestWith(fields), "template.html": html },
      SHARED,
    );
    expect(faults).toEqual([]);
    const base = template?.variants.plain?.values ?? {};
    expect(base).toMatchObject({ accent: "#123456", logo: expect.stringMatching(/^data:image\/gif/) });
    const values = { accent: "#ff0000", logo: "" };
    const read = await readFields({ declarations: template?.fields ?? {}, values, base, path: "" });
    expect(read.values).toMatchObject({ accent: "#ff0000", logo: null });
  });

  test("a field cannot have its name, where there is one", async () => {
    const fields = { title: TITLE, brand: { type: "text", label: "Brand" } };
    const files = { "template.json": manifestWith(fields), "template.html": "{{ title }}{{ brand }}" };
    expect((await compile(files)).faults).toEqual([]);
    expect((await compile(files, SHARED)).faults).toEqual([
      'social/card/template.json:13 Got a field "brand" beside brand.json, whose variable {{ brand }} it would hide. Rename the field, such as brandName.',
    ]);
  });

  const MISSING = "Got var(--brand-primry), which brand.json does not have. Did you mean --brand-primary?";
  test.each([
    ["a style sheet", { "style.css": "h1 {\n color: var(--brand-primry) }" }, `style.css:2 ${MISSING}`],
    [
      "a style attribute",
      { "template.html": '<p>\n<b style="color: var( --brand-primry )">{{ title }}</b>' },
      `template.html:2 ${MISSING}`,
    ],
    [
      "a list of families",
      { "style.css": "h1 { font-family: var(--font-brand-body) }" },
      "style.css:1 Got var(--font-brand-body), which brand.json does not have. Did you mean --font-brand-title?",
    ],
  ])("%s that names something else is a fault", async (_, files, wanted) => {
    const { faults } = await compile(files as Record<string, string>, SHARED);
    expect(faults).toEqual([expect.stringContaining(wanted)]);
  });

  test("a folder without a brand has no custom properties of one", async () => {
    const { faults } = await compile({ "style.css": "h1 { color: var(--brand-primary) }" }, {});
    expect(faults).toEqual([expect.stringContaining("Add it to brand.json in the templates folder.")]);
  });

  test.each(["h1 { color: var(--brand-second, red) }", ":root { --brand-own: red } h1 { color: var(--brand-own) }"])(
    "a fallback or an own declaration is no fault: %s",
    async (css) => {
      expect((await compile({ "style.css": css }, SHARED)).faults).toEqual([]);
    },
  );

  test.each([
    ["a key that is not there", {}, "{{ title }}{{ brand.colors.second }}", "undefined variable: brand.colors.second"],
    [
      "a missing logo",
      { logo: "_parts/none.svg" },
      '{{ title }}<img src="{{ brand.logo }}">',
      'no picture "_parts/none',
    ],
    [
      "a bad colour",
      { colors: { a: "red" } },
      "{{ title }}{{ brand.colors.a }}",
      "brand.json:1 (in social/card) colors.a",
    ],
  ])("with %s is a fault of the templates that use it", async (_, rest, html, wanted) => {
    const shared = { ...SHARED, "brand.json": JSON.stringify({ ...BRAND, ...rest }) };
    expect((await compile({ "template.html": html }, shared)).faults[0]).toContain(wanted);
    expect((await compile({ "template.html": "{{ title }}" }, shared)).faults).toEqual([]);
  });
});
