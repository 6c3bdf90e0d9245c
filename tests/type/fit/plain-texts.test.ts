import { afterAll, beforeAll, expect, test } from "vitest";
import { fontStack } from "#lib/fonts/generic-families.ts";
import { renderPicture, shutDown } from "#lib/render/render.ts";
import { measureExpression } from "#lib/type/fit/fit-text.ts";
import type { Measurements } from "#lib/type/fit/measurements.ts";
import { prepareMachine } from "#tests/render/rig.ts";

beforeAll(prepareMachine);
afterAll(() => shutDown());

const BASE = `*{margin:0;box-sizing:border-box}body{width:600px;height:400px;font:40px/1.1 ${fontStack("sans-serif")}}`;

const TALL = "သောကြာ ၂၀၂၆ ဩဂုတ် ၂၁";

type Drawn = {
  /** What was set for the element `#text`: its `style` attribute. */
  style: string;
  /** The height of `#text`, in CSS pixels. */
  height: number;
  fits: Measurements["fits"];
};

/** Draws a page, and reads what became of the element `#text`. */
async function draw(body: string, css = ""): Promise<Drawn> {
  const html = `<!doctype html><html lang="my"><meta charset="utf-8"><style>${BASE}${css}</style><body>${body}`;
  const rules = { title: { mode: "shrink" as const, minSize: 10, maxLines: 4, priority: 0 } };
  const measure = `(() => {
    const { fits } = ${measureExpression(rules)};
    const text = document.querySelector("#text");
    return { style: text.getAttribute("style") ?? "", height: text.getBoundingClientRect().height, fits };
  })()`;
  return (await renderPicture({ html, width: 600, height: 400, measure })).measured as Drawn;
}

test("a line of Burmese that is not fitted gets room above and below", async () => {
  const { style, height } = await draw(`<p id="text">${TALL}</p>`);
  expect(style).toMatch(/^padding-block: \d+px \d+px;$/);
  expect(height).toBeGreaterThan(50);
});

test("its lines keep apart", async () => {
  const { style } = await draw(`<p id="text">${TALL}</p>`, "#text{width:200px}");
  const leading = Number(/line-height: ([\d.]+)px/.exec(style)?.[1]);
  expect(leading).toBeGreaterThan(50);
});

test("a digit that is trimmed to capitals stands clear of what follows it", async () => {
  const trimmed = "#text{text-box:trim-both cap alphabetic}";
  expect((await draw('<p id="text">၇</p>', trimmed)).style).toMatch(/padding-block-end: \d+px/);
  expect((await draw('<p id="text">7</p>', trimmed)).style).toBe("");
});

test("padding that the style sheet gives is room for ink", async () => {
  const { style, height } = await draw(`<p id="text">${TALL}</p>`, "#text{padding:40px 0}");
  expect([style, height]).toEqual(["", 124]);
});

test.each([
  ["Latin", '<p id="text">Saturday, 14 Größen à Łódź</p>'],
  ["Japanese", '<p id="text">土曜日 二〇二六年</p>'],
  ["hidden from readers", `<p id="text" aria-hidden="true">${TALL}</p>`],
  ["vertical", `<p id="text" style="writing-mode:vertical-rl">${TALL}</p>`],
])("a text that is %s stays as it is", async (_, body) => {
  const before = /style="([^"]*)"/.exec(body)?.[1] ?? "";
  expect((await draw(body)).style).toBe(before);
});

test("a fitted text gets the room that is left", async () => {
  const page = (word: string) =>
    `<main style="display:flex;flex-direction:column;height:100px"><p id="text">${word}</p><h1 data-fit="title" style="flex:1;min-height:0">Title</h1></main>`;
  const [ordinary, tall] = [await draw(page("Friday")), await draw(page(TALL))];
  expect(tall.fits[0]?.to).toBeLessThan(ordinary.fits[0]?.to ?? 0);
});
