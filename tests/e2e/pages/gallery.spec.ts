import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Locator, Page } from "@playwright/test";
import { expect, test } from "./fixtures/fixtures.ts";
import { expectAccessible, matrix, resize, shot } from "./fixtures/looks.ts";

type Summary = { title: string; slug: string; width: number; height: number; tags: string[]; variants: string[] };

function cards(page: Page): Locator {
  return page.getByRole("main").getByRole("listitem");
}

/** Scrolls to each card, or to the first ones, so that its picture is requested, and waits until it has loaded. */
async function seePictures(page: Page, count?: number): Promise<void> {
  for (const card of (await cards(page).all()).slice(0, count)) {
    await card.scrollIntoViewIfNeeded();
    await expect(card.locator("[data-state=loaded]")).toBeVisible();
  }
}

test("shows every template with its picture, size, tags and variants, and links to it", async ({ page, open }) => {
  await page.goto("/");
  const templates = (await open.client.ask("GET", "/api/service/templates")).json() as Summary[];
  await expect(cards(page)).toHaveCount(templates.length);
  for (const { title, slug, width, height, tags, variants } of templates) {
    const card = cards(page).filter({ has: page.getByText(slug, { exact: true }) });
    for (const text of [title, `${width} × ${height}`, `${variants.length} variant`, tags.join(", ")]) {
      await expect(card).toContainText(text);
    }
    await expect(card.getByRole("link", { name: title, exact: true })).toHaveAttribute("href", `/templates/${slug}`);
  }
  await seePictures(page);
  const pictures = await cards(page)
    .locator("img")
    .evaluateAll((images) => (images as HTMLImageElement[]).map((image) => [image.naturalWidth, image.width]));
  for (const [natural = 0, shown = 0] of pictures) expect(natural).toBeGreaterThanOrEqual(shown);
});

test("pictures have the pixels that they are shown with, however many columns there are", async ({ page }) => {
  for (const width of [640, 664, 940, 1000, 1260, 1440]) {
    await resize(page, width);
    await page.goto("/");
    await seePictures(page, 1);
    const [natural, shown] = await cards(page)
      .first()
      .locator("img")
      .evaluate((image: HTMLImageElement) => [image.naturalWidth, image.width] as const);
    expect(natural, `in a window of ${width} pixels`).toBeGreaterThanOrEqual(shown);
  }
});

test("the example command renders the picture beside it", async ({ page, open }) => {
  await page.goto("/");
  const region = page.getByRole("region", { name: "Command that renders the picture" });
  await expect(region).toContainText(`${open.origin}/api/service/images/render`);
  const call = await region.innerText();
  const dir = mkdtempSync(join(tmpdir(), "platen-curl-"));
  try {
    execFileSync("sh", ["-c", call], { cwd: dir, stdio: "ignore" });
    const png = readFileSync(join(dir, "picture.png"));
    expect(png.subarray(1, 4).toString()).toBe("PNG");
    const size = `${png.readUInt32BE(16)} × ${png.readUInt32BE(20)}`;
    await expect(page.getByRole("figure")).toContainText(size);
  } finally {
    rmSync(dir, { recursive: true });
  }
});

test("filters while the reader types and chooses, and keeps the filter in the address", async ({ page }) => {
  await page.goto("/");
  const status = page.getByRole("search").getByRole("status");
  await page.getByRole("searchbox", { name: "Search templates" }).fill("social/quote");
  await expect(cards(page)).toHaveCount(1);
  await expect(status).toHaveText(/^1 of \d+ templates$/);
  await expect(page).toHaveURL("/?q=social%2Fquote");
  await page.reload();
  await expect(cards(page)).toHaveCount(1);
  await page.getByRole("link", { name: "Show all" }).click();
  await expect(page).toHaveURL("/");
  await page.getByRole("checkbox", { name: "social" }).check();
  await page.getByRole("combobox", { name: "Size" }).selectOption("1080x1920");
  await expect(page).toHaveURL("/?tag=social&size=1080x1920");
  await expect(cards(page).filter({ hasText: "social/story" })).toHaveCount(1);
  await expect(cards(page).filter({ hasText: "social/quote" })).toHaveCount(0);
  // The logo resets the filter.
  await page.getByRole("link", { name: "Platen, all templates" }).click();
  await expect(page).toHaveURL("/");
  await expect(page.getByRole("checkbox", { name: "social" })).not.toBeChecked();
  expect(await cards(page).count()).toBeGreaterThan(1);
});

test("says when nothing matches, and can show all templates again", async ({ page }) => {
  await page.goto("/?q=no-such-thing");
  await expect(page.getByRole("heading", { name: "No matching templates" })).toBeVisible();
  await expectAccessible(page);
  await shot(page, "gallery-nothing-found");
  await page.goto("/?q=quotte");
  // The links disappear, and the focus goes to the number of templates.
  const status = page.getByRole("search").getByRole("status");
  await page.getByRole("link", { name: "Search for “quote”" }).click();
  await expect(page).toHaveURL("/?q=quote");
  await expect(status).toBeFocused();
  await page.getByRole("link", { name: "Show all" }).click();
  await expect(status).toBeFocused();
  await expect(page.getByRole("region", { name: "Social" }).getByRole("listitem").first()).toBeVisible();
  expect(await cards(page).count()).toBeGreaterThan(1);
});

