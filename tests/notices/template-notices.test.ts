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

describe("a declaration without effect where it stands is told:", () => {
  const FRAME =
    '<main>\n<h1 data-fit="title">{{ title }}</h1>\n<p>a <b>b</b> <img src="assets/a.svg" alt=""></p></main>';
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>';

  const noticesOf = async (style: string, markup = FRAME, content = { plain: { title: "Hello" } }) =>
    await noticesWith(
      { title: {} },
      {
        "template.html": markup,
        "style.css": `${STYLE.split("\n")[0]}\n${style}`,
        "assets/a.svg": svg,
        "content.json": JSON.stringify(content),
      },
    );

  test.each([
    [
      "main { align-items: center }",
      '"align-items", which has no effect on <main>: want "display: flex" or "display: grid"',
    ],
    ["main { gap: 4px }", '"gap", which has no effect on <main>: want "display: flex"'],
    ["main { display: grid; flex-wrap: wrap }", '"flex-wrap", which has no effect on <main>: want "display: flex"'],
    [
      "main { display: flex; grid-template-columns: 1fr 1fr }",
      '"grid-template-columns", which has no effect on <main>',
    ],
    ["p { flex: 1 }", '"flex", which has no effect on <p>: want "display: flex" on the element around it'],
    [
      "p { align-self: end; order: 2 }",
      '"align-self", which has no effect on <p>',
      '"order", which has no effect on <p>',
    ],
    ["b { width: 40px }", '"width", which has no effect on <b>: it is inline'],
    ["b { rotate: 4deg }", '"rotate", which has no effect on <b>: it is inline'],
    ["p { top: 4px }", '"top", which has no effect on <p>: want "position: relative"'],
    ["p { z-index: 4 }", '"z-index", which has no effect on <p>: want "position: relative" on it'],
    ["p { object-fit: cover }", '"object-fit", which has no effect on <p>: want it on an <img>'],
    ["p { vertical-align: middle }", '"vertical-align", which has no effect on <p>'],
    ["p { text-overflow: ellipsis }", '"text-overflow", which has no effect on <p>: want "overflow: hidden"'],
    ["p { table-layout: fixed }", '"table-layout", which has no effect on <p>: want "display: table"'],
    [
      'p::before { content: "x"; width: 40px }',
      '"width", which has no effect on "p::before": it is inline, want "display: inline-block"',
    ],
    ['b, p > ::after { content: "x"; flex: 1; order: 1 }', '"flex"', '"order"'],
  ])("%s", async (style, ...wanted) => {
    const notices = await noticesOf(style);
    expect(notices).toEqual(wanted.map((reason) => expect.stringContaining(`card/style.css:2 Got ${reason}`)));
  });

  test.each([
    [
      "in a flex container",
      "main { display: flex; align-items: center; gap: 4px } p { flex: 1; z-index: 1; order: 2 } b { width: 0 }",
    ],
    [
      "in a grid",
      "main { display: inline-grid; gap: 4px; grid-template-columns: 1fr } p { grid-row: 1; align-self: end }",
    ],
    ["in columns", "main { columns: 2; column-gap: 4px }"],
    ["on what is positioned", "p { position: absolute; inset: 4px; z-index: 2; align-self: center }"],
    [
      "on replaced and inline-block elements",
      "img { width: 4px; object-fit: cover } b { display: inline-block; width: 4px; rotate: 2deg }",
    ],
    ["on a float, which is a block", "b { float: left; width: 4px }"],
    ["on one of several elements", "h1, p, b { width: 40px }"],
    [
      "for pseudo-elements in a flex container or with a box",
      'p { display: flex } p::before { content: ""; width: 40px; flex: none } b:after { content: ""; position: absolute; inset: 0 }',
    ],
    ["for a pseudo-element that is no box", "p::first-letter { width: 40px }"],
    ["that resets", "b { width: auto; min-width: 0 } p { flex: none; top: auto }"],
    [
      "that a list with another pseudo-element may give an effect",
      "main { gap: 4px } main:empty, p::marker { display: flex }",
    ],
    ["in a condition of CSS", "main { gap: 4px } @media (width > 1px) { main { display: flex } }"],
  ])("but not one %s", async (_, style) => {
    expect(await noticesOf(style)).toEqual([]);
  });

  test("in a style attribute, with its line", async () => {
    const markup = `<main>\n<h1 data-fit="title">{{ title }}</h1>\n<p\n class="a" style="color: red; flex: 1"><b style='width: 9px; --x: {{ title.size }}'>x</b></p></main>`;
    expect(await noticesOf("", markup)).toEqual([
      'card/template.html:4 Got "flex", which has no effect on <p>: want "display: flex" on the element around it.',
      expect.stringContaining('card/template.html:4 Got "width", which has no effect on <b>: it is inline'),
    ]);
    expect(await noticesOf("main { display: flex } b { display: block }", markup)).toEqual([]);
  });

  test("but not one that a style attribute gives an effect, or may", async () => {
    const markup = (style: string) => `<main ${style}><h1 data-fit="title">{{ title }}</h1><p>x</p></main>`;
    const style = "main { gap: 4px } p { flex: 1 }";
    expect(await noticesOf(style, markup('style="display: flex"'))).toEqual([]);
    expect(await noticesOf(style, markup(`style="{% if title == 'long' %}display: flex{% endif %}"`))).toEqual([]);
    expect(await noticesOf(style, markup(`{% if title == "long" %}style="display: flex"{% endif %}`))).toEqual([]);
    const always = markup(`style="{% if title != 'long' %}display: block{% endif %}"`);
    expect(await noticesOf(style, always)).toEqual([]);
  });

  test("but not one of a pseudo-element that other values may give an effect", async () => {
    const markup = `<main class="{% if title == "long" %}is-wide{% endif %}"><h1 data-fit="title">{{ title }}</h1><p>x</p></main>`;
    const style = 'p::before { content: "x"; width: 4px }';
    expect(await noticesOf(`${style} .is-wide p::before { display: block }`, markup)).toEqual([]);
    expect(await noticesOf(`${style} .is-wide p::after { display: block }`, markup)).toHaveLength(1);
  });

  test("but not one that other values may give an effect", async () => {
    const markup = `<main class="{% if title == "long" %}is-wide{% endif %}"><h1 data-fit="title">{{ title }}</h1><p>x</p></main>`;
    expect(await noticesOf("main { gap: 4px } .is-wide { display: flex } p { flex: 1 }", markup)).toEqual([]);
    const always = markup.replace("== ", "!= ");
    expect(await noticesOf("main { display: flex; gap: 4px } .is-wide { display: block }", always)).toEqual([]);
    expect(await noticesOf("main { gap: 4px } main:not(.is-wide) { display: block }", markup)).toEqual([]);
  });
});

describe("a pseudo-element without content", () => {
  const wanted = (selector: string) =>
    `card/style.css:1 Got "${selector}", but no rule gives it "content", so nothing of it is drawn. Add content: "".`;

  test.each(["h1::before", "h1:after", "h1 > ::before, h1::after"])("%s is told", async (selector) => {
    const [first = ""] = selector.split(",");
    const notices = await noticesWith(
      { title: {} },
      { "style.css": `${selector} { color: red }`, "template.html": `${MARKUP.title.replace("{{", "<b>a</b>{{")}` },
    );
    expect(notices).toEqual([wanted(first.replace(/> ::/, "> *::").replace(/([^:]):after/, "$1::after"))]);
  });

  test.each([
    'h1::before { content: "" } h1::before { color: red }',
    '[data-fit]::before { content: "x" } h1::before { color: red }',
    "h1::before { content: none }",
    'h1::before { color: red } @media (width > 1px) { h1::before { content: "" } }',
    '[lang|="de"] h1::before, h1::marker { content: "x" } h1::before { color: red }',
    "h2::before { color: red } h1::first-line { color: red }",
  ])("%s is not", async (style) => {
    expect(await noticesWith({ title: {} }, { "style.css": style })).toEqual([]);
  });
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
