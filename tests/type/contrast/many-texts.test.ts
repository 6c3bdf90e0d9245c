import { expect, test } from "vitest";
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
    const measured = { fits, codes: [], hidden: [], brokenImages: 0 } as unknown as Measurements;
    const laidOut = { template: { fields } as unknown as Template, base: {}, values, measured };
    expect([...layoutWarnings(laidOut), ...overlongTexts(laidOut)]).toEqual([]);
    return reads;
  };
  expect(readsOf(1_000)).toBe(100 * readsOf(10));
});
