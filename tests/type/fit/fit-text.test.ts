import { afterAll, describe, expect, test } from "vitest";
import { shutDown } from "#lib/render/render.ts";
import { CSS, fitTexts, fitTitle, SHRINK } from "./trial.ts";

afterAll(() => shutDown());

test("a text that fits stays unchanged", async () => {
  expect(await fitTitle({ title: "Short" })).toMatchObject({ from: 60, to: 60, cut: undefined, text: "Short" });
});

test("a text that is pushed off the page stays whole, and the one above it becomes smaller", async () => {
  const texts = {
    title: {
      text: "A headline of a good many words that fills six lines of the page",
      fit: { ...SHRINK, maxLines: 6 },
    },
    code: { text: "NIGHT 27", fit: { ...SHRINK, minSize: 56, maxLines: 1 } },
  };
  const css = `${CSS} html, body { height: 100%; margin: 0; } body { display: flex; flex-direction: column; } h1 { flex: none; margin: 0; }`;
  const [title, code] = await fitTexts(texts, css);
  expect(code).toMatchObject({ text: "NIGHT 27" });
  expect(title?.to).toBeLessThan(60);
  expect(title?.cut).toBeUndefined();
});

test("an element without a text takes no room from other texts, and is not cut", async () => {
  const texts = { title: { text: "Short", fit: SHRINK }, note: { text: "", fit: SHRINK } };
  const fits = await fitTexts(texts, CSS);
  expect(fits.map(({ field, to, cut }) => ({ field, to, cut }))).toEqual([{ field: "title", to: 60, cut: undefined }]);
});

test("a long text gets the largest font size that fits its lines", async () => {
  const title = "A headline of a good many words in one";
  const { to = 0, cut } = await fitTitle({ title });
  expect(cut).toBeUndefined();
  expect(to).toBeGreaterThan(20);
  expect(to).toBeLessThan(60);
  const css = CSS.replace("60px", `${to + 1}px`);
  expect((await fitTitle({ title, css })).to, "half a pixel more does not fit").toBeLessThan(to + 0.75);
});

test("a long word is made smaller before it is broken", async () => {
  const { to = 0, cut } = await fitTitle({ title: "Unternehmensberatung" });
  expect(cut).toBeUndefined();
  expect(to).toBeLessThan(60);
  const broken = await fitTitle({ title: "Donaudampfschifffahrtselektrizitätenhauptbetriebswerk" });
  expect(broken).toMatchObject({ cut: undefined });
  expect(broken.to).toBeGreaterThan(20);
});

test("a text that fits at no size ends in an ellipsis, at the smallest size", async () => {
  const { to, cut, text } = await fitTitle({ title: "word ".repeat(300).trim() });
  expect({ to, cut }).toEqual({ to: 20, cut: { shown: text.length - 1, of: 1_499 } });
  expect(text).toMatch(/ word…$/);
});

test("an ellipsis never splits a grapheme", async () => {
  const { cut, text } = await fitTitle({ title: "👩‍👩‍👧‍👦".repeat(60), fit: { mode: "clamp", maxLines: 1 } });
  expect(text).toMatch(/^(?:👩‍👩‍👧‍👦)+…$/u);
  expect(cut).toEqual({ shown: (text.length - 1) / "👩‍👩‍👧‍👦".length, of: 60 });
});

test("clamp keeps the font size", async () => {
  const { from, to, cut } = await fitTitle({ title: "word ".repeat(30), fit: { mode: "clamp", maxLines: 2 } });
  expect({ from, to, cut }).toMatchObject({ from: 60, to: 60, cut: { of: 149 } });
});

test("the height of an element limits the lines too", async () => {
  const title = "A headline of words";
  const free = await fitTitle({ title, fit: { ...SHRINK, maxLines: 9 } });
  const boxed = await fitTitle({ title, fit: { ...SHRINK, maxLines: 9 }, css: CSS.replace("{", "{ height: 70px;") });
  expect(free).toMatchObject({ to: 60 });
  expect(boxed.to).toBeLessThan(40);
});

