import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { Page } from "@playwright/test";
import { THUMBNAIL_WIDTHS } from "#lib/schemas/thumbnail.ts";
import { expect, test } from "./fixtures.ts";

const THUMBNAILS = "**/api/service/thumbnails/**";

/** Long after the page's scripts have begun. */
const DELAY_MS = 2_500;

/** Counts how often each thumbnail is asked for, and answers none of them sooner than `delayMs`. */
async function countAsked(page: Page, delayMs = 0): Promise<Map<string, number>> {
  const asked = new Map<string, number>();
  await page.route(THUMBNAILS, async (route) => {
    const url = route.request().url();
    asked.set(url, (asked.get(url) ?? 0) + 1);
    await sleep(delayMs);
    await route.continue();
  });
  return asked;
}

test("nothing makes pictures of what others name: Next's own optimizer is not there", async ({ open }) => {
  let count = 0;
  const elsewhere = createServer((_request, response) => {
    count += 1;
    response.end();
  });
  await new Promise<void>((resolve) => elsewhere.listen(0, "127.0.0.1", resolve));
  const { port } = elsewhere.address() as AddressInfo;
  try {
    for (const url of [
      "/api/service/thumbnails/social/quote",
      `http://127.0.0.1:${port}/x.png`,
      "//evil.example/x.png",
    ]) {
      for (const width of [...THUMBNAIL_WIDTHS, 64]) {
        const query = new URLSearchParams({ url, w: String(width), q: "75" });
        for (const path of ["/_next/image", "/_next/image/"]) {
          expect((await open.client.ask("GET", `${path}?${query}`)).status, `${path}?${query}`).toBe(404);
        }
      }
    }
  } finally {
    elsewhere.close();
  }
  expect(count).toBe(0);
});

test("a thumbnail is as wide as its place needs, and asked for once", async ({ page }) => {
  const asked = await countAsked(page);
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto("/", { waitUntil: "networkidle" });
  const example = await page
    .getByRole("figure")
    .locator("img")
    .evaluate((image: HTMLImageElement) => image.currentSrc);
  const pictures = page.getByRole("main").getByRole("listitem").locator("[data-state=there] img");
  const sizes = await pictures.evaluateAll((images) =>
    (images as HTMLImageElement[]).map(({ currentSrc, width }) => ({ currentSrc, width })),
  );
  expect(sizes.length).toBeGreaterThan(2);
  // A browser does not ask for less of a picture that it has.
  for (const { currentSrc, width } of sizes.filter((one) => one.currentSrc !== example)) {
    const enough = THUMBNAIL_WIDTHS.find((one) => one >= width);
    expect([currentSrc, new URL(currentSrc).searchParams.get("width")]).toEqual([currentSrc, String(enough)]);
  }
  expect([...asked].filter(([, times]) => times > 1)).toEqual([]);
});

for (const path of ["/", "/templates/social/quote"]) {
  test(`a thumbnail of ${path} that is still coming when the page comes alive is not asked for again`, async ({
    page,
  }) => {
    const asked = await countAsked(page, DELAY_MS);
    await page.goto(path, { waitUntil: "networkidle" });
    expect(asked.size).toBeGreaterThan(0);
    expect([...asked].filter(([, times]) => times > 1)).toEqual([]);
  });
}

test.describe("without scripts", () => {
  test.use({ javaScriptEnabled: false, tolerated: [/net::ERR_FAILED/] });

  test("what a picture shows is read where it does not come", async ({ page }) => {
    await page.route(THUMBNAILS, (route) => route.abort());
    for (const path of ["/docs", "/templates/social/quote"]) {
      await page.goto(path);
      const picture = page.getByRole("main").getByRole("img").and(page.locator("img[alt]:not([alt=''])")).first();
      const [own, around] = await picture.evaluate((image) => [
        getComputedStyle(image).color,
        getComputedStyle(image.parentElement ?? image).color,
      ]);
      expect([path, own]).toEqual([path, around]);
    }
  });
});
