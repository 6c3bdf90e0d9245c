import type { Page } from "@playwright/test";
import { applyLook, expectAccessible, expectFits, type Look, matrix, shot } from "./looks.ts";

/** The two looks that differ most. */
const EXTREMES: Look[] = [
  { theme: "light", width: 320, name: "light-320" },
  { theme: "dark", width: 1440, name: "dark-1440" },
];

/** Checks the current state of a page or a dialog in every theme and width. */
export async function expectLooks(page: Page, name: string): Promise<void> {
  await matrix(page, async (look) => {
    await expectAccessible(page, look);
    await shot(page, `${name}-${look.name}`);
  });
}

/** Checks a state that differs little from one that was checked completely, such as an error in a form. */
export async function expectLooksAtExtremes(page: Page, name: string): Promise<void> {
  for (const look of EXTREMES) {
    await applyLook(page, look);
    await expectAccessible(page);
    await expectFits(page);
    await shot(page, `${name}-${look.name}`);
  }
}