test("in vertical writing, lines are counted from side to side", async () => {
  const css = "h1 { height: 180px; writing-mode: vertical-rl; font: 400 40px/1.5 sans-serif; }";
  expect(await fitTitle({ title: "月日は百代", css })).toMatchObject({ to: 40, cut: undefined });
  expect((await fitTitle({ title: "月日は百代の過客にして、行かふ年", css })).to).toBeLessThan(40);
});

test.each(["vertical-rl", "vertical-lr"])(
  "in vertical writing, letters that lie on their side stay in the box: %s",
  async (mode) => {
    const css = `h1 { margin: 0 60px; width: 44px; height: 400px; writing-mode: ${mode}; font: 400 40px/1.1 sans-serif; }`;
    const latin = await fitTitle({ title: "Speaker", css });
    expect(latin).toMatchObject({ to: 40, cut: undefined });
    // The box of the font is wider.
    expect(latin.ink.right - latin.ink.left).toBeLessThan(44);
    const { to, ink, box, cut } = await fitTitle({ title: "བསྒྲུབས་བོད", css });
    expect({ cut, isSmaller: to < 40 }).toEqual({ cut: undefined, isSmaller: true });
    expect(ink.left).toBeGreaterThanOrEqual(box.left - 1);
    expect(ink.right).toBeLessThanOrEqual(box.right + 1);
  },
);

test.each(["مرحبا بالعالم ", "ที่นี่มีน้ำใจ", "नमस्ते दुनिया ", "안녕하세요 "])(
  "a very long text stays in its lines: %s",
  async (words) => {
    const { cut, text } = await fitTitle({ title: words.repeat(80) });
    expect(cut?.shown).toBeLessThan(cut?.of ?? 0);
    expect(text.endsWith("…")).toBe(true);
  },
);

describe("a text that was fitted before another one took its room", () => {
  // The note is one line until it is fitted. Then its long word is broken, so that it takes three lines from the title.
  const css = `body { display: flex; flex-direction: column; height: 186px; }
    h1 { width: 360px; overflow-wrap: normal; }
    #title { flex: 1; min-height: 0; font: 400 60px/1.1 "Noto Sans", sans-serif; }
    #note { flex: none; font: 400 40px/40px "Noto Sans", sans-serif; }`;
  const note = {
    text: "Donaudampfschifffahrtselektrizitätenhauptbetriebswerk",
    fit: { ...SHRINK, minSize: 30, maxLines: 3 },
  };

  test("is fitted once more", async () => {
    const title = { text: "Two lines of a title", fit: { ...SHRINK, maxLines: 9 } };
    const [alone] = await fitTexts({ title, note: { ...note, text: "Short" } }, css);
    const [pushed] = await fitTexts({ title, note }, css);
    expect(alone).toMatchObject({ from: 60, to: 60 });
    expect(pushed).toMatchObject({ from: 60 });
    expect(pushed?.to).toBeLessThan(60);
    expect(pushed?.overflow).toBeLessThanOrEqual(1);
  });

  test("is fitted once more, and the texts of its group with it", async () => {
    const fit = { ...SHRINK, maxLines: 9, group: "titles" };
    const texts = { title: { text: "Two lines of a title", fit }, note, twin: { text: "Twin", fit } };
    const twinCss = '#twin { position: absolute; margin: 0; font: 400 60px/1.1 "Noto Sans", sans-serif; }';
    const [title, , twin] = await fitTexts(texts, `${css} ${twinCss}`);
    expect(title?.to).toBeLessThan(60);
    expect(twin?.to).toBe(title?.to);
  });

  test("is made no smaller than half of the size that the style sheet gives it", async () => {
    const text = "A longer title that is made smaller even where nothing takes room from it";
    const title = { text, fit: { mode: "shrink", maxLines: 9 } };
    const [alone] = await fitTexts({ title, note: { ...note, text: "Short" } }, css);
    const [pushed] = await fitTexts({ title, note }, css);
    expect(alone).not.toHaveProperty("cut");
    expect(alone?.to).toBeLessThan(60);
    expect(pushed).toMatchObject({ from: 60, to: 30, cut: { of: text.length } });
    expect(pushed?.text).toMatch(/…$/);
  });
});

