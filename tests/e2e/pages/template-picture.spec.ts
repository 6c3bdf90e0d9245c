import { readFileSync } from "node:fs";
import type { Request, Route } from "@playwright/test";
import { expect, field, picture, pngOf, QUOTE, rendered, test } from "./fixtures/template-page.ts";

const RENDER = "**/api/service/images/render";

test.describe("while renders are slow", () => {
  // Firefox does not report the end of a request that was held and then aborted.
  test("only the last is shown, and the requests before are aborted", { tag: "@chromium" }, async ({ page, open }) => {
    await page.goto(QUOTE);
    await picture(page);
    const ended: Request[] = [];
    page.on("requestfailed", (request) => ended.push(request));
    const { promise: first, resolve: hold } = Promise.withResolvers<Route>();
    await page.route(RENDER, hold, { times: 1 });
    const author = field(page, "Author");
    await author.fill("first");
    const held = await first;
    await expect(page.locator(".picture-frame > [aria-busy]")).toHaveAttribute("aria-busy", "true");
    await author.fill("second");
    await expect.poll(() => ended.includes(held.request())).toBe(true);
    const png = await pngOf(page);
    expect(png).toEqual(await rendered(open.origin, { template: "social/quote", data: { author: "second" } }));
    await held.continue().catch(() => undefined);
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
    expect(await pngOf(page)).toEqual(png);
  });

  test.describe("when the service is busy", () => {
    test.use({ tolerated: [/status of 503/] });

    test("the request is retried automatically, which the page says", async ({ page }) => {
      let tries = 0;
      const message = "Too many pictures are waiting.";
      await page.route(RENDER, async (route) => {
        tries += 1;
        if (tries > 1) return route.continue();
        const body = { error: { code: "overloaded", message, requestId: "0199f000-0000-7000-8000-000000000000" } };
        return route.fulfill({ status: 503, headers: { "retry-after": "1" }, json: body });
      });
      await page.goto(QUOTE);
      await expect(page.getByRole("alert").filter({ hasText: message })).toBeVisible();
      await expect(page.getByText("Trying again in 1 second.")).toBeVisible();
      await picture(page);
      await expect(page.getByText(message)).toHaveCount(0);
    });
  });
});

test("the picture is downloaded and copied", async ({ page, open, readClipboard }) => {
  await page.goto(`${QUOTE}?variant=verse`);
  await picture(page);
  const started = page.waitForEvent("download");
  await page.getByRole("link", { name: "Download" }).click();
  const download = await started;
  expect(download.suggestedFilename()).toBe("social-quote.png");
  const expected = await rendered(open.origin, { template: "social/quote", variant: "verse" });
  expect(readFileSync(await download.path())).toEqual(expected);
  await page.getByRole("button", { name: "Copy picture" }).click();
  await expect(page.getByText("Picture copied")).toBeVisible();
  await page.getByRole("button", { name: "Copy link" }).click();
  await expect(page.getByText("Link copied")).toBeVisible();
  expect(await readClipboard()).toBe(page.url());
});
