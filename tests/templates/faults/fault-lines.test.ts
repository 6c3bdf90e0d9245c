import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { compileRegistry } from "#lib/templates/build-registry.ts";
import { faultyTemplates } from "#lib/templates/faults/faulty-templates.ts";
import { findTemplate } from "#lib/templates/registry.ts";
import { manifestWith, TITLE, templatesRoot, writeTemplate } from "../template-folder.ts";

/** The faults of a card with a title and an optional author. */
async function faultsOf(html: string) {
  const root = templatesRoot();
  const fields = { title: TITLE, author: { type: "text", label: "Author" } };
  writeTemplate(root, "card", { "template.json": manifestWith(fields), "template.html": html });
  return (await compileRegistry(root)).faults;
}

describe("a fault of a template", () => {
  test("has the line of its file", async () => {
    expect(await faultsOf("{{ title }}{{ author }}\n  <script>1</script>  \n")).toMatchObject([
      { file: "template.html", line: 2, source: "<script>1</script>" },
    ]);
  });

  test("is told once", async () => {
    expect(await faultsOf("{{ title }}{{ author }}\n<b onclick='a'></b><b onclick='b'></b>")).toHaveLength(1);
  });

  test("for a misspelt variable is told instead of the field that it means", async () => {
    expect(await faultsOf("<h1>{{ title }}</h1>\n<p>{{ auhtor }}</p>")).toMatchObject([
      { line: 2, reason: 'undefined variable: auhtor. Did you mean "author"?' },
    ]);
    expect(await faultsOf("<h1>{{ title }}</h1>\n<p>{{ subject }}</p>")).toMatchObject([
      { line: 2, reason: expect.stringContaining('subject. Declare it under "fields" in template.json') },
      { line: 1, reason: expect.stringContaining('"author" is declared but not used. Write {{ author }}') },
    ]);
  });

  test("for a variable that is set in the markup does not exist", async () => {
    expect(
      await faultsOf("{% assign who = author %}{{ title }}{{ who }}{% for i in (1..2) %}{{ i }}{% endfor %}"),
    ).toEqual([]);
  });
});

describe("an output in an attribute without quotes", () => {
  test.each(["<p class={{ title }}>x</p>", "<p\n  class='a' data-x = {{ title }}>x</p>"])(
    "is a fault: %s",
    async (html) => {
      expect((await faultsOf(`${html}{{ author }}`))[0]?.reason).toContain("without quotes");
    },
  );

  test("is asked for only where quotes are missing", async () => {
    const loop =
      '{% assign words = title | split: "=" %}{% for word in words %}<b class="w">{{ word }}</b>{% endfor %}';
    expect((await faultsOf(`${loop}{{ author }}`))[0]?.reason).toMatch(/changes the elements .* Show it as text only/);
    expect((await faultsOf("<p class=x{{ title }}>x</p>{{ author }}"))[0]?.reason).toMatch(/in quotes\.$/);
  });

  test.each([
    '<p data-x="a b={{ title }}">x</p>',
    "<p data-x='1 > 0 b={{ title }}'>x</p>",
    '<p class="{% if author == "x" %}a{% endif %}" data-x="{{ title }}">x</p>',
    "<p>a < b c={{ title }}</p>",
  ])("is not one with quotes or in text: %s", async (html) => {
    expect(await faultsOf(`${html}{{ author }}`)).toEqual([]);
  });
});

test("authors see the faults in development, with file, line and source; nobody sees them elsewhere", async () => {
  const root = templatesRoot();
  writeTemplate(root, "social/card", { "template.html": '{% include "_parts/head.html" %}\n{{ title }}' });
  writeTemplate(root, "_parts", { "head.html": "<p>\n<script></script></p>" });
  vi.stubEnv("SERVICE_TEMPLATES_DIR", root);
  expect(await faultyTemplates()).toEqual([]);
  vi.stubEnv("NODE_ENV", "development");
  expect(await faultyTemplates()).toEqual([
    {
      slug: "social/card",
      faults: [
        {
          place: "_parts/head.html:2",
          source: "<script></script></p>",
          reason: expect.stringContaining("<script> is refused"),
        },
      ],
    },
  ]);
});

test("a link that leads nowhere does not keep a folder from being served in development", async () => {
  const root = templatesRoot();
  writeTemplate(root, "card", { "template.json": manifestWith({ title: TITLE }), "template.html": "{{ title }}" });
  symlinkSync("nowhere", join(root, "link"));
  vi.stubEnv("SERVICE_TEMPLATES_DIR", root);
  vi.stubEnv("NODE_ENV", "development");
  expect((await findTemplate("card")).slug).toBe("card");
});
