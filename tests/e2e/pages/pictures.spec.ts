import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "@playwright/test";
import { THUMBNAIL_WIDTHS } from "#lib/schemas/thumbnail.ts";
import { expect, hydrated, test } from "./fixtures/fixtures.ts";

const THUMBNAILS = "**/api/service/thumbnails/**";

/** Counts how often each thumbnail is requested, and answers none of them before `released`. */
async function countRequests(page: Page, released: Promise<void> = Promise.resolve()): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  await page.route(THUMBNAILS, async (route) => {
    const url = route.request().url();
    counts.set(url, (counts.get(url) ?? 0) + 1);
    await released;
    await route.fallback().catch(() => undefined);
  });
  return counts;
}

/** Waits until the pictures of the window have loaded. */
async function pictures(page: Page): Promise<void> {
  await expect
    .poll(() =>
      page.evaluate(() =>
        [...document.images]
          .filter((image) => image.loading !== "lazy" || image.getBoundingClientRect().top < window.innerHeight)
          .every((image) => image.complete),
      ),
    )
    .toBe(true);
}

test("the image optimizer of Next does not exist, so it cannot be used to fetch other addresses", async ({ open }) => {
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

test("a thumbnail is requested once, in the width that its place needs", async ({ page }) => {
  const counts = await countRequests(page);
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto("/");
  await hydrated(page);
  const loaded = page.getByRole("main").getByRole("listitem").locator("[data-state=loaded] img");
  await loaded.first().scrollIntoViewIfNeeded();
  await expect.poll(() => loaded.count()).toBeGreaterThan(2);
  const example = await page
    .getByRole("figure")
    .locator("img")
    .evaluate((image: HTMLImageElement) => image.currentSrc);
  const sizes = await loaded.evaluateAll((images) =>
    (images as HTMLImageElement[]).map(({ currentSrc, width }) => ({ currentSrc, width })),
  );
  expect(sizes.length).toBeGreaterThan(2);
  // A browser does not request a smaller width of a picture that it has.
  for (const { currentSrc, width } of sizes.filter((one) => one.currentSrc !== example)) {
    const enough = THUMBNAIL_WIDTHS.find((one) => one >= width);
    expect([currentSrc, new URL(currentSrc).searchParams.get("width")]).toEqual([currentSrc, String(enough)]);
  }
  expect([...counts].filter(([, count]) => count > 1)).toEqual([]);
});

for (const path of ["/", "/templates/social/quote"]) {
  test(`a thumbnail of ${path} that is loading during hydration is not requested again`, async ({ page }) => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const counts = await countRequests(page, released);
    await page.goto(path, { waitUntil: "domcontentloaded" });
    await hydrated(page);
    expect(counts.size).toBeGreaterThan(0);
    release();
    await pictures(page);
    expect([...counts].filter(([, count]) => count > 1)).toEqual([]);
  });
}

test.describe("without scripts", () => {
  test.use({ javaScriptEnabled: false, tolerated: [/Failed to load resource/] });

  test("the alt text of a picture that does not load is visible", async ({ page }) => {
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
