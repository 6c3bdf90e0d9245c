import { expect, test } from "./fixtures.ts";
import { expectAccessible, matrix, shot } from "./looks.ts";

test("an unknown address says so, with a way back", async ({ page }) => {
  const response = await page.goto("/nothing-here");
  expect(response?.status()).toBe(404);
  await matrix(page, async ({ name }) => {
    await expectAccessible(page);
    await shot(page, `not-found-${name}`);
  });
  await page.getByRole("link", { name: "See the templates" }).click();
  await expect(page.getByRole("heading", { name: "Templates" })).toBeVisible();
});
