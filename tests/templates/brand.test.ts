import { describe, expect, test } from "vitest";
import { composeDocument } from "#lib/templates/compose.ts";
import { readFields } from "#lib/templates/field-values.ts";
import { compile, PIXEL, useTemplatesRoot } from "./compiled-card.ts";
import { manifestWith, TITLE } from "./template-folder.ts";

useTemplatesRoot();

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
