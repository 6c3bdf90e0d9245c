import { describe, expect, test } from "vitest";
import { MARKUP, noticesWith, STYLE, useTemplatesFolder } from "./notices-of.ts";

useTemplatesFolder();

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
