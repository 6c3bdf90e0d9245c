import AxeBuilder from "@axe-core/playwright";
import { expect, type Page, test } from "@playwright/test";
import type { Resize } from "./faults.ts";

export type Look = { theme: "light" | "dark"; width: number; name: string };

const WIDTHS_PX = [320, 768, 1440];
const HEIGHT_PX = 900;

/** Six looks in one test, each of which axe reads several times. */
const MATRIX_TIMEOUT_MS = 90_000;

/** Every theme at every width. */
const LOOKS: Look[] = WIDTHS_PX.flatMap((width) =>
  (["light", "dark"] as const).map((theme) => ({ theme, width, name: `${theme}-${width}` })),
);

/** The rules of axe whose result depends on colours. The others find the same in the light and the dark theme. */
const COLOR_RULES = ["color-contrast", "link-in-text-block"];

/** Resizes the window, and tells the page when, because a busy machine may lay it out late: see `Faults`. */
async function resize(page: Page, width: number): Promise<void> {
  const from = await page.evaluate(() => {
    const kept = window as { resizes?: Resize[] };
    const start = performance.now();
    kept.resizes = [...(kept.resizes ?? []), { from: start, to: Number.POSITIVE_INFINITY }];
    return start;
  });
  await page.setViewportSize({ width, height: HEIGHT_PX });
  await page.evaluate(async (start) => {
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    const resize = (window as { resizes?: Resize[] }).resizes?.find((one) => one.from === start);
    if (resize) resize.to = performance.now();
  }, from);
}

/** Sets the theme of the system and the width of the window. */
export async function applyLook(page: Page, { theme, width }: Pick<Look, "theme" | "width">): Promise<void> {
  await page.emulateMedia({ colorScheme: theme, reducedMotion: "reduce" });
  await resize(page, width);
  // An element under the pointer would have its hover colour.
  await page.mouse.move(0, 0);
}

/** Expects that the page does not scroll sideways. */
export async function expectFits(page: Page): Promise<void> {
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(overflow, "pixels that the page is wider than its window").toBeLessThanOrEqual(0);
}

/** Runs `act` in both themes at 320, 768 and 1440 pixels, in one page. The page must not scroll sideways after it. */
export async function matrix(page: Page, act: (look: Look) => Promise<void>): Promise<void> {
  test.setTimeout(test.info().timeout + MATRIX_TIMEOUT_MS);
  for (const look of LOOKS) {
    await test.step(look.name, async () => {
      await applyLook(page, look);
      await act(look);
      await expectFits(page);
    });
  }
}

/** Waits for transitions to end, because colours in between are not checked. Infinite animations are not waited for. */
async function settle(page: Page): Promise<void> {
  await page.evaluate(async () => {
    // A change of the theme or of the hovered element takes effect in the next frame.
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    const finite = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity);
    await Promise.all(finite.map(({ finished }) => finished.catch(() => undefined)));
  });
}

/**
 * Expects that axe finds no violation in the current state of the page.
 * @param look from `matrix`: in the dark theme only the colours are checked, since the light one was checked completely
 * before
 */
export async function expectAccessible(page: Page, look?: Look): Promise<void> {
  await settle(page);
  // Without frames the legacy mode finds the same in half the time.
  expect(page.frames()).toHaveLength(1);
  // By default axe also computes selectors for all elements that pass, which takes most of its time.
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ["violations"] });
  if (look?.theme === "dark") axe.withRules(COLOR_RULES);
  const { violations } = await axe.analyze();
  const found = violations.map(
    ({ id, help, nodes }) => `${id}: ${help}\n  ${nodes.map(({ html }) => html).join("\n  ")}`,
  );
  expect(found).toEqual([]);
}

/**
 * With `PAGE_SHOTS` set, saves a screenshot as `test-results/pages/<name>.png`: of the whole page, or of the window if
 * a dialog is open.
 */
export async function shot(page: Page, name: string): Promise<void> {
  if (!process.env.PAGE_SHOTS) return;
  await settle(page);
  const hasDialog = await page.getByRole("dialog").or(page.getByRole("alertdialog")).count();
  const path = `test-results/pages/${name}.png`;
  await page.screenshot({ path, fullPage: hasDialog === 0, animations: "disabled" });
}
