import sharp from "sharp";
import { afterAll, expect, test } from "vitest";
import { drawTemplate } from "#lib/render/draw-template.ts";
import { shutDown } from "#lib/render/render.ts";
import { shippedTemplate } from "../sums/shipped-template.ts";

afterAll(shutDown);

async function pixelsOf(text: string) {
  const template = await shippedTemplate("dev/code");
  const data = { snippet: { text, language: "python" }, title: "Two strings" };
  const { png } = await drawTemplate({ template, variant: "kata", data }, { timings: {} });
  return await sharp(png).greyscale().raw().toBuffer({ resolveWithObject: true });
}

/** The leftmost column in which two pictures differ. */
async function firstDifference(one: string, other: string): Promise<number> {
  const [{ data, info }, { data: second }] = await Promise.all([pixelsOf(one), pixelsOf(other)]);
  const columns = Array.from(data.keys(), (at) => (data[at] === second[at] ? info.width : at % info.width));
  return columns.reduce((least, column) => Math.min(least, column), info.width);
}

test("strings from right to left keep their order in a line of code", async () => {
  const first = await firstDifference('f("א", "ב")', 'f("ש", "ב")');
  const second = await firstDifference('f("א", "ב")', 'f("א", "ש")');
  expect(first).toBeLessThan(second);
});
