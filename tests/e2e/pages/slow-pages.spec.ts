import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures/fixtures.ts";
import { expectAccessible } from "./fixtures/looks.ts";

/** Withholds the pages that Next requests for links and forms, until the returned function is called. */
async function withholdPages(page: Page): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(
    (url) => url.searchParams.has("_rsc"),
    async (route) => {
      await promise;
      await route.continue();
    },
  );
  return resolve;
}

test("a link shows progress while the server takes long", async ({ page }) => {
  await page.goto("/");
  const release = await withholdPages(page);
  const progress = page.locator(".link-progress");
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Docs" }).click();
  // It has no width for the first 300 ms.
  await expect(progress).toBeVisible();
  expect(await progress.boundingBox()).toMatchObject({ x: 0, y: 0 });
  await expectAccessible(page);
  release();
  await expect(page).toHaveURL("/docs");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expect(progress).toHaveCount(0);
});

test.describe("with the access layer", () => {
  test.use({ mode: "guarded" });

  test("the filter of the audit trail shows progress, and is not sent twice", async ({ page, signIn }) => {
    await signIn(page, "admin");
    await page.goto("/audit");
    const release = await withholdPages(page);
    const requests: string[] = [];
    page.on("request", (request) => {
      if (request.url().includes("_rsc=")) requests.push(request.url());
    });
    const show = page.getByRole("button", { name: "Show", exact: true });
    await page.getByLabel("From (UTC)").fill("2020-01-31");
    await show.click();
    await expect(show).toHaveAttribute("aria-busy", "true");
    await show.click({ force: true });
    await page.getByLabel("From (UTC)").press("Enter");
    release();
    await expect(page).toHaveURL("/audit?action=&user=&since=2020-01-31&until=");
    await expect(show).not.toHaveAttribute("aria-busy");
    expect(requests).toHaveLength(1);
  });

  test("the menu of the account stays open until its page is there", async ({ page, signIn }) => {
    await signIn(page, "user");
    await page.goto("/tokens");
    const release = await withholdPages(page);
    await page.getByRole("button", { name: /^Account of/ }).click();
    await page.getByRole("link", { name: "Account", exact: true }).click();
    await expect(page.locator(".link-progress")).toBeVisible();
    release();
    await expect(page).toHaveURL("/account");
    await expect(page.getByRole("link", { name: "Account", exact: true })).toHaveCount(0);
    await expect(page.getByRole("button", { name: /^Account of/ })).toBeFocused();
    // On the page itself nothing is to be loaded, so the click closes it.
    await page.getByRole("button", { name: /^Account of/ }).click();
    await page.getByRole("link", { name: "Account", exact: true }).click();
    await expect(page.getByRole("link", { name: "Account", exact: true })).toHaveCount(0);
  });
});
