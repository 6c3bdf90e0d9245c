import { expect, test } from "vitest";
import { markupNotices } from "#lib/notices/markup-notices.ts";
import { describeNotice } from "#lib/notices/notice.ts";
import { unusedStyles } from "#lib/notices/unused-styles.ts";

const noticesOf = (html: string, css = "") => {
  const sources = [
    { file: "card/template.html", text: html },
    { file: "card/style.css", text: css },
  ];
  return [...unusedStyles(sources), ...markupNotices(sources)].map(describeNotice);
};

test("an attribute that stands twice in a tag is told, also where Liquid writes its value", () => {
  expect(noticesOf('<i\n class="{{ a }}" id="x" class="b">x</i>', "#x { color: red }")).toEqual([
    expect.stringMatching(/^card\/template\.html:2 Got an attribute twice in one tag/),
  ]);
});

test("a misspelt entity is told, and a bare ampersand is not", () => {
  expect(noticesOf("<i>a & b &amp; c</i>\n&nbps; {{ a && b }}")).toEqual([
    expect.stringMatching(/^card\/template\.html:2 Got a name after & that HTML does not know/),
  ]);
});

test("an id that nothing uses is told, and a misspelt one once", () => {
  expect(noticesOf('<i>\n<b id="lone">x</b></i>')).toEqual([
    'card/template.html:2 Got id="lone", which nothing uses. Name it in style.css, or remove it.',
  ]);
  expect(noticesOf('<b id="title">x</b>', "\n#tilte, b { color: red }")).toEqual([
    'card/style.css:2 Got "#tilte", but no element has this id. Did you mean "#title"?',
  ]);
});

test("ids that a style sheet, an address or an attribute names are used, and Liquid may write any", () => {
  const svg = '<svg><defs><path id="p" d="M0 0"/></defs><use href="#p"/></svg>';
  expect(noticesOf(`${svg}<b id="t" aria-describedby="u">x</b><i id="u">y</i>`, "#t { color: red }")).toEqual([]);
  expect(noticesOf('<b id="row-{{ n }}">x</b>', "#row-1 { color: red }")).toEqual([]);
});

test("a template whose markup cannot be read has a fault, and no notices about it", () => {
  expect(unusedStyles([{ file: "card/style.css", text: ".a { color: var(--b) } #c { color: red }" }])).toEqual([]);
});

test("the name of a file is no class", () => {
  expect(noticesOf('<img src="assets/logo.svg" alt="">', "\n.logo { color: red }")).toEqual([
    'card/style.css:2 Got ".logo", but no element has this class. Correct the name, or remove the rule.',
  ]);
});
