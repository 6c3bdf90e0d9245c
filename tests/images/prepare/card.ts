import sharp from "sharp";
import { expect } from "vitest";
import { renderPicture } from "#lib/render/render.ts";
import { compileRegistry } from "#lib/templates/build-registry.ts";
import { composeDocument } from "#lib/templates/compose.ts";
import { readFields } from "#lib/templates/field-values.ts";
import { toneImages } from "#lib/templates/images/tone-images.ts";
import { manifestWith, templatesRoot, writeTemplate } from "../../templates/template-folder.ts";
import { dataUrl } from "../files.ts";

/**
 * An image whose pixels tell where they are: red is the part of the width to their left, from 0 to 255, and green that of the
 * height above. Blue is 128.
 */
export async function mapOf(width: number, height: number): Promise<string> {
  const data = Buffer.alloc(width * height * 3, 128);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      data.set([Math.round((x / (width - 1)) * 255), Math.round((y / (height - 1)) * 255)], (y * width + x) * 3);
  const png = await sharp(data, { raw: { width, height, channels: 3 } })
    .png()
    .toBuffer();
  return dataUrl("png", png);
}

/** An image drawn as SVG. */
export async function drawn(width: number, height: number, inside: string, format: "png" | "jpeg" = "png") {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${inside}</svg>`;
  return dataUrl(format, await sharp(Buffer.from(svg)).toFormat(format).toBuffer());
}

type Card = {
  /** Keys of the declaration of `photo`. */
  declared?: Record<string, unknown>;
  /** Other fields. */
  fields?: Record<string, unknown>;
  data?: Record<string, unknown>;
  /** The values of the variant, which may name `assets/own.png` and `assets/own.svg`. */
  own?: Record<string, unknown>;
  assets?: Record<string, string>;
  html?: string;
  css?: string;
};

const HTML = '{% if photo %}<img data-image="photo" src="{{ photo }}" alt="">{% endif %}';

async function compile({ declared = {}, fields = {}, own = {}, assets = {}, html = HTML, css = "" }: Card) {
  const root = templatesRoot();
  writeTemplate(root, "card", {
    "template.json": manifestWith({ photo: { type: "image", label: "Photo", ...declared }, ...fields }),
    "content.json": JSON.stringify({ plain: own }),
    "template.html": html,
    "style.css": `img { width: 200px; height: 100px; } ${css}`,
    ...assets,
  });
  return await compileRegistry(root);
}

/** The faults of a template. */
export async function faultsOf(card: Card): Promise<string[]> {
  const { faults } = await compile(card);
  return faults.map(({ file, reason }) => `${file}: ${reason}`);
}

/** Draws a card of 400 × 200, whose `<img>` is 200 × 100 in its upper left corner. */
export async function drawCard(card: Card) {
  const { templates, faults } = await compile(card);
  expect(faults).toEqual([]);
  const [template] = templates;
  if (!template) throw new Error("The template did not compile.");
  const base = template.variants.plain?.values ?? {};
  const { data = {} } = card;
  const { values, issues } = await readFields({ declarations: template.fields, values: data, base, path: "/data" });
  expect(issues).toEqual([]);
  const { html, ...document } = composeDocument(template, await toneImages(template, values));
  const { png } = await renderPicture({ html, ...document });
  const pixels = await sharp(png).removeAlpha().raw().toBuffer();
  const at = (x: number, y: number) => [...pixels.subarray((y * 400 + x) * 3, (y * 400 + x) * 3 + 3)];
  /** The part of the map that the element shows, in percent. */
  const seen = () => {
    const percent = (value = 0) => Math.round((value / 255) * 100);
    const [left, top] = at(0, 0);
    const [right, bottom] = at(199, 99);
    return { x: [percent(left), percent(right)], y: [percent(top), percent(bottom)] };
  };
  return { html, values, at, seen };
}
