import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PROJECT_DIR } from "#lib/config.ts";
import { shutDown } from "#lib/render/render.ts";
import { renderTemplate } from "#lib/render/render-template.ts";
import type { RenderRequest } from "#lib/schemas/render.ts";
import { drawContactSheet } from "./pictures/contact-sheet.ts";
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

await drawIcons();
await prepareRendering();
try {
  await drawFrontPage();
  await drawFieldPictures();
  await drawPortedCards();
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(join(FOLDER, "quote.png"), (await renderTemplate(QUOTE)).png);
  writeFileSync(join(FOLDER, "templates.png"), await drawContactSheet());
  writeFileSync(join(FOLDER, "scripts.png"), await drawScriptSheet());
} finally {
  await shutDown();
}
const { gallery, template } = await takeScreenshots(QUOTE);
writeFileSync(join(FOLDER, "gallery.png"), gallery);
writeFileSync(join(FOLDER, "template.png"), template);
