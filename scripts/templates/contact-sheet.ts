import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { renderPicture } from "#lib/render/render.ts";
import { sharp } from "#lib/sharp.ts";

/** Pixels of a picture on the sheet. A tall one is as high as `HEIGHT_MAX`. */
const WIDTH = 400;
const HEIGHT_MAX = 520;

const COLUMNS = 5;
const GAP = 24;
const CAPTION = 44;

/** Chromium's largest picture is a little higher. */
const SHEET_HEIGHT_MAX = 16_000;

const STYLE = `body{margin:0;padding:${GAP}px;background:#eceae6;color:#1b1916;font:15px/1.3 "Inter",sans-serif}
div{display:grid;gap:${GAP}px}
figure{margin:0;display:flex;flex-direction:column;justify-content:end}
img{max-width:100%;align-self:center;box-shadow:0 1px 6px #0003}
figcaption{height:${CAPTION}px;padding-top:8px;overflow-wrap:anywhere}b{font-weight:600}`;

type Small = { slug: string; variant: string; source: string; height: number };

/** A folder with the picture of every variant, and a sheet of all of them. */
export class ContactSheet {
  readonly #dir: string;
  readonly #pictures: Small[] = [];

  constructor(dir: string) {
    this.#dir = dir;
    mkdirSync(dir, { recursive: true });
  }

  /** Writes a picture as `<template>-<variant>.png`. */
  async add(picture: { slug: string; variant: string; png: Buffer }): Promise<void> {
    const { slug, variant, png } = picture;
    writeFileSync(join(this.#dir, `${slug.replaceAll("/", "-")}-${variant}.png`), png);
    const small = sharp(png).resize({ width: WIDTH, height: HEIGHT_MAX, fit: "inside" }).webp({ quality: 90 });
    const { data, info } = await small.toBuffer({ resolveWithObject: true });
    const source = `data:image/webp;base64,${data.toString("base64")}`;
    this.#pictures.push({ slug, variant, source, height: info.height });
  }

  /** Draws the sheet, `contact-sheet.png`. @returns its path, or undefined without pictures */
  async finish(): Promise<string | undefined> {
    if (this.#pictures.length === 0) return undefined;
    const columns = Math.min(COLUMNS, this.#pictures.length);
    const rows = Array.from({ length: Math.ceil(this.#pictures.length / columns) }, (_, row) =>
      this.#pictures.slice(row * columns, (row + 1) * columns),
    );
    const heights = rows.map((row) => Math.max(...row.map(({ height }) => height)) + CAPTION);
    const height = GAP + heights.reduce((sum, one) => sum + one + GAP, 0);
    const figures = this.#pictures.map(
      // Slugs and names of variants are lower-case words, which need no escaping.
      ({ slug, variant, source }) =>
        `<figure><img src="${source}" alt=""><figcaption><b>${slug}</b> ${variant}</figcaption></figure>`,
    );
    const html = `<!doctype html><html lang="en"><meta charset="utf-8"><style>${STYLE}</style><div style="grid-template-columns:repeat(${columns},${WIDTH}px)">${figures.join("")}</div></html>`;
    const width = columns * WIDTH + (columns + 1) * GAP;
    const { png } = await renderPicture({ html, width, height: Math.min(height, SHEET_HEIGHT_MAX) });
    const file = join(this.#dir, "contact-sheet.png");
    writeFileSync(file, png);
    return file;
  }
}
