import sharp from "sharp";
import { afterAll, expect, test } from "vitest";
import { drawTemplate } from "#lib/render/draw-template.ts";
import { shutDown } from "#lib/render/render.ts";
import { shippedTemplate } from "../sums/shipped-template.ts";

afterAll(() => shutDown());

const SHAPES = ['<circle cx="100" cy="100" r="99"/>', '<path d="M100 1 199 199H1z"/>'];

/** A shape in one colour on nothing. */
async function drawn(shape: string, color: string): Promise<string> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="200" height="200" fill="${color}">${shape}</svg>`;
  const png = await sharp(Buffer.from(svg)).png().toBuffer();
  return `data:image/png;base64,${png.toString("base64")}`;
}

/** The greatest difference of a channel between two pictures of the same size, from 0 to 255. */
async function difference(one: Buffer, other: Buffer): Promise<number> {
  const { data, info } = await sharp(one)
    .composite([{ input: other, blend: "difference" }])
    .raw()
    .toBuffer({ resolveWithObject: true });
  // The alpha channel of both is full.
  return data.reduce((most, value, at) => (at % info.channels === 3 ? most : Math.max(most, value)), 0);
}

test.each([
  ["place/listing", "plan", "#000000", "paper"],
  ["dev/docs", "mark", "#000000", "paper"],
  ["sport/result", "homeCrest", "#000000", "homeColor"],
  ["commerce/receipt", "emblem", "#ffffff", "paper"],
  ["document/certificate", "seal", "#ffffff", undefined],
  ["document/invoice", "logo", "#ffffff", "paper"],
])("an image is seen on a ground of its colour: %s %s in %s", async (slug, image, color, ground) => {
  const template = await shippedTemplate(slug);
  const [circle, triangle] = await Promise.all(
    SHAPES.map(async (shape) => {
      const data = { [image]: await drawn(shape, color), ...(ground && { [ground]: color }) };
      return (await drawTemplate({ template, variant: template.defaultVariant, data }, { timings: {} })).png;
    }),
  );
  if (!circle || !triangle) return expect.fail();
  expect(await difference(circle, triangle)).toBeGreaterThan(100);
});
