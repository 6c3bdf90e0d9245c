import { readFileSync } from "node:fs";
import { expect, field, picture, pngOf, QUOTE, rendered, test } from "./template-page.ts";

const RENDER = "**/api/service/images/render";

test.describe("while pictures are slow", () => {
  test("only the last is shown, and those before it are ended", async ({ page, open }) => {
    await page.goto(QUOTE);
    await picture(page);
    const ended: string[] = [];
    page.on("requestfailed", (request) => ended.push(request.postData() ?? ""));
    let delay = 1_500;
    await page.route(RENDER, async (route) => {
      const wait = delay;
      delay = 0;
      await new Promise((resolve) => setTimeout(resolve, wait));
      await route.continue().catch(() => undefined);
    });
    const author = field(page, "Author");
    const asked = page.waitForRequest((request) => request.postData()?.includes("first") ?? false);
    await author.fill("first");
    await asked;
    await expect(page.locator(".picture-frame > [aria-busy]")).toHaveAttribute("aria-busy", "true");
    await author.fill("second");
    await expect.poll(() => ended.join()).toContain("first");
    const png = await pngOf(page);
    expect(png).toEqual(await rendered(open.origin, { template: "social/quote", data: { author: "second" } }));
    await page.waitForTimeout(1_600);
    expect(await pngOf(page)).toEqual(png);
  });

  test.describe("for want of room", () => {
    test.use({ tolerated: [/status of 503/] });

    test("the picture is asked for again by itself, and that is said", async ({ page }) => {
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
      await expect(page.getByText("again by itself in 1 second.")).toBeVisible();
      await picture(page);
      await expect(page.getByText(message)).toHaveCount(0);
    });
  });
});

test("the picture is downloaded and copied", async ({ page, context, open }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.goto(`${QUOTE}?variant=verse`);
  await picture(page);
  const started = page.waitForEvent("download");
  await page.getByRole("link", { name: "Download" }).click();
  const download = await started;
  expect(download.suggestedFilename()).toBe("social-quote.png");
  const expected = await rendered(open.origin, { template: "social/quote", variant: "verse" });
  expect(readFileSync(await download.path())).toEqual(expected);
  await page.getByRole("button", { name: "Copy picture" }).click();
  await expect(page.getByText("Copied the picture")).toBeVisible();
  await page.getByRole("button", { name: "Copy link" }).click();
  await expect(page.getByText("Copied the link")).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(page.url());
});
