import type { Page } from "@playwright/test";
import { expectAccessible, matrix, shot } from "../fixtures/looks.ts";
import { expect, picture, test } from "../fixtures/template-page.ts";

const group = (page: Page, name: string) => page.getByRole("group", { name, exact: true });

/** The edits in the address of the page. */
const edits = (page: Page) => JSON.parse(new URL(page.url()).searchParams.get("data") ?? "{}");

test.describe("the controls of a template's fields", () => {
  test("money, ranges, times with a zone and progress are groups, which the keyboard edits", async ({ page }) => {
    await page.goto("/templates/commerce/coupon");
    await picture(page);
    const saved = group(page, "Amount saved");
    // The currency comes first: it waits for the amount.
    await saved.getByRole("textbox", { name: "Currency" }).fill("jpy");
    await saved.getByRole("spinbutton", { name: "Amount" }).fill("500");
    await group(page, "Ends at").getByRole("combobox", { name: "Time zone" }).fill("Asia/Tokyo");
    await group(page, "Redeemed").getByRole("spinbutton", { name: "Total" }).fill("");
    await group(page, "Redeemed").getByRole("spinbutton", { name: "Done" }).fill("0.5");
    await page.getByRole("spinbutton", { name: "Percentage saved" }).press("ArrowUp");
    await expect
      .poll(() => edits(page))
      .toEqual({
        amount: { amount: 500, currency: "JPY" },
        percent: 0.31,
        ends: "2026-11-29T17:00[Asia/Tokyo]",
        redeemed: 0.5,
      });
    await page.getByRole("button", { name: "Reset Ends at" }).press("Enter");
    await expect(page.getByLabel("Date and time")).toBeFocused();
    await expect(page.getByRole("combobox", { name: "Time zone" })).toHaveValue("");
  });

  test("a number is what was typed, digit by digit", async ({ page }) => {
    await page.goto("/templates/commerce/coupon");
    await picture(page);
    // Each of them is another number, or none, on the way.
    const typed = [
      [page.getByRole("spinbutton", { name: "Percentage saved" }), "0.05"],
      [group(page, "Amount saved").getByRole("spinbutton", { name: "Amount" }), "-1.05"],
      [group(page, "Redeemed").getByRole("spinbutton", { name: "Total" }), "10.05"],
    ] as const;
    for (const [input, text] of typed) {
      await input.fill("");
      await input.pressSequentially(text);
      await expect(input).toHaveValue(text);
    }
    await expect
      .poll(() => edits(page))
      .toMatchObject({ percent: 0.05, amount: { amount: -1.05 }, redeemed: { total: 10.05 } });
  });

  test("a number may have a decimal comma, and one that could be two is refused", async ({ page }) => {
    await page.goto("/templates/commerce/coupon");
    await picture(page);
    const amount = group(page, "Amount saved").getByRole("spinbutton", { name: "Amount" });
    await amount.fill("");
    await amount.pressSequentially("12,50");
    await expect.poll(() => edits(page)).toMatchObject({ amount: { amount: 12.5 } });
    await amount.fill("");
    await amount.pressSequentially("1,234");
    await expect(group(page, "Amount saved")).toHaveAccessibleDescription(/Got "1,234"/);
    await expect(amount).toHaveValue("1,234");
  });

  test("a number that may be negative has keys with a minus, and leaves arrows to input methods", async ({ page }) => {
    await page.goto("/templates/data/figure");
    await picture(page);
    const change = page.getByRole("spinbutton", { name: "Change", exact: true });
    await expect(change).toHaveAttribute("inputmode", "text");
    await change.fill("2");
    await change.dispatchEvent("keydown", { key: "ArrowUp", isComposing: true });
    await change.press("ArrowUp");
    await expect(change).toHaveValue("2.01");
    await page.goto("/templates/social/carousel");
    await expect(page.getByRole("spinbutton", { name: "Page (required)" })).toHaveAttribute("inputmode", "numeric");
  });

  test("only words that follow the language of the picture are said to do so", async ({ page }) => {
    await page.goto("/templates/commerce/receipt");
    const word = (name: string) => page.getByRole("textbox", { name, exact: true });
    await expect(word("Word for the total")).toHaveAttribute("placeholder", "Total, in the language of the picture");
    await expect(word("Thanks")).toHaveValue("Squeeze the big one first");
  });

  test("every fault is told beside its field, and the whole of it", async ({ page }) => {
    const data = { valid: { from: "soon", to: "later" }, redeemed: { done: 3, total: 2 }, shop: "" };
    await page.goto(`/templates/commerce/coupon?data=${encodeURIComponent(JSON.stringify(data))}`);
    await expect(page.getByText("3 invalid fields")).toBeVisible();
    const valid = group(page, "Valid");
    await expect(valid).toHaveAccessibleDescription(/"from": Got "soon".*"to": Got "later"/);
    await expect(valid.getByLabel("To")).toHaveAttribute("aria-invalid", "true");
    await expect(group(page, "Redeemed").getByLabel("Done")).toHaveAccessibleDescription(/Got 3 as "done"/);
    await expectAccessible(page);
    await shot(page, "controls-faults");
  });

  test("options with pictures are radio buttons, which reset to the variant's", async ({ page }) => {
    await page.goto("/templates/review/card");
    await picture(page);
    const shape = group(page, "Shape (required)");
    const chosen = shape.getByRole("radio", { checked: true });
    const before = (await chosen.getAttribute("value")) ?? "";
    await chosen.focus();
    await page.keyboard.press("ArrowRight");
    await expect(chosen).not.toHaveAttribute("value", before);
    await page.getByRole("button", { name: "Reset Shape" }).press("Enter");
    await expect(chosen).toHaveAttribute("value", before);
    await expect(shape.getByRole("radio").and(page.locator(":focus"))).toHaveCount(1);
  });

  test("a link with missing numbers opens, and its code says so", async ({ page }) => {
    const data = { figures: [3, null, 5] };
    await page.goto(`/templates/data/line?data=${encodeURIComponent(JSON.stringify(data))}`);
    await picture(page);
    await expect(page.getByRole("textbox", { name: "Figures (required)" })).toHaveValue("3\n, \n5");
    await expect(page.getByRole("region", { name: "The request in curl" })).toContainText('"figures": [3, null, 5]');
  });

  test("are not hidden behind the picture of a narrow window when the focus goes back to them", async ({ page }) => {
    await page.setViewportSize({ width: 320, height: 640 });
    await page.goto("/templates/document/invoice");
    await picture(page);
    await page.getByRole("tab", { name: "curl" }).focus();
    // A date begins with its calendar button.
    for (const label of ["Notes", "Code for payment", "Due date", "Date of the invoice", "About the seller"]) {
      const control = page.getByLabel(label).first();
      const isFocused = () => control.evaluate((element) => element === document.activeElement);
      for (let presses = 0; presses < 60 && !(await isFocused()); presses++) await page.keyboard.press("Shift+Tab");
      await expect(control).toBeFocused();
      const frame = await page.locator(".picture-frame").boundingBox();
      const box = await control.boundingBox();
      expect(box?.y, label).toBeGreaterThanOrEqual((frame?.y ?? 0) + (frame?.height ?? 0));
    }
  });

  test("fit and are accessible in every width and theme", async ({ page }) => {
    for (const template of ["commerce/coupon", "review/card"]) {
      await page.goto(`/templates/${template}`);
      await picture(page);
      await matrix(page, async (look) => {
        await expectAccessible(page, look);
        await shot(page, `controls-${template.replace("/", "-")}-${look.name}`);
      });
    }
  });
});

test.describe("without scripts", () => {
  test.use({ javaScriptEnabled: false });

  test("the page says so, and leads to the other variants", async ({ page }) => {
    await page.goto("/templates/commerce/coupon");
    // Playwright finds no texts inside it.
    expect(await page.locator("noscript").textContent()).toContain("This page needs JavaScript to draw your values");
    await page.getByRole("link", { name: "yu", exact: true }).click();
    await expect(page).toHaveURL(/\?variant=yu$/);
    await expect(page.getByRole("radio", { name: "yu" })).toBeChecked();
    await expect(page.getByRole("img", { name: /^Coupon/ })).toHaveAttribute("src", /variant=yu/);
  });
});
