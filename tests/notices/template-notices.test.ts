import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { describeNotice } from "#lib/notices/notice.ts";
import { templateNotices } from "#lib/notices/template-notices.ts";
import { captureLog } from "#tests/captured-log.ts";
import { useRendering } from "#tests/render/rendering.ts";
import { manifestWith, TITLE, templatesRoot, writeTemplate } from "#tests/templates/template-folder.ts";

useRendering();

let root: string;

beforeEach(() => {
  root = templatesRoot();
  vi.stubEnv("SERVICE_TEMPLATES_DIR", root);
  vi.stubEnv("NODE_ENV", "development");
});

const STYLE = "h1 { font: 700 40px serif; }\nh2 { font: 700 20px serif; width: 300px; }\n";

const fitted = (fit: object) => ({ ...TITLE, fit: { mode: "shrink", maxLines: 2, ...fit } });

const MARKUP = {
  title: '<h1 data-fit="title">{{ title }}</h1>',
  note: '<h2 data-fit="note">{{ note }}</h2>',
};

/** The notices of a card whose title, and note if it has one, are fitted by these rules. */
async function noticesWith(rules: { title: object; note?: object }, files: Record<string, string> = {}) {
  const names = Object.keys(rules) as (keyof typeof MARKUP)[];
  writeTemplate(root, "card", {
    "template.json": manifestWith(Object.fromEntries(names.map((name) => [name, fitted(rules[name] ?? {})]))),
    "content.json": JSON.stringify({ plain: Object.fromEntries(names.map((name) => [name, "Hello"])) }),
    "template.html": names.map((name) => MARKUP[name]).join("\n"),
    "style.css": STYLE,
    ...files,
  });
  return (await templateNotices("card")).map(describeNotice);
}

describe("a part of fit without effect is told with its line, its limit and what to do", () => {
  test.each([
    [
      "a smallest size above the font size, which only the page knows",
      { title: {}, note: { minSize: 24 } },
      'card/template.json:24 The field "note": got minSize 24, want at most 20 px, the font size of its element in card/template.html:2 in the variant "plain": its text is never made smaller. Lower minSize, or raise the font size.',
    ],
    [
      "a comfortable size above the font size",
      { title: { mode: "fill", comfortSize: 48 } },
      'card/template.json:15 The field "title": got comfortSize 48, want at most 40 px, the font size of its element in card/template.html:1 in the variant "plain": every text counts as made smaller. Lower comfortSize, or raise the font size.',
    ],
    [
      "a comfortable size below the smallest",
      { title: { mode: "fill", minSize: 24, comfortSize: 20 } },
      'card/template.json:16 The field "title": got comfortSize 20, want at least 24, which is minSize: no text is smaller. Raise comfortSize, or remove it.',
    ],
    [
      "a comfortable size of a text that does not fill its box",
      { title: { comfortSize: 20 } },
      'card/template.json:15 The field "title": got comfortSize 20 with the mode "shrink", want it with "fill" alone. Remove it.',
    ],
    [
      "a smallest size of a text that keeps its size",
      { title: { mode: "clamp", minSize: 20 } },
      'card/template.json:15 The field "title": got minSize 20 with the mode "clamp", which never changes the size. Remove minSize, or choose "shrink".',
    ],
    [
      "a group of one",
      { title: { group: "head" }, note: {} },
      'card/template.json:15 The field "title": got the group "head", which no other field has. Give it to the texts that shall have the same size, or remove it.',
    ],
    [
      "a priority without another one",
      { title: { priority: 5 } },
      'card/template.json:15 The field "title": got priority 5, which every text with fit has. Only different priorities have an effect. Change it, or remove it.',
    ],
  ])("%s", async (_, rules, notice) => {
    expect(await noticesWith(rules)).toEqual([notice]);
  });

  test("a text that the style sheet hides in every variant", async () => {
    const notices = await noticesWith({ title: {} }, { "style.css": `${STYLE}h1 { display: none }` });
    expect(notices).toEqual([
      'card/template.json:12 The field "title": no variant shows its element in card/template.html:1, because the style sheet hides it. Correct the style, or remove the field.',
    ]);
  });

  test("rules that have an effect are not told", async () => {
    const rules = { minSize: 20, group: "all", priority: 1 };
    const title = { ...rules, mode: "fill", comfortSize: 30, priority: 2 };
    expect(await noticesWith({ title, note: rules })).toEqual([]);
  });
});

test("the notices of a template are about its own files and the shared ones that it names, faults or not", async () => {
  mkdirSync(join(root, "_parts"));
  for (const name of ["used", "inner", "other"])
    writeFileSync(
      join(root, `_parts/${name}.css`),
      `h1 { ${name}: 1 }${name === "used" ? '@import "_parts/inner.css";' : ""}`,
    );
  writeTemplate(root, "other", { "style.css": "h1 { colour: red }" });
  const files = { "style.css": `@import "_parts/used.css";\nh1 { widht: 1px }` };
  const wanted = ["card/style.css:2", "_parts/inner.css:1", "_parts/used.css:1"].map((place) =>
    expect.stringMatching(`^${place} Got "\\w+", which is no CSS property`),
  );
  expect(await noticesWith({ title: {} }, files)).toEqual(wanted);
  expect(await noticesWith({ title: {} }, { ...files, "content.json": "{" })).toEqual(wanted);
  expect(await templateNotices("nowhere")).toEqual([]);
});

test("a notice is found again only when a file has changed, and logged once", async () => {
  const lines = captureLog();
  const logged = () => lines.filter((line) => line.includes("has no effect"));
  const files = { "style.css": `${STYLE}h1 { colour: red }` };
  const [first] = await noticesWith({ title: {} }, files);
  expect(first).toContain('"colour"');
  expect(await templateNotices("card")).toBe(await templateNotices("card"));
  expect(logged()).toHaveLength(1);
  expect(await noticesWith({ title: {} }, { "style.css": `${files["style.css"]}h2 { widht: 1px }` })).toHaveLength(2);
  expect(logged().map((line) => JSON.parse(line).notice)).toEqual([first, expect.stringContaining('"widht"')]);
});
