import { expectAccessible } from "./fixtures/looks.ts";
import { expect, field, picture, QUOTE, test } from "./fixtures/template-page.ts";

test("explains the texts of the current picture", async ({ page }) => {
  await page.goto(`${QUOTE}?variant=poster`);
  await picture(page);
  const section = page.getByRole("region", { name: "Texts and faults" });
  await section.getByRole("button", { name: "Explain this picture" }).click();
  const quote = section.getByRole("listitem").filter({ has: page.getByRole("heading", { name: "Quote" }) });
  await expect(quote).toContainText(/Size[\d.]+ px/);
  await expect(quote).toContainText(/Contrast[\d.]+:1, at least [\d.]+:1 is wanted/);
  await expectAccessible(page);
  await field(page, "Quote (required)").fill("Another one");
  await expect(section.getByRole("status")).toHaveText("The values have changed since this explanation.");
});

test("a proof is started and followed in its tab", async ({ page }) => {
  await page.goto(QUOTE);
  await picture(page);
  await page.getByRole("tab", { name: "Proof" }).click();
  const panel = page.getByRole("tabpanel", { name: "Proof" });
  await panel.getByRole("button", { name: "Run the proof" }).click();
  await expect(panel.getByRole("status")).toHaveText(/about to begin|\d+ of \d+ pictures/);
  await expectAccessible(page);
});

test.describe("with the access layer on", () => {
  test.use({ mode: "guarded" });

  test("only administrators have the tab of the proof", async ({ page, signIn }) => {
    await signIn(page, "user");
    await page.goto(QUOTE);
    await expect(page.getByRole("tab", { name: "This picture" })).toBeVisible();
    await expect(page.getByRole("tab", { name: "Proof" })).toHaveCount(0);
    // A page that asks for its picture once another user has signed in leads to the sign-in page by itself, also while this test opens another.
    await page.goto("about:blank");
    await signIn(page, "admin");
    await page.goto(QUOTE);
    await page.getByRole("tab", { name: "Proof" }).click();
    await expect(page.getByRole("button", { name: "Run the proof" })).toBeVisible();
    await expectAccessible(page);
  });
});
