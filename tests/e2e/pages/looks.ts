import AxeBuilder from "@axe-core/playwright";
import { expect, type Page, test } from "@playwright/test";

export type Look = { theme: "light" | "dark"; width: number; name: string };

const WIDTHS_PX = [320, 768, 1440];
const HEIGHT_PX = 900;

/** Six pages in one test, each of which axe reads several times. */
const MATRIX_TIMEOUT_MS = 90_000;

/** Every theme at every width. */
const LOOKS: Look[] = (["light", "dark"] as const).flatMap((theme) =>
  WIDTHS_PX.map((width) => ({ theme, width, name: `${theme}-${width}` })),
);

/** Shows the page as a system of that theme with a window of that width does. */
export async function wear(page: Page, { theme, width }: Pick<Look, "theme" | "width">): Promise<void> {
  await page.emulateMedia({ colorScheme: theme, reducedMotion: "reduce" });
  await page.setViewportSize({ width, height: HEIGHT_PX });
  // What comes to lie under a resting pointer would change its colour while it is looked at.
  await page.mouse.move(0, 0);
}

/** Fails where the page scrolls sideways. */
export async function expectFits(page: Page): Promise<void> {
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(overflow, "pixels that the page is wider than its window").toBeLessThanOrEqual(0);
}

/** Runs `act` in light and dark, at 320, 768 and 1440 pixels, in one page. The page may not scroll sideways after it. */
export async function matrix(page: Page, act: (look: Look) => Promise<void>): Promise<void> {
  test.setTimeout(test.info().timeout + MATRIX_TIMEOUT_MS);
  for (const look of LOOKS) {
    await test.step(look.name, async () => {
      await wear(page, look);
      await act(look);
      await expectFits(page);
    });
  }
}

/** Colours halfway through a transition are nobody's. What turns for ever is not waited for. */
async function settle(page: Page): Promise<void> {
  await page.evaluate(async () => {
    // A change of theme or of what lies under the pointer is seen with the next frame.
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    const finite = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity);
    await Promise.all(finite.map(({ finished }) => finished.catch(() => undefined)));
  });
}

/** Fails with what axe finds in the page as it is now: open it first, and the dialog too. */
export async function expectAccessible(page: Page): Promise<void> {
  await settle(page);
  // A page without frames is read in one go, which takes half the time.
  expect(page.frames()).toHaveLength(1);
  const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
  const found = violations.map(
    ({ id, help, nodes }) => `${id}: ${help}\n  ${nodes.map(({ html }) => html).join("\n  ")}`,
  );
  expect(found).toEqual([]);
}

/**
 * Keeps a picture of the page as `test-results/pages/<name>.png`; with a dialog open, of the window alone. Not in CI, where
 * nobody looks.
 */
export async function shot(page: Page, name: string): Promise<void> {
  if (process.env.CI) return;
  await settle(page);
  const hasDialog = await page.getByRole("dialog").or(page.getByRole("alertdialog")).count();
  const path = `test-results/pages/${name}.png`;
  await page.screenshot({ path, fullPage: hasDialog === 0, animations: "disabled" });
}
