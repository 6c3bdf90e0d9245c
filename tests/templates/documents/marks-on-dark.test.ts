import sharp from "sharp";
import { afterAll, expect, test } from "vitest";
import { drawTemplate } from "#lib/render/draw-template.ts";
import { shutDown } from "#lib/render/render.ts";
import { shippedTemplate } from "../sums/shipped-template.ts";

afterAll(() => shutDown());

/** A shape in black on nothing. */
async function black(shape: string): Promise<string> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="200" height="200">${shape}</svg>`;
  const png = await sharp(Buffer.from(svg)).png().toBuffer();
  return `data:image/png;base64,${png.toString("base64")}`;
}

test.each([
  ["place/listing", "plan", "paper"],
  ["dev/docs", "mark", "paper"],
  ["sport/result", "homeCrest", "homeColor"],
])("a black image is seen on black: %s", async (slug, image, ground) => {
  const template = await shippedTemplate(slug);
  const shapes = ['<circle cx="100" cy="100" r="99"/>', '<path d="M100 1 199 199H1z"/>'];
  const [circle, triangle] = await Promise.all(
    shapes.map(async (shape) => {
      const data = { [image]: await black(shape), [ground]: "#000000" };
      return await drawTemplate({ template, variant: template.defaultVariant, data }, { timings: {} });
    }),
  );
  if (!circle || !triangle) return expect.fail();
  expect(circle.png.equals(triangle.png)).toBe(false);
});
