import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { expect, test } from "./pages/fixtures.ts";

type Summary = {
  title: string;
  slug: string;
  width: number;
  height: number;
  fields: Record<string, unknown>;
  variants: string[];
};

/** Everything that a page asks for, and everything that it complains about. */
function watch(page: Page): { foreign: string[]; complaints: string[] } {
  const seen = { foreign: [] as string[], complaints: [] as string[] };
  page.on("request", (request) => {
    const { hostname, protocol } = new URL(request.url());
    if (protocol !== "data:" && hostname !== "127.0.0.1") seen.foreign.push(request.url());
  });
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) seen.complaints.push(message.text());
  });
  page.on("pageerror", (error) => seen.complaints.push(error.message));
  return seen;
}

test("shows the call and every template with its size, variants and fields", async ({ page, request }) => {
  const seen = watch(page);
  await page.goto("/", { waitUntil: "networkidle" });
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  const templates: Summary[] = await (await request.get("/api/service/templates")).json();
  await expect(page.getByText("/api/service/images/render")).toContainText(templates[0]?.slug ?? "");
  const cards = page.getByRole("main").getByRole("listitem");
  await expect(cards).toHaveCount(templates.length);
  for (const { title, slug, width, height, fields, variants } of templates) {
    const card = cards.filter({ has: page.getByText(slug, { exact: true }) });
    await expect(card).toContainText(title);
    await expect(card).toContainText(`${width} × ${height}`);
    for (const name of [...Object.keys(fields), ...variants]) await expect(card).toContainText(name);
  }
  expect(seen).toEqual({ foreign: [], complaints: [] });
});

for (const colorScheme of ["light", "dark"] as const) {
  for (const path of ["/", "/nothing-here"]) {
    test(`${path} has nothing for axe to find in the ${colorScheme}`, async ({ page }) => {
      await page.emulateMedia({ colorScheme });
      await page.goto(path);
      expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
    });
  }
}

test("is dark where the system is", async ({ page }) => {
  const lightness = async () => {
    const color = await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
    const channels = color.match(/\d+/g)?.slice(0, 3).map(Number) ?? [];
    return channels.reduce((sum, channel) => sum + channel, 0) / 3;
  };
  await page.emulateMedia({ colorScheme: "light" });
  await page.goto("/");
  expect(await lightness()).toBeGreaterThan(200);
  await page.emulateMedia({ colorScheme: "dark" });
  expect(await lightness()).toBeLessThan(50);
});

test("fits 320 pixels without scrolling sideways", async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  for (const path of ["/", "/nothing-here"]) {
    await page.goto(path);
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect(overflow, path).toBeLessThanOrEqual(0);
  }
  await page.goto("/");
  // What scrolled within itself could not be read without a mouse.
  const call = page.getByRole("region", { name: "The call that renders a picture" });
  expect(await call.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBeLessThanOrEqual(0);
});

test("can be used without a mouse", async ({ page }) => {
  await page.goto("/");
  await page.keyboard.press("Tab");
  const skip = page.getByRole("link", { name: "Skip to the content" });
  await expect(skip).toBeFocused();
  await expect(skip).toBeInViewport();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("main")).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(page.getByRole("button", { name: "Copy" })).toBeFocused();
});

test("an unknown address says so, with a way back", async ({ page }) => {
  const response = await page.goto("/nothing-here");
  expect(response?.status()).toBe(404);
  await page.getByRole("link", { name: "See the templates" }).click();
  await expect(page.getByRole("heading", { name: "Templates" })).toBeVisible();
});
