import { expect, test } from "./fixtures/fixtures.ts";
import { expectAccessible, matrix, shot } from "./fixtures/looks.ts";

test("an unknown address is a 404 with a link to the templates", async ({ page }) => {
  const response = await page.goto("/nothing-here");
  expect(response?.status()).toBe(404);
  await matrix(page, async (look) => {
    await expectAccessible(page, look);
    await shot(page, `not-found-${look.name}`);
  });
  await page.getByRole("link", { name: "See the templates" }).click();
  await expect(page.getByRole("heading", { name: "Templates" })).toBeVisible();
});
