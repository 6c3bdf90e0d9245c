import { expect, test } from "vitest";
import { describeNotice } from "#lib/notices/notice.ts";
import { svgNotices } from "#lib/notices/svg-notices.ts";

const noticesOf = (inner: string) => {
  const text = `<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink">\n${inner}\n</svg>`;
  return svgNotices([{ file: "card/assets/a.svg", text }]).map(describeNotice);
};

const at = (line: number, got: string) => expect.stringContaining(`card/assets/a.svg:${line} Got ${got}`);

test("an element that a picture does not run is told with its line, and so is a handler", () => {
  expect(noticesOf("<script>alert(1)</script>\n<rect\n onload='x()'/>")).toEqual([
    "card/assets/a.svg:3 Got <script>, which has no effect: an SVG file runs and loads nothing in a picture. Remove it.",
    "card/assets/a.svg:5 Got onload, which has no effect: an SVG file runs nothing in a picture. Remove it.",
  ]);
});

test("an animation is told, of which a picture shows the first moment", () => {
  expect(noticesOf('<rect>\n<animateTransform attributeName="transform"/></rect>')).toEqual([
    "card/assets/a.svg:4 Got <animateTransform>, but a picture shows the first moment only. Draw the moment that you want, and remove it.",
  ]);
  expect(noticesOf("<style>\n@keyframes a { from { opacity: 0 } }</style>")).toEqual([
    "card/assets/a.svg:4 Got @keyframes, but a picture shows the first moment only. Draw the moment that you want, and remove it.",
  ]);
});

test("addresses of other files are told, in attributes and in styles", () => {
  const styles =
    "<style>@import 'a.css';\n.a { fill: url(\"b.svg#c\") }</style><path style='fill: url(https://example.com/d.svg#e)'/>";
  expect(noticesOf(`<image xlink:href="https://example.com/a.png"/>\n<use href="b.svg#c"/>\n${styles}`)).toEqual([
    'card/assets/a.svg:3 Got xlink:href="https://example.com/a.png", which is not loaded: an SVG file draws only what it contains. Embed it as a data: URL, or remove it.',
    at(4, 'href="b.svg#c"'),
    at(5, '@import "a.css"'),
    at(6, "url(b.svg#c)"),
    at(6, "url(https://example.com/d.svg#e)"),
  ]);
  expect(svgNotices([{ file: "a.svg", text: '<?xml-stylesheet href="a.css"?><svg/>' }])).toHaveLength(1);
});

test("what a picture shows is not told", () => {
  const drawn = [
    "<title>Sea</title><metadata>x</metadata><defs><path id='p'/></defs><use href='#p' fill='url(#p)'/>",
    "<style>.a { fill: url('#p') } /* url(b.svg) */</style><a href='https://example.com/'><path/></a>",
    "<image href='data:image/gif;base64,R0lGODlh'/><foreignObject><p xmlns='http://www.w3.org/1999/xhtml'>x</p></foreignObject>",
    "<path style='fill: url(&quot;#p&quot;); mask: url(&#39;#p&#39;)'/><style>@namespace svg url(http://www.w3.org/2000/svg);</style>",
    "<style>.b { mask: url(\"data:image/svg+xml,%3Cpath fill='url(%23p)'/%3E\") }</style>",
    "<style>@keyframes a { from { opacity: 0 } } .c { animation: a 1s -0.4s paused }</style>",
    "<!-- <script/> url(c.svg) --><text font-family='Inter'>x</text>",
  ];
  expect(noticesOf(drawn.join("\n"))).toEqual([]);
});
