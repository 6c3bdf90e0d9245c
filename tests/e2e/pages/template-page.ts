import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Locator, Page } from "@playwright/test";
import sharp from "sharp";
import { test as base, expect } from "./fixtures.ts";

export { expect };

export const QUOTE = "/templates/social/quote";

/** `test` for the page of a template, with access to the bytes of its pictures. */
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

/** A text field of the form, by its label. */
export const field = (page: Page, name: string) => page.getByRole("textbox", { name, exact: true });

/** The rendered picture, once it shows the current values of the form. */
export async function picture(page: Page): Promise<Locator> {
  const frame = page.locator(".picture-frame > [aria-busy]");
  await expect(frame).toHaveAttribute("aria-busy", "false");
  const image = frame.getByRole("img");
  await expect(image).toHaveAttribute("src", /^blob:/);
  return image;
}

/** The bytes behind the object URL of the picture. The policy of the page does not allow fetching it. */
export async function pngOf(page: Page): Promise<Buffer> {
  const src = (await (await picture(page)).getAttribute("src")) as string;
  const content = await page.evaluate(async (url) => {
    const blob = (window as unknown as { blobs: Map<string, Blob> }).blobs.get(url) as Blob;
    return Array.from(new Uint8Array(await blob.arrayBuffer()));
  }, src);
  return Buffer.from(content);
}

/** The picture that the API renders for a request. */
export async function rendered(origin: string, body: object, headers: Record<string, string> = {}): Promise<Buffer> {
  const response = await fetch(`${origin}/api/service/images/render`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
  expect(response.status).toBe(200);
  return Buffer.from(await response.arrayBuffer());
}

/** Writes an image file whose name has characters that shells and languages interpret. */
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
