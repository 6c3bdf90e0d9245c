import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { templateNotices } from "#lib/notices/template-notices.ts";
import { captureLog } from "#tests/captured-log.ts";
import { writeTemplate } from "#tests/templates/template-folder.ts";
import { MARKUP, noticesWith, root, STYLE, useTemplatesFolder } from "./notices-of.ts";

useTemplatesFolder();

describe("a part of fit without effect is told with its line, its limit and what to do", () => {
  test.each([
    [
      "a smallest size above the font size, which only the page knows",
      { title: {}, note: { minSize: 24 } },
      'card/template.json:24 The field "note": got minSize 24, want at most 20 px, the smallest font size of its element in card/template.html:2 in the variant "plain": its text is never made smaller. Lower minSize, or raise the font size.',
    ],
    [
      "a comfortable size above the font size",
      { title: { mode: "fill", comfortSize: 48 } },
      'card/template.json:15 The field "title": got comfortSize 48, want at most 40 px, the smallest font size of its element in card/template.html:1 in the variant "plain": every text counts as made smaller. Lower comfortSize, or raise the font size.',
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
      'card/template.json:12 The field "title": no variant shows its element in card/template.html:1, because the style sheet hides the text. Correct the style, or remove the field.',
    ]);
  });

  test("each of several elements of a text is named", async () => {
    const markup = '<h1 data-fit="title">{{ title }}</h1>\n<h2\n data-fit="title">{{ title }}</h2>';
    const above = await noticesWith({ title: { minSize: 24 } }, { "template.html": markup });
    const places = "its 2 elements in card/template.html:1 and card/template.html:3";
    expect(above).toEqual([
      expect.stringContaining(`got minSize 24, want at most 20 px, the smallest font size of ${places} in the variant`),
    ]);
    const hidden = { "template.html": markup, "style.css": "h1, h2 { display: none }" };
    expect(await noticesWith({ title: {} }, hidden)).toEqual([expect.stringContaining(`no variant shows ${places},`)]);
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

test("the SVG files of a template are looked at, and the shared ones that it names", async () => {
  const script = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">\n<script/></svg>';
  mkdirSync(join(root, "_parts"));
  for (const name of ["used", "other"]) writeFileSync(join(root, `_parts/${name}.svg`), script);
  const files = {
    "assets/own.svg": script,
    "template.html": `${MARKUP.title}<img src="assets/own.svg" alt=""><img src="_parts/used.svg" alt="">`,
  };
  expect(await noticesWith({ title: {} }, files)).toEqual(
    ["card/assets/own.svg:2", "_parts/used.svg:2"].map((place) => expect.stringContaining(`${place} Got <script>`)),
  );
  expect(await noticesWith({ title: {} }, { "assets/own.svg": script.replace("<script/>", "") })).toEqual([]);
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

describe("more lines than one for a text that may not wrap", () => {
  const LINES =
    /^card\/template\.json:\d+ The field "title": got maxLines 2, but the text has one line only in its element in card\/template\.html:1/;

  test("are told", async () => {
    const style = "h1 { font: 700 40px serif; white-space: nowrap }";
    expect(await noticesWith({ title: {} }, { "style.css": style })).toEqual([expect.stringMatching(LINES)]);
    expect(await noticesWith({ title: { maxLines: 1 } }, { "style.css": style })).toEqual([]);
  });

  test("are not told where other values may let it wrap", async () => {
    const style = "h1 { font: 700 40px serif } h1:not(.is-long) { white-space: nowrap }";
    const markup = `<h1 class="{% if title == "long" %}is-long{% endif %}" data-fit="title">{{ title }}</h1>`;
    expect(await noticesWith({ title: {} }, { "style.css": style, "template.html": markup })).toEqual([]);
  });
});