test("is accessible in every theme and width", async ({ page }) => {
  test.slow();
  await page.goto("/");
  await seePictures(page);
  await page.evaluate(() => window.scrollTo(0, 0));
  await matrix(page, async (look) => {
    await expectAccessible(page, look);
    await shot(page, `gallery-${look.name}`);
  });
  // The command wraps instead of scrolling.
  await resize(page, 320, 640);
  const call = page.getByRole("region", { name: "Command that renders the picture" });
  expect(await call.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBeLessThanOrEqual(0);
});

test("can be used by keyboard alone", async ({ page }) => {
  await page.goto("/");
  await page.keyboard.press("Tab");
  const skip = page.getByRole("link", { name: "Skip to the content" });
  await expect(skip).toBeFocused();
  await expect(skip).toBeInViewport();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("main")).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(page.getByRole("button", { name: "Copy" })).toBeFocused();
  await page.getByRole("searchbox").focus();
  await page.keyboard.type("social/story");
  await page.keyboard.press("Tab");
  await expect(page.getByRole("combobox", { name: "Size" })).toBeFocused();
  await page.getByRole("checkbox", { name: "social" }).focus();
  await page.keyboard.press("Space");
  await expect(cards(page)).toHaveCount(1);
  await cards(page).getByRole("link").focus();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL("/templates/social/story");
  await page.goBack();
  await expect(page).toHaveURL("/?q=social%2Fstory&tag=social");
  await expect(page.getByRole("searchbox")).toHaveValue("social/story");
  await expect(cards(page)).toHaveCount(1);
});

test.describe("a thumbnail that fails", () => {
  test.use({ tolerated: [/status of 503/] });

  test("is retried, and replaced by an icon when all retries fail", async ({ page }) => {
    let hasRoom = false;
    await page.route(/thumbnails\/(?:blog\/article|social\/story)/, async (route) => {
      if (hasRoom && route.request().url().includes("blog/article")) return await route.continue();
      await route.fulfill({ status: 503, headers: { "retry-after": "1" } });
    });
    await page.clock.install();
    await page.goto("/?q=card");
    const article = cards(page).filter({ hasText: "blog/article" });
    // Firefox requests pictures that are below the window later than Chromium.
    await article.scrollIntoViewIfNeeded();
    await expect(article.locator("[data-state=waiting]")).toBeVisible();
    hasRoom = true;
    for (let waits = 0; waits < 3; waits += 1) await page.clock.runFor(20_000);
    await expect(article.locator("[data-state=loaded]")).toBeVisible();
    await page.evaluate(() => window.scrollTo(0, 0));
    await page.getByRole("searchbox").fill("story");
    const story = cards(page).filter({ hasText: "social/story" });
    await story.scrollIntoViewIfNeeded();
    for (let waits = 0; waits < 4; waits += 1) {
      await expect(story.locator("[data-state=waiting], [data-state=failed]")).toBeVisible();
      await page.clock.runFor(20_000);
    }
    await expect(story).toContainText("No preview");
    await expectAccessible(page);
    await shot(page, "gallery-no-preview");
  });
});

test.describe("without scripts", () => {
  test.use({ javaScriptEnabled: false });

  test("shows pictures, and the search works as a form", async ({ page }) => {
    await page.goto("/");
    await page.getByRole("searchbox").fill("quote");
    await page.getByRole("checkbox", { name: "social" }).check();
    await page.getByRole("button", { name: "Search" }).click();
    await expect(page).toHaveURL("/?q=quote&size=&tag=social");
    await expect(cards(page)).toHaveCount(1);
    await expect(page.getByRole("searchbox")).toHaveValue("quote");
    const picture = cards(page).locator("img");
    await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
  });
});

test.describe("with the access layer on", () => {
  test.use({ mode: "guarded" });

  test("visitors see only an introduction and a link to sign in", async ({ page, guarded }) => {
    const html = (await guarded.client.ask("GET", "/")).text;
    for (const word of ["blog/article", "Article card", "social/quote"]) expect(html).not.toContain(word);
    await page.goto("/");
    await matrix(page, async (look) => {
      await expectAccessible(page, look);
      await shot(page, `gallery-invitation-${look.name}`);
    });
    await page.getByRole("main").getByRole("link", { name: "Sign in" }).click();
    await expect(page).toHaveURL("/login");
  });

  test("a user sees the templates, and a link to create a token for the command", async ({ page, signIn }) => {
    await signIn(page, "user");
    await page.goto("/");
    await expect(page.getByRole("region", { name: "Command that renders the picture" })).toContainText(
      'Authorization: Bearer $PLATEN_TOKEN"',
    );
    await seePictures(page);
    await page.evaluate(() => window.scrollTo(0, 0));
    await expectAccessible(page);
    await shot(page, "gallery-signed-in");
    await page
      .getByRole("main")
      .getByRole("link", { name: /^Create a token$|^create one$/i })
      .click();
    await expect(page).toHaveURL("/tokens");
  });
});
