import { expect, test } from "vitest";
import { describeNotice } from "#lib/notices/notice.ts";
import { stillStyles } from "#lib/notices/still-styles.ts";

const noticesOf = (text: string, file = "card/style.css") => stillStyles([{ file, text }]).map(describeNotice);

test("what concerns only pages that people use is told with its line", () => {
  expect(noticesOf("h1 {\n cursor: pointer;\n transition: color 1s }\na:hover, a { color: red }")).toEqual([
    'card/style.css:2 Got "cursor", which has no effect in a picture. Remove it.',
    'card/style.css:3 Got "transition", which has no effect in a picture. Remove it.',
    'card/style.css:4 Got ":hover", but no element of a picture is ever in this state. Remove it.',
  ]);
});

test("resets, names that only begin alike, and shared style sheets are not told", () => {
  expect(noticesOf(".focus, .a\\:hover-x { transition: none } :target-text { color: red }")).toEqual([]);
  expect(noticesOf("a:hover { color: red }", "_parts/base.css")).toEqual([]);
});

test("an animation is told, which may begin with nothing, and so is the beginning of a transition", () => {
  const firstMoment = "of which a picture shows the first moment only. Declare that moment without it, and remove it.";
  expect(noticesOf("h1 { animation: a 1s both }\n@keyframes a { from { opacity: 0 } }")).toEqual([
    `card/style.css:1 Got "animation", ${firstMoment}`,
  ]);
  expect(noticesOf("h1 { transition: opacity 1s }\n@starting-style { h1 { opacity: 0 } }")).toEqual([
    `card/style.css:2 Got "@starting-style", ${firstMoment}`,
  ]);
});

test.each([
  "a:not(:hover), a:not(:is(:focus, .b)) { color: red }",
  'a[title=":hover"] { color: red }',
  "@media (hover: none) { a { color: red } }",
  "p { overflow: hidden; resize: both; scroll-timeline: --t y; scroll-snap-type: y mandatory }",
  "h1 { animation: a 1s paused; animation-delay: -0.4s } @keyframes a { to { opacity: 0 } }",
  "h1 { animation: a 1s -0.4s } @keyframes a { to { opacity: 0 } }",
  "h1 { animation: a linear; animation-timeline: --t } @keyframes a { to { opacity: 0 } }",
  "h1 { animation: none }",
])("%s has an effect on a picture, and is not told", (style) => {
  expect(noticesOf(style)).toEqual([]);
});
