import { copyFileSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { PROJECT_DIR } from "#lib/config.ts";
import { renderTemplate } from "#lib/render/render-template.ts";
import type { RenderRequest } from "#lib/schemas/render.ts";

const TEMPLATES_DIR = join(PROJECT_DIR, "scripts/pictures/templates");

/** The display font of Platen's pages. It is not among the font families of templates. */
const FONT = join(PROJECT_DIR, "node_modules/@fontsource-variable/newsreader/files/newsreader-latin-opsz-normal.woff2");

/** The renders of shipped templates that the preview shows, by the image field. */
const PRINTS: Record<string, RenderRequest> = {
  left: { template: "social/quote", variant: "book" },
  middle: { template: "social/story", variant: "fireworks" },
  right: { template: "blog/article", variant: "daylight" },
};

async function toDataUrl(request: RenderRequest): Promise<string> {
  const { png } = await renderTemplate(request);
  return `data:image/png;base64,${png.toString("base64")}`;
}

/** Draws the link preview of the front page from a template of its own and pictures of the shipped ones. */
export async function drawFrontPage(): Promise<void> {
  const data: Record<string, string> = {};
  for (const [field, request] of Object.entries(PRINTS)) data[field] = await toDataUrl(request);
  const dir = mkdtempSync(join(tmpdir(), "platen-front-page-"));
  try {
    cpSync(TEMPLATES_DIR, dir, { recursive: true });
    mkdirSync(join(dir, "front-page/assets"));
    copyFileSync(FONT, join(dir, "front-page/assets/newsreader.woff2"));
    process.env.SERVICE_TEMPLATES_DIR = dir;
    const { png } = await renderTemplate({ template: "front-page", data });
    const small = await sharp(png).png({ palette: true, quality: 95, effort: 10 }).toBuffer();
    writeFileSync(join(PROJECT_DIR, "public/front-page.png"), small);
  } finally {
    delete process.env.SERVICE_TEMPLATES_DIR;
    rmSync(dir, { recursive: true, force: true });
  }
}
