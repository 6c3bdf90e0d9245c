import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { compile, PIXEL, root, useTemplatesRoot } from "./compiled-card.ts";
import { writeTemplate } from "./template-folder.ts";

useTemplatesRoot();

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
