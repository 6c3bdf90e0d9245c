import { expect, test } from "vitest";
import type { Pixels } from "#lib/images/decode-pixels.ts";
import type { Template } from "#lib/templates/template.ts";
import { layoutWarnings, overlongTexts } from "#lib/templates/warnings.ts";
import { judgeContrast, recolorUnclear } from "#lib/type/contrast/low-contrast.ts";
import { tallyPixels, thinningOf } from "#lib/type/contrast/pixel-contrast.ts";
import type { TextRun } from "#lib/type/contrast/text-run.ts";
import type { Measurements } from "#lib/type/fit/measurements.ts";

const SIDE = 400;

/** Texts that fill the picture, whose own colour is unknown. */
function textsAtOnePlace(count: number): TextRun[] {
  return Array.from({ length: count }, (_, id) => ({
    id,
    field: "",
    text: `text ${id}`,
    color: "rgb(0, 0, 0)",
    opacity: 1,
    fontSize: 20,
    isBold: false,
    rects: [[0, 0, SIDE, SIDE]],
    layers: [],
    isMixed: true,
  }));
}

/** A white picture and one with black bars, as if they were letters: in the middle of each of its lines. */
function barsInLines(lineHeight: number) {
  const [without, withBars] = [Buffer.alloc(SIDE * SIDE * 3, 255), Buffer.alloc(SIDE * SIDE * 3, 255)];
  for (let y = 0; y < SIDE; y++) {
    const row = y % lineHeight;
    if (row < lineHeight / 4 || row > (3 * lineHeight) / 4) continue;
    for (let x = 0; x < SIDE; x += 4) withBars.fill(0, (y * SIDE + x) * 3, (y * SIDE + x + 2) * 3);
  }
  const [drawn, other] = [withBars, without].map((data) => ({ data, width: SIDE, height: SIDE }));
  return { drawn, other } as Record<"drawn" | "other", Pixels>;
}

const flat = (value: number) => ({ data: Buffer.alloc(SIDE * SIDE * 3, value), width: SIDE, height: SIDE });

/** How many pixels of these texts are looked at. Each of them has ink. */
function pixelsOf(runs: TextRun[]): number {
  const pictures = { drawn: flat(0), other: flat(255), thinning: thinningOf(runs) };
  return runs.reduce((sum, run) => sum + tallyPixels(run, pictures).ink, 0);
}

test("the more texts are at one place, the fewer pixels of each are looked at", () => {
  const few = pixelsOf(textsAtOnePlace(10));
  expect(few).toBe(10 * pixelsOf(textsAtOnePlace(1)));
  expect(pixelsOf(textsAtOnePlace(200))).toBeLessThanOrEqual(5 * few);
});

test.each([
  [true, 1],
  [true, 20],
  [false, 1],
  [false, 20],
])("letters are found however few rows are looked at (unknown colour %s, %i lines)", (isMixed, lines) => {
  const pictures = barsInLines(20);
  const [text] = textsAtOnePlace(1) as [TextRun];
  const rects: TextRun["rects"] = Array.from({ length: lines }, (_, line) => [0, line * 20, SIDE, 20]);
  for (let thinning = 1; thinning < 1_000; thinning++) {
    const { ink, failing } = tallyPixels({ ...text, isMixed, rects }, { ...pictures, thinning });
    expect([ink > 0, failing], `thinned by ${thinning}`).toEqual([true, 0]);
  }
});

test("while texts are judged that take long, everything else gets turns", async () => {
  const texts = textsAtOnePlace(20).map((run) => ({
    ...run,
    get text() {
      const until = performance.now() + 12;
      while (performance.now() < until);
      return "text";
    },
  }));
  let turns = 0;
  const counted = setInterval(() => turns++, 0);
  await recolorUnclear(texts);
  expect(turns).toBeGreaterThan(10);
  turns = 0;
  await judgeContrast(texts, { png: Buffer.of() });
  clearInterval(counted);
  expect(turns).toBeGreaterThan(10);
});

test("each of thousands of fitted texts is read as often as one of a few", () => {
  const readsOf = (count: number) => {
    let reads = 0;
    const fields = Object.fromEntries(
      Array.from({ length: count }, (_, at) => [`f${at}`, { type: "text", label: "", required: false }]),
    );
    const fits = Object.keys(fields).map((name) => ({
      from: 20,
      to: 20,
      get field() {
        reads++;
        return name;
      },
    }));
    const values = Object.fromEntries(Object.keys(fields).map((name) => [name, "a"]));
    const measured = { fits, codes: [], hidden: [], brokenImages: 0, brokenFonts: [] } as unknown as Measurements;
    const laidOut = { template: { fields } as unknown as Template, base: {}, values, measured };
    expect([...layoutWarnings(laidOut), ...overlongTexts(laidOut)]).toEqual([]);
    return reads;
  };
  expect(readsOf(1_000)).toBe(100 * readsOf(10));
});

test("of several elements that show one text, the warning is about the one that shows the least of it", () => {
  const fits = [8, 3, 5].map((shown) => ({ field: "title", from: 20, to: 20, cut: { shown, of: 10 } }));
  const fields = { title: { type: "text", label: "", required: false } };
  const measured = { fits, codes: [], hidden: [], brokenImages: 0, brokenFonts: [] } as unknown as Measurements;
  const laidOut = { template: { fields } as unknown as Template, base: {}, values: { title: "a" }, measured };
  expect(layoutWarnings(laidOut)).toMatchObject([{ message: expect.stringContaining("3 of 10") }]);
  expect(overlongTexts(laidOut)).toMatchObject([{ message: expect.stringContaining("3 of 10") }]);
});
