import { describe, expect, test } from "vitest";
import { compile, useTemplatesRoot } from "../compiled-card.ts";
import { faultsOf } from "./faults-of.ts";

useTemplatesRoot();

/** Some files of each kind take minutes if each of their faults takes as long as the file. */
describe("of a file with thousands of faults, the first hundred are told", () => {
  test.each([
    ["end tags", { "template.html": `<h1>{{ title }}</h1>${"</b>\n".repeat(3_000)}` }, "Got </b>, but no <b> is open"],
    ["scripts", { "template.html": `<h1>{{ title }}</h1>${"<script>\n</script>".repeat(300)}` }, "<script> is refused"],
    ["images", { "template.html": `<h1>{{ title }}</h1>${"<img src='assets/x.png'>\n".repeat(300)}` }, "x.png"],
    ["parts", { "template.html": `<h1>{{ title }}</h1>${"{% include 'x' %}\n".repeat(3_000)}` }, 'Got "x", want'],
    ["imports", { "style.css": '@import "x.css";\n'.repeat(3_000) }, "want only @import"],
    ["custom properties", { "style.css": "h1 { color: var(--brand-x); }\n".repeat(300) }, "--brand-x"],
  ])("%s", async (_, files, wanted) => {
    const faults = await faultsOf(files);
    expect(faults[0]).toContain(wanted);
    expect(faults.length).toBeGreaterThanOrEqual(100);
    expect(faults.length).toBeLessThanOrEqual(101);
  });

  test("variants", async () => {
    const variants = Array.from({ length: 250 }, (_, index) => [`v${index}`, { titel: "x" }]);
    const content = JSON.stringify({ plain: { title: "x" }, ...Object.fromEntries(variants) }, null, 1);
    const faults = await faultsOf({ "content.json": content });
    expect(faults[99]).toContain("/content.json:303 v99.titel: Unknown field");
    expect(faults.slice(100)).toEqual([expect.stringContaining("There are 150 more faults.")]);
  });
});

const tenTimes = (name: string) => `{% include "_parts/${name}.html" %}`.repeat(10);

test("parts that stand for others ten times at every level end, also without a character", async () => {
  const { faults } = await compile(
    { "template.html": `{{ title }}${tenTimes("a")}` },
    {
      "_parts/a.html": tenTimes("b"),
      "_parts/b.html": tenTimes("c"),
      "_parts/c.html": tenTimes("d"),
      "_parts/d.html": "",
    },
  );
  expect(faults[0]).toContain("There are more than 1000 parts");
});

const twice = (name: string) => `@import "_parts/${name}.css";\n`.repeat(2);

test("style sheets that import others twice at every level end", async () => {
  const names = "abcdefgh".split("");
  const sheets = names.map((name, index) => [`_parts/${name}.css`, twice(names[index + 1] ?? "z")]);
  const { faults } = await compile({ "style.css": twice("a") }, { ...Object.fromEntries(sheets), "_parts/z.css": "" });
  expect(faults[0]).toContain("More than 100 style sheets are imported");
});

test("style sheets that are imported are not longer together than a file may be", async () => {
  const { faults } = await compile(
    { "style.css": twice("a") + twice("b") },
    { "_parts/a.css": "a{b:c}".repeat(100_000), "_parts/b.css": "" },
  );
  expect(faults[0]).toContain("The imported sheets have more than 1000000 characters");
});

test.each([
  ['h1 { content: \'a\', "b\\""; }\n\nh1 { content: "x; }\n/* \' */', 3],
  ["/* ' \" */\nh1 { content: '\\\n'; }\nh1 { content: 'x; }", 4],
])("a string without its second quote is found: %s", async (style, line) => {
  const [fault] = await faultsOf({ "style.css": style });
  expect(fault).toContain(`/style.css:${line} The style sheet is not valid CSS: Unclosed string`);
});
