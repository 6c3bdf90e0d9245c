import { afterAll, expect, test } from "vitest";
import { renderPicture, shutDown } from "#lib/render/render.ts";
import { compileRegistry } from "#lib/templates/build-registry.ts";
import { composeDocument } from "#lib/templates/compose.ts";
import type { Measurements } from "#lib/templates/fit-text.ts";
import { manifestWith, templatesRoot, writeTemplate } from "./template-folder.ts";

afterAll(() => shutDown());

const SHRINK = { mode: "shrink", minSize: 20, maxLines: 2 };
const CSS = 'h1 { width: 360px; font: 400 60px/1.1 "Noto Sans", sans-serif; }';

type Trial = { title: string; fit?: object; css?: string };

/** Draws one fitted title, and tells what became of it and of its text. */
async function fitTitle({ title, fit = SHRINK, css = CSS }: Trial) {
  const root = templatesRoot();
  writeTemplate(root, "card", {
    "template.json": manifestWith({
      title: { type: "text", label: "Title", required: true, maxLength: 2_000, multiline: true, fit },
    }),
    "content.json": JSON.stringify({ plain: { title } }),
    "template.html": '<h1 data-fit="title" dir="auto">{{ title }}</h1>',
    "style.css": css,
  });
  const { templates, faults } = await compileRegistry(root);
  expect(faults).toEqual([]);
  const [template] = templates;
  if (!template) throw new Error("The template did not compile.");
  const document = composeDocument(template, { title });
  const measure = `(() => { const m = ${document.measure}; return { ...m, text: document.querySelector("h1").textContent }; })()`;
  const { measured } = await renderPicture({ ...document, measure });
  const { fits, text } = measured as Measurements & { text: string };
  return { cut: undefined, ...fits[0], text };
}

test("a text that fits is left as it is", async () => {
  expect(await fitTitle({ title: "Short" })).toMatchObject({ from: 60, to: 60, cut: undefined, text: "Short" });
});

test("a long text gets the largest type that fits its lines", async () => {
  const title = "A headline of a good many words in one";
  const { to = 0, cut } = await fitTitle({ title });
  expect(cut).toBeUndefined();
  expect(to).toBeGreaterThan(20);
  expect(to).toBeLessThan(60);
  const css = CSS.replace("60px", `${to + 1}px`);
  expect((await fitTitle({ title, css })).to, "half a pixel more would not fit").toBeLessThan(to + 0.75);
});

test("a long word makes the type smaller before it is broken", async () => {
  const { to = 0, cut } = await fitTitle({ title: "Unternehmensberatung" });
  expect(cut).toBeUndefined();
  expect(to).toBeLessThan(60);
  const broken = await fitTitle({ title: "Donaudampfschifffahrtselektrizitätenhauptbetriebswerk" });
  expect(broken).toMatchObject({ cut: undefined });
  expect(broken.to).toBeGreaterThan(20);
});

test("what no size can hold ends in an ellipsis, at the smallest size", async () => {
  const { to, cut, text } = await fitTitle({ title: "word ".repeat(300).trim() });
  expect({ to, cut }).toEqual({ to: 20, cut: { shown: text.length - 1, of: 1_499 } });
  expect(text).toMatch(/ word…$/);
});

test("an ellipsis never splits what a reader sees as one character", async () => {
  const { cut, text } = await fitTitle({ title: "👩‍👩‍👧‍👦".repeat(60), fit: { mode: "clamp", maxLines: 1 } });
  expect(text).toMatch(/^(?:👩‍👩‍👧‍👦)+…$/u);
  expect(cut).toEqual({ shown: (text.length - 1) / "👩‍👩‍👧‍👦".length, of: 60 });
});

test("clamp keeps the size", async () => {
  const { from, to, cut } = await fitTitle({ title: "word ".repeat(30), fit: { mode: "clamp", maxLines: 2 } });
  expect({ from, to, cut }).toMatchObject({ from: 60, to: 60, cut: { of: 149 } });
});

test("a box with a height of its own limits the lines too", async () => {
  const title = "A headline of a good many words in one";
  const free = await fitTitle({ title, fit: { ...SHRINK, maxLines: 9 } });
  const boxed = await fitTitle({ title, fit: { ...SHRINK, maxLines: 9 }, css: CSS.replace("{", "{ height: 70px;") });
  expect(free).toMatchObject({ to: 60 });
  expect(boxed.to).toBeLessThan(40);
});

test("in vertical writing, lines are counted side by side", async () => {
  const css = "h1 { height: 180px; writing-mode: vertical-rl; font: 400 40px/1.5 sans-serif; }";
  expect(await fitTitle({ title: "月日は百代", css })).toMatchObject({ to: 40, cut: undefined });
  expect((await fitTitle({ title: "月日は百代の過客にして、行かふ年", css })).to).toBeLessThan(40);
});

test.each(["مرحبا بالعالم ", "ที่นี่มีน้ำใจ", "नमस्ते दुनिया ", "안녕하세요 "])(
  "a text without end stays in its lines: %s",
  async (words) => {
    const { cut, text } = await fitTitle({ title: words.repeat(80) });
    expect(cut?.shown).toBeLessThan(cut?.of ?? 0);
    expect(text.endsWith("…")).toBe(true);
  },
);
