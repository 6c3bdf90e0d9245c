import type { Page } from "@playwright/test";
import { expectAccessible, expectFits, type Look, matrix, shot, wear } from "./looks.ts";

/** The two that differ most: what holds in them holds between them. */
const EXTREMES: Look[] = [
  { theme: "light", width: 320, name: "light-320" },
  { theme: "dark", width: 1440, name: "dark-1440" },
];

/** Looks at a page or a dialog as it is now, in every light and at every width. */
export async function expectLooks(page: Page, name: string): Promise<void> {
  await matrix(page, async (look) => {
    await expectAccessible(page);
    await shot(page, `${name}-${look.name}`);
  });
}

/** Looks at what differs little from what was looked at whole, such as an error in a form, at the extremes. */
export async function expectLooksAtExtremes(page: Page, name: string): Promise<void> {
  for (const look of EXTREMES) {
    await wear(page, look);
    await expectAccessible(page);
    await expectFits(page);
    await shot(page, `${name}-${look.name}`);
  }
}
