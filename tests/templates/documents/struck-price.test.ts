import sharp, { type Region } from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { renderPicture, shutDown } from "#lib/render/render.ts";
import { composeDocument } from "#lib/templates/compose.ts";
import { readFields } from "#lib/templates/field-values.ts";
import { prepareMachine } from "../../render/rig.ts";
import { shippedTemplate } from "../sums/shipped-template.ts";

beforeAll(prepareMachine);
afterAll(shutDown);

/** The box of the price before, in whole pixels. */
const STRUCK_BOX = `(() => {
  const { left, top, width, height } = document.querySelector(".before s").getBoundingClientRect();
  return { left: Math.floor(left), top: Math.floor(top), width: Math.ceil(width), height: Math.ceil(height) };
})()`;

/** The price before of a product, cut out of its picture: black ink on white. */
async function drawStruckPrice(language: string, amount: number, currency: string) {
  const template = await shippedTemplate("commerce/product");
  const base = template.variants.kettle?.values ?? {};
  const data = {
    ...{ layout: "disc", paper: "#ffffff", accent: "#ffffff", picture: null, language },
    ...{ price: { amount: 80, currency }, oldPrice: { amount, currency } },
  };
  const { values } = await readFields({ declarations: template.fields, values: data, base, path: "/data" });
  const { html } = composeDocument(template, values);
  const { width, height } = template;
  const { png, measured } = await renderPicture({ html, width, height, measure: STRUCK_BOX });
  const cut = sharp(png).extract(measured as Region);
  return cut.greyscale().threshold(128).raw().toBuffer({ resolveWithObject: true });
}

/** Counts the areas of connected ink. */
function countInk({ data, info }: Awaited<ReturnType<typeof drawStruckPrice>>): number {
  const isInk = (at: number) => data[at * info.channels] === 0;
  let count = 0;
  for (let start = 0; start < info.width * info.height; start++) {
    if (!isInk(start)) continue;
    count++;
    const open = [start];
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      if (!isInk(at)) continue;
      data[at * info.channels] = 255;
      const column = at % info.width;
      open.push(at - info.width, at + info.width);
      if (column > 0) open.push(at - 1);
      if (column < info.width - 1) open.push(at + 1);
    }
  }
  return count;
}

test.each(
  ["fa", "ps", "ar-EG", "ckb"].flatMap((language) => ["USD", "EGP"].map((currency) => [language, currency] as const)),
)("in %s, the line through a price in %s does not hide its zeros", async (language, currency) => {
  const inkOf = async (amount: number) => countInk(await drawStruckPrice(language, amount, currency));
  const [ones, zeros] = [await inkOf(111), await inkOf(100)];
  // The line joins all digits but the zeros.
  expect(zeros - ones).toBe(2);
});
