import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { PROJECT_DIR } from "#lib/config.ts";
import { renderTemplate } from "#lib/render/render-template.ts";
import { readPortedCards, runNextOg, writePortedCards } from "./ported-cards.ts";
import { startBrowser } from "./screenshots.ts";

const FOLDER = join(PROJECT_DIR, "docs/pictures/porting");

/** What the script of the HTML card fills in. */
const FILLED: Record<string, string> = {
  title: "Brass in the shipyard",
  place: "Slipway 4, Ostvik",
  date: "20 June 2026",
  time: "19:30",
  price: "18",
};

async function photograph(html: string): Promise<Buffer> {
  const browser = await startBrowser();
  try {
    const page = await browser.newPage({ viewport: { width: 1200, height: 630 } });
    await page.setContent(html.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => FILLED[name] ?? ""));
    return await page.screenshot();
  } finally {
    await browser.close();
  }
}

async function write(name: string, png: Buffer): Promise<void> {
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(join(FOLDER, `${name}.png`), await sharp(png).png({ palette: true, effort: 10 }).toBuffer());
}

/** Draws the pictures of `docs/porting.md`. */
export async function drawPortedCards(): Promise<void> {
  const { nextOg, html, ported } = readPortedCards();
  await write("og-before", await runNextOg(nextOg));
  await write("html-before", await photograph(html));
  const dir = mkdtempSync(join(tmpdir(), "platen-ported-"));
  try {
    writePortedCards(dir);
    process.env.SERVICE_TEMPLATES_DIR = dir;
    for (const { name } of ported) await write(`${name}-after`, (await renderTemplate({ template: name })).png);
  } finally {
    delete process.env.SERVICE_TEMPLATES_DIR;
    rmSync(dir, { recursive: true, force: true });
  }
}