test("letters without case get all the room that they need among small capitals", async () => {
  const title = "لاہور میں غزل";
  const inkOf = async (caps: string) => {
    const { ink } = await fitTitle({ title, css: `${CSS} h1 { font-variant-caps: ${caps}; }` });
    return ink.bottom - ink.top;
  };
  expect(await inkOf("all-small-caps")).toBe(await inkOf("normal"));
});

test("the white space at a break takes no width where a line runs against the direction of its element", async () => {
  const css = `${CSS} h1 { direction: rtl; text-align: right; }`;
  const { html, lines } = await fitTitle({ title: "Deploys that wait for wind", css });
  expect(lines).toHaveLength(2);
  expect(html).toMatch(/\S\u200e <br>\u200e\S/);
});

test.each([
  ["after Arabic letters, from right to left", "فوز الأهلي على الزمالك 2-1 أمس", "rtl", /\S\u061c <br>\u061c2-1/],
  [
    "after Arabic letters, also in a text from left to right",
    "Al Ahly الأهلي على الزمالك 2-1",
    "ltr",
    /\u061c <br>\u061c2-1/,
  ],
  ["after Latin letters, from left to right", "فوز الأهلي على Manchester 2-1 أمس", "rtl", /\S\u200e <br>\u200e2-1/],
  ["after Hebrew letters, from left to right", "ניצחון של מכבי תל אביב 2-1 אתמול", "rtl", /\S <br>2-1/],
])("a number at the start of a line reads as within the line: %s", async (_, title, direction, wanted) => {
  const css = `${CSS} h1 { direction: ${direction}; }`;
  const words = title.split(" ");
  const before = words.slice(0, words.indexOf("2-1")).join("\u00a0");
  const { html } = await fitTitle({ title: `${before} ${words.slice(words.indexOf("2-1")).join("\u00a0")}`, css });
  expect(html).toMatch(wanted);
});

test("marks at a break are those for the direction of the text, whatever that of its element is", async () => {
  const title = "فوز\u00a0Manchester! Manchester\u00a0أمس";
  const ltr = await fitTitle({ title, css: `${CSS} h1 { direction: ltr; }` });
  expect(ltr.html).toMatch(/Manchester!\u200e <br>\u200eManchester/);
});

test.each(["2-1", "2026-10-25", "2–1", "COVID-19"])("lines do not end inside of %s", async (number) => {
  const words = "Rovers beat United after extra time".split(" ");
  const fit = { ...SHRINK, maxLines: 9 };
  for (const [index] of words.entries()) {
    const { html } = await fitTitle({ title: words.with(index, `${words[index]} ${number}`).join(" "), fit });
    expect(html).toContain(number);
  }
});

test("numbers that are joined by hyphens are divided at a hyphen where they are longer than their line", async () => {
  const { lines } = await fitTitle({ title: "2026-10-25-2026-11-25", fit: { mode: "clamp", maxLines: 3 } });
  expect(lines.length).toBeGreaterThan(1);
  for (const line of lines.slice(0, -1)) expect(line).toMatch(/\d-$/);
});

test("texts of a group have the size of the smallest one", async () => {
  const fit = { ...SHRINK, maxLines: 1, group: "points" };
  const texts = {
    first: { text: "Short", fit },
    second: { text: "A good many words in a line", fit },
    alone: { text: "Alone", fit: { ...SHRINK, maxLines: 1 } },
  };
  const [first, second, alone] = await fitTexts(texts, CSS);
  expect(second?.to).toBeLessThan(60);
  expect(first).toMatchObject({ to: second?.to, why: "neighbours" });
  expect(alone).toMatchObject({ to: 60 });
});
