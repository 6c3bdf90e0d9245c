import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import sharp, { type OverlayOptions } from "sharp";
import { PROJECT_DIR } from "#lib/config.ts";
import { shutDown } from "#lib/render/render.ts";
import { renderTemplate } from "#lib/render/render-template.ts";
import type { RenderRequest } from "#lib/schemas/render.ts";
import { drawFieldPictures } from "./pictures/field-pictures.ts";
import { drawFrontPage } from "./pictures/front-page.ts";
import { drawIcons } from "./pictures/icons.ts";
import { drawPortedCards } from "./pictures/ported-pictures.ts";
import { takeScreenshots } from "./pictures/screenshots.ts";
import { drawScriptSheet } from "./pictures/script-sheet.ts";
import { prepareRendering } from "./prepare.ts";

/**
 * Draws every generated picture of the repository: the icons and the link preview in `public/`, and those of the README in
 * `docs/pictures/` (the answer to its `curl`, sheets of the shipped templates and of the scripts, and two pages) and of the other documents.
 */

const FOLDER = join(PROJECT_DIR, "docs/pictures");

/** Exactly what the README sends. */
const QUOTE: RenderRequest = {
  template: "social/quote",
  data: {
    quote: "Perfection is reached not when there is nothing left to add, but when there is nothing left to take away.",
    highlight: "nothing left to take away.",
    author: "Antoine de Saint-Exupéry",
    role: "Pilot and writer, 1900–1944",
    source: "Terre des hommes, 1939",
  },
};

const GAP_PX = 24;
const ROW_PX = 420;

/** The rows of the sheet, from left to right. */
const SHEET: RenderRequest[][] = [
  [
    { template: "social/quote", variant: "poster" },
    { template: "blog/article", variant: "harbour" },
    { template: "social/story", variant: "fireworks" },
    { template: "social/quote", variant: "verse" },
  ],
  [
    { template: "document/certificate", variant: "press" },
    { template: "event/ticket", variant: "club" },
    { template: "product/launch", variant: "turnover" },
  ],
];

async function drawRow(requests: RenderRequest[], width?: number): Promise<{ row: Buffer; width: number }> {
  const overlays: OverlayOptions[] = [];
  let left = 0;
  for (const request of requests) {
    const { png } = await renderTemplate(request);
    const { data, info } = await sharp(png).resize({ height: ROW_PX }).png().toBuffer({ resolveWithObject: true });
    overlays.push({ input: data, left, top: 0 });
    left += info.width + GAP_PX;
  }
  const full = left - GAP_PX;
  const create = { width: full, height: ROW_PX, channels: 4 as const, background: "#0000" };
  const row = await sharp({ create }).composite(overlays).png().toBuffer();
  return { row: width ? await sharp(row).resize({ width }).png().toBuffer() : row, width: width ?? full };
}

async function drawSheet(): Promise<Buffer> {
  const [first = [], ...rest] = SHEET;
  const { row, width } = await drawRow(first);
  const rows = [row];
  for (const requests of rest) rows.push((await drawRow(requests, width)).row);
  const overlays: OverlayOptions[] = [];
  let top = 0;
  for (const input of rows) {
    overlays.push({ input, left: 0, top });
    top += ((await sharp(input).metadata()).height ?? 0) + GAP_PX;
  }
  const create = { width, height: top - GAP_PX, channels: 4 as const, background: "#0000" };
  return await sharp({ create }).composite(overlays).png({ palette: true, effort: 10 }).toBuffer();
}

await drawIcons();
await prepareRendering();
try {
  await drawFrontPage();
  await drawFieldPictures();
  await drawPortedCards();
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(join(FOLDER, "quote.png"), (await renderTemplate(QUOTE)).png);
  writeFileSync(join(FOLDER, "templates.png"), await drawSheet());
  writeFileSync(join(FOLDER, "scripts.png"), await drawScriptSheet());
} finally {
  await shutDown();
}
const { gallery, template } = await takeScreenshots(QUOTE);
writeFileSync(join(FOLDER, "gallery.png"), gallery);
writeFileSync(join(FOLDER, "template.png"), template);
