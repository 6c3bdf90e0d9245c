import AxeBuilder from "@axe-core/playwright";
import type { Locator, Page } from "@playwright/test";
import { expect, hydrated, test } from "./pages/fixtures/fixtures.ts";

/** Limits for the brightness of the background: the mean of its channels, 0 to 255. */
const DARK_BELOW = 50;
const LIGHT_ABOVE = 200;

async function backgroundBrightness(page: Page): Promise<number> {
  const color = await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  const channels = color.match(/\d+/g)?.slice(0, 3).map(Number) ?? [];
  return channels.reduce((sum, channel) => sum + channel, 0) / 3;
}

/** The longest transition or animation in the page, in seconds. */
function longestMotion(page: Page): Promise<number> {
  return page.evaluate(() => {
    const durations = [...document.querySelectorAll("*")].flatMap((element) => {
      const { transitionDuration, animationDuration } = getComputedStyle(element);
      return `${transitionDuration}, ${animationDuration}`.split(", ").map(Number.parseFloat);
    });
    return Math.max(...durations.filter((seconds) => !Number.isNaN(seconds)));
  });
}

test.describe("without scripts", () => {
  test.use({ javaScriptEnabled: false });

  test("the server renders the chosen theme, regardless of that of the system", async ({ page, baseURL, request }) => {
    await page.emulateMedia({ colorScheme: "light" });
    await page.context().addCookies([{ name: "theme", value: "dark", url: baseURL as string }]);
    await page.goto("/");
    await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
    await expect(page.locator('meta[name="color-scheme"]')).toHaveAttribute("content", "dark");
    for (const value of ["system", "", "DARK", "<script>"]) {
      const html = await (await request.get("/", { headers: { cookie: `theme=${value}` } })).text();
      expect([value, html.includes("data-theme=")]).toEqual([value, false]);
    }
  });
});

test("the chosen theme is kept, and can be reset to that of the system", async ({ page }) => {
  await page.emulateMedia({ colorScheme: "light" });
  await page.goto("/");
  await expect(page.getByRole("radio", { name: "System" })).toBeChecked();
  await page.getByRole("radio", { name: "Dark" }).click();
  expect(await backgroundBrightness(page)).toBeLessThan(DARK_BELOW);
  await page.reload();
  expect(await backgroundBrightness(page)).toBeLessThan(DARK_BELOW);
  await expect(page.getByRole("radio", { name: "Dark" })).toBeChecked();
  await page.keyboard.press("Tab");
  await page.getByRole("radio", { name: "Dark" }).focus();
  await page.keyboard.press("ArrowRight");
  await expect(page.getByRole("radio", { name: "System" })).toBeChecked();
  expect(await backgroundBrightness(page)).toBeGreaterThan(LIGHT_ABOVE);
  // Read by the page, which waits for what it has set: browsers set `document.cookie` asynchronously.
  expect(await page.evaluate(() => document.cookie)).toBe("");
  await page.reload();
  await expect(page.getByRole("radio", { name: "System" })).toBeChecked();
  expect(await backgroundBrightness(page)).toBeGreaterThan(LIGHT_ABOVE);
});

// Playwright cannot emulate reduced motion in Firefox.
test("reduced motion turns off all transitions and animations", { tag: "@chromium" }, async ({ page }) => {
  await page.emulateMedia({ reducedMotion: "no-preference" });
  await page.goto("/templates/social/quote");
  expect(await longestMotion(page)).toBeGreaterThan(0.1);
  await page.emulateMedia({ reducedMotion: "reduce" });
  expect(await longestMotion(page)).toBeLessThanOrEqual(0.001);
});

// Windows calls them contrast themes. They replace colours, backgrounds and shadows by a few of their own.
test("where the system forces its colours, what is chosen differs from what is not", { tag: "@chromium" }, async ({
  page,
}) => {
  await page.emulateMedia({ forcedColors: "active" });
  const expectOneToDiffer = async (locator: Locator) => {
    const looks = await locator.evaluateAll((all) =>
      all.map((element) => {
        const { backgroundColor, borderBottomColor } = getComputedStyle(element.closest("label") ?? element);
        const isChosen = element.matches(":checked, [aria-current], [aria-selected=true]");
        return { isChosen, look: `${backgroundColor} ${borderBottomColor}` };
      }),
    );
    const [chosen, others] = [true, false].map((is) => looks.filter(({ isChosen }) => isChosen === is));
    const [first] = chosen ?? [];
    expect(chosen).toHaveLength(1);
    expect(others?.length).toBeGreaterThan(1);
    expect(others?.map(({ look }) => look)).not.toContain(first?.look);
    expect(new Set(others?.map(({ look }) => look)).size).toBe(1);
  };
  await page.goto("/?tag=portrait");
  await expectOneToDiffer(page.getByRole("navigation", { name: "Main" }).getByRole("link"));
  await expectOneToDiffer(page.getByRole("radio", { name: /System|Light|Dark/ }));
  await expectOneToDiffer(page.getByRole("checkbox", { name: /social|portrait|square/ }));
  await page.goto("/templates/social/quote");
  await expectOneToDiffer(page.getByRole("tab", { name: /curl|Python|Go/ }));
});

test("with reduced motion, the colours of a theme appear at once", async ({ page }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.goto("/status");
  await hydrated(page);
  await page.getByRole("radio", { name: "Dark" }).click();
  expect(await page.evaluate(() => document.getAnimations().length)).toBe(0);
});

for (const width of [320, 768]) {
  test(`the menu opens and closes by keyboard at ${width} pixels, and is accessible`, async ({ page }) => {
    await page.setViewportSize({ width, height: 640 });
    await page.goto("/");
    const navigation = page.getByRole("navigation", { name: "Main" });
    const button = page.getByRole("button", { name: "Menu" });
    await expect(navigation).toBeHidden();
    await button.focus();
    await page.keyboard.press("Enter");
    await expect(navigation.getByRole("link", { name: "Templates" })).toHaveAttribute("aria-current", "page");
    await expect(button).toHaveAttribute("aria-expanded", "true");
    expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0);
    await page.keyboard.press("Escape");
    await expect(navigation).toBeHidden();
    await expect(button).toBeFocused();
  });
}

test("the navigation of open mode has no links to pages of accounts", async ({ page }) => {
  await page.goto("/");
  const names = await page.getByRole("navigation", { name: "Main" }).getByRole("link").allTextContents();
  expect(names).toEqual(["Templates", "Docs", "Status"]);
  await expect(page.getByRole("link", { name: "Sign in" })).toHaveCount(0);
});
