import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Locator, Page } from "@playwright/test";
import sharp from "sharp";
import { test as base, expect } from "./fixtures.ts";

export { expect };

export const QUOTE = "/templates/social/quote";

/** Opens the page, and waits until the browser runs it: what is filled in while it starts to is not taken as a reader's typing is. */
export async function openQuote(page: Page): Promise<void> {
  await page.goto(QUOTE);
  await expect(page.getByText(/^1080 × 1080 · \d+ kB · /)).toBeVisible();
}

/** `test` of the page of a template, whose pictures can be read byte for byte. */
export const test = base.extend<{ blobs: undefined }>({
  blobs: [
    async ({ context }, use) => {
      await context.addInitScript(() => {
        const blobs = new Map<string, Blob>();
        Object.assign(window, { blobs });
        const create = URL.createObjectURL.bind(URL);
        URL.createObjectURL = (blob: Blob) => {
          const url = create(blob);
          blobs.set(url, blob);
          return url;
        };
      });
      await use(undefined);
    },
    { auto: true },
  ],
});

/** A field of the form by its label. */
export const field = (page: Page, name: string) => page.getByRole("textbox", { name, exact: true });

/** The page's picture once it is the engine's own and shows what the form says. */
export async function picture(page: Page): Promise<Locator> {
  const frame = page.locator(".picture-frame > [aria-busy]");
  await expect(frame).toHaveAttribute("aria-busy", "false");
  const image = frame.getByRole("img");
  await expect(image).toHaveAttribute("src", /^blob:/);
  return image;
}

/** What the picture's object URL stands for, which the page's policy lets nobody fetch. */
export async function pngOf(page: Page): Promise<Buffer> {
  const src = (await (await picture(page)).getAttribute("src")) as string;
  const content = await page.evaluate(async (url) => {
    const blob = (window as unknown as { blobs: Map<string, Blob> }).blobs.get(url) as Blob;
    return Array.from(new Uint8Array(await blob.arrayBuffer()));
  }, src);
  return Buffer.from(content);
}

/** What the API answers to the same request. */
export async function rendered(origin: string, body: object, headers: Record<string, string> = {}): Promise<Buffer> {
  const response = await fetch(`${origin}/api/service/images/render`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
  expect(response.status).toBe(200);
  return Buffer.from(await response.arrayBuffer());
}

/** A picture to choose, with a name that shells and languages read things into. */
export async function imageFile(dir: string): Promise<string> {
  const file = join(dir, "it's $my #photo.png");
  writeFileSync(
    file,
    await sharp({ create: { width: 80, height: 100, channels: 3, background: "#0a7" } })
      .png()
      .toBuffer(),
  );
  return file;
}
