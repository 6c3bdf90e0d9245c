import sharp from "sharp";
import { afterAll, expect, it, test } from "vitest";
import { missingGlyphs } from "#lib/fonts/coverage.ts";
import { fontStack } from "#lib/fonts/generic-families.ts";
import { SAMPLES, SCRIPTS, type Script } from "#lib/fonts/scripts.ts";
import { renderPicture, shutDown } from "#lib/render/render.ts";

afterAll(() => shutDown());

const ROW = { width: 600, height: 80 };

async function drawSamples(scripts: Script[], family: "sans-serif" | "serif"): Promise<Buffer[]> {
  const style = `body{margin:0}p{margin:0;height:${ROW.height}px;overflow:hidden;font:32px/80px ${fontStack(family)}}`;
  const rows = scripts.map(({ language, sample }) => `<p lang="${language}">${sample}</p>`).join("");
  const html = `<!doctype html><meta charset="utf-8"><style>${style}</style>${rows}`;
  const { png } = await renderPicture({ html, width: ROW.width, height: scripts.length * ROW.height });
  const row = (_: Script, index: number) =>
    sharp(png)
      .extract({ left: 0, top: index * ROW.height, ...ROW })
      .raw()
      .toBuffer();
  return Promise.all(scripts.map(row));
}

it("lists at least 50 scripts", () => {
  expect(SCRIPTS.length).toBeGreaterThanOrEqual(50);
});

test.each(SAMPLES)("the bundled fonts have the words for $name", ({ sample }) => {
  expect(missingGlyphs(sample)).toEqual([]);
});

it("draws a script with serifs in a serif design wherever a bundled family has them", async () => {
  const scripts = SCRIPTS.filter(({ sans, serif }) => sans !== serif);
  const [sans, serif] = [await drawSamples(scripts, "sans-serif"), await drawSamples(scripts, "serif")];
  const alike = scripts.filter((_, index) => sans[index]?.equals(serif[index] ?? Buffer.alloc(0)));
  expect(alike.map(({ name }) => name)).toEqual([]);
  expect(scripts.length).toBeGreaterThanOrEqual(20);
});
