import type { Page } from "@playwright/test";
import { expect, hydrated, test } from "./fixtures/fixtures.ts";

/** What browsers report of the files that a test keeps from a page. */
const KEPT = /_next\/static\/.*(?:MIME type|not executable)|404 \(.*\/_next\/static\//;

/** A page moves when its style sheet comes late. */
const LATE_STYLE = / shifted by /;

// One pattern: Playwright takes the second of two items for options.
test.use({ tolerated: [new RegExp(`${KEPT.source}|${LATE_STYLE.source}`)] });

const FILES = /\/_next\/static\/.*\.(?:js|css)$/;

const ABSENT = { status: 404, contentType: "text/html", body: "<p>absent</p>" };

/** Answers requests for files like a server of another version, as long as `isAbsent` says so. */
async function keepFiles(page: Page, isAbsent: (url: string) => boolean): Promise<void> {
  await page.route(FILES, async (route) => {
    if (isAbsent(route.request().url())) await route.fulfill(ABSENT);
    else await route.fallback();
  });
}

/** Waits until a number of requests has begun to grow, and has not grown for three seconds. */
async function untilSteady(page: Page, count: () => number): Promise<void> {
  let before: number;
  do {
    before = count();
    await page.waitForTimeout(3_000);
  } while (count() === 0 || count() > before);
}

const fontOf = (page: Page) => page.evaluate(() => getComputedStyle(document.body).fontFamily);

test("a page works though every request for its files reaches a server of another version at first", async ({
  page,
}) => {
  const asked = new Map<string, number>();
  await keepFiles(page, (url) => {
    const count = (asked.get(url) ?? 0) + 1;
    asked.set(url, count);
    return count <= 3;
  });
  await page.goto("/");
  await page.getByRole("radio", { name: "Dark" }).check();
  await hydrated(page);
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  await expect.poll(() => fontOf(page)).toContain("system-ui");
  expect(asked.size).toBeGreaterThan(3);
});

test.describe("with its style sheet", () => {
  test.use({ tolerated: [KEPT] });

  test("a page that lost its scripts, because the last server of its version has ended, is loaded again and works", async ({
    page,
  }) => {
    let loads = 0;
    let refused = 0;
    page.on("request", (request) => {
      if (request.isNavigationRequest()) loads++;
    });
    await keepFiles(page, (url) => {
      const isAbsent = loads === 1 && url.endsWith(".js");
      if (isAbsent) refused++;
      return isAbsent;
    });
    await page.goto("/");
    await expect.poll(() => loads).toBe(2);
    await hydrated(page);
    await page.getByRole("radio", { name: "Dark" }).check();
    await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
    expect(refused).toBeGreaterThan(4);
    // A page is loaded again after two seconds, if at all.
    await page.waitForTimeout(5_000);
    expect(loads).toBe(2);
  });
});

test("a page whose files stay away is not loaded again and again", async ({ page }) => {
  let loads = 0;
  let refused = 0;
  page.on("request", (request) => {
    if (request.isNavigationRequest()) loads++;
  });
  await keepFiles(page, () => {
    refused++;
    return true;
  });
  await page.goto("/");
  await expect.poll(() => loads).toBe(2);
  // Until the second page has given up as well.
  await untilSteady(page, () => refused);
  expect(loads).toBe(2);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
});

test("a page whose scripts take long is not loaded again for a style sheet that is lost, and keeps what was typed", async ({
  page,
}) => {
  let loads = 0;
  let styles = 0;
  page.on("request", (request) => {
    if (request.isNavigationRequest()) loads++;
  });
  const arrive = Promise.withResolvers<void>();
  await page.route(FILES, async (route) => {
    if (route.request().url().endsWith(".css")) {
      styles++;
      return route.fulfill(ABSENT);
    }
    await arrive.promise;
    await route.fallback();
  });
  await page.goto("/templates/social/quote", { waitUntil: "commit" });
  const quote = page.getByRole("textbox", { name: "Quote (required)" });
  await quote.fill("Less is more.");
  await untilSteady(page, () => styles);
  arrive.resolve();
  await hydrated(page);
  await expect(quote).toHaveValue("Less is more.");
  expect(loads).toBe(1);
});

test("a link that is followed before a page is loaded again opens its page", async ({ page }) => {
  let loads = 0;
  const held = Promise.withResolvers<void>();
  await page.route("**/docs", async (route) => {
    await held.promise;
    await route.fallback();
  });
  let isAbsent = true;
  await keepFiles(page, () => isAbsent);
  const isAsked = page.waitForRequest((request) => request.method() === "HEAD", { timeout: 5_000 }).catch(() => null);
  await page.goto("/");
  page.on("request", (request) => {
    if (request.isNavigationRequest()) loads++;
  });
  await page.getByRole("link", { name: "Docs" }).first().click({ noWaitAfter: true });
  expect(await isAsked).toBeNull();
  isAbsent = false;
  held.resolve();
  await expect(page).toHaveURL("/docs");
  expect(loads).toBe(1);
});
