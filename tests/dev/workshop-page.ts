import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Locator, Page } from "@playwright/test";
import sharp from "sharp";
import { expect, hydrated } from "#tests/e2e/pages/fixtures/fixtures.ts";
import { pngOf, test as withPictures } from "#tests/e2e/pages/fixtures/template-page.ts";
import { type DevServer, startDevServer } from "./dev-server.ts";

export { expect };

const COPIED = "templates/social/quote";

/** A template of the test's own. */
export class OwnTemplate {
  readonly slug: string;
  readonly folder: string;

  constructor(slug: string, folder: string) {
    this.slug = slug;
    this.folder = folder;
  }

  read(name: string): string {
    return readFileSync(join(this.folder, name), "utf8");
  }

  /** Changes a file as another program does. */
  write(name: string, text: string): void {
    writeFileSync(join(this.folder, name), text);
  }
}

type Served = DevServer & { templates: string };

/** Next compiles its configuration first. */
const START_TIMEOUT_MS = 240_000;

let copies = 0;

/** `test` with a development server, and a copy of a shipped template for each test. */
export const test = withPictures.extend<{ template: OwnTemplate }, { dev: Served }>({
  dev: [
    async ({ browserName }, use) => {
      const dir = mkdtempSync(join(tmpdir(), `platen-dev-${browserName}-`));
      const templates = join(dir, "templates");
      cpSync(COPIED, join(templates, "demo", "first"), { recursive: true });
      const server = await startDevServer({
        SERVICE_AUTH_ENABLED: "false",
        SERVICE_TEMPLATES_DIR: templates,
      });
      await use({ ...server, templates });
      await server.stop();
      rmSync(dir, { recursive: true, force: true });
    },
    { scope: "worker", timeout: START_TIMEOUT_MS },
  ],
  baseURL: async ({ dev }, use) => use(dev.origin),
  template: async ({ dev }, use) => {
    copies += 1;
    const slug = `demo/copy-${copies}`;
    const folder = join(dev.templates, slug);
    cpSync(COPIED, folder, { recursive: true });
    await use(new OwnTemplate(slug, folder));
    rmSync(folder, { recursive: true });
  },
});

/** Opens the workshop of a template, and waits for its picture. */
export async function openWorkshop(page: Page, { slug }: OwnTemplate): Promise<void> {
  await page.goto(`/workshop/${slug}`);
  await hydrated(page);
  await pngOf(page);
}

/** The editor of a file. */
export const editorOf = (page: Page, name: string): Locator => page.getByRole("textbox", { name, exact: true });

/** Opens the tab of a file, and types at the end of its text. */
export async function typeAtEnd(page: Page, name: string, text: string): Promise<void> {
  await page.getByRole("tab", { name }).click();
  await editorOf(page, name).focus();
  await page.keyboard.press("Control+End");
  await page.keyboard.insertText(text);
}

/** Expects what the end of a file has. An editor shows only the lines in its view. */
export async function expectAtEnd(page: Page, name: string, text: string): Promise<void> {
  await expect(async () => {
    await editorOf(page, name).focus();
    await page.keyboard.press("Control+End");
    await expect(editorOf(page, name)).toContainText(text, { timeout: 2_000 });
  }).toPass();
}

/** A style that paints the whole picture. */
export const paint = (color: string) => `\n.page { background: ${color} !important; }\n.page * { opacity: 0; }\n`;

/** The colour in the middle of the picture that the page shows, such as `#00ff00`. */
export async function shownColor(page: Page): Promise<string> {
  const { data, info } = await sharp(await pngOf(page))
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const at = ((info.height >> 1) * info.width + (info.width >> 1)) * info.channels;
  return `#${data.subarray(at, at + 3).toString("hex")}`;
}
