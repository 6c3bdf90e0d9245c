import { expectAccessible, matrix, shot } from "../fixtures/looks.ts";
import { expect, picture, pngOf, rendered, test } from "../fixtures/template-page.ts";

const RANKING = "/templates/data/ranking";

test.describe("the list of a template", () => {
  test("is edited, moved and shortened by keyboard, and every change is announced", async ({ page, open }) => {
    // The server has drawn a list before, so that its keys would differ from those of the browser if they went on counting.
    await open.client.ask("GET", RANKING);
    await page.goto(RANKING);
    await picture(page);
    const rows = page.getByRole("group", { name: "Rows (required)" });
    await rows.getByRole("button", { name: "Move Tanganyika up" }).press("Enter");
    await expect(rows.getByRole("status")).toHaveText("Tanganyika moved to 1 of 8.");
    await expect(rows.getByRole("button", { name: "Move Tanganyika up" })).toBeFocused();
    await rows.getByRole("button", { name: "Move Tanganyika down" }).press("Enter");
    await expect(rows.getByRole("button", { name: "Move Tanganyika down" })).toBeFocused();
    await expect(page.getByText("unchanged", { exact: true })).toBeVisible();
    for (const name of ["Crater Lake", "Great Slave Lake", "Issyk-Kul", "Malawi", "O’Higgins–San Martín"])
      await rows.getByRole("button", { name: `Remove ${name}` }).press("Enter");
    await expect(rows.getByRole("status")).toHaveText("O’Higgins–San Martín removed. 3 items are left.");
    await expect(rows.getByRole("button", { name: /Caspian Sea$/, expanded: false })).toBeFocused();
    await rows.getByRole("button", { name: "Add an item" }).press("Enter");
    await expect(rows.getByRole("textbox", { name: "Name (required)" })).toBeFocused();
    await page.keyboard.type("Loch Ness");
    await rows.getByRole("spinbutton", { name: "Figure (required)" }).fill("230");
    const own = [
      { name: "Baikal", value: 1642 },
      { name: "Tanganyika", value: 1470 },
      { name: "Caspian Sea", value: 1025, note: "salt" },
      { name: "Loch Ness", value: 230 },
    ];
    await expect(page).toHaveURL(/Loch\+Ness.*230/);
    const png = await pngOf(page);
    expect(png).toEqual(await rendered(open.origin, { template: "data/ranking", data: { rows: own } }));
  });

  test("shows the fault of an item at its field, and opens the item", async ({ page }) => {
    const rows = [
      { name: "Baikal", value: 1 },
      { name: "x", value: -4 },
    ];
    await page.goto(`${RANKING}?data=${encodeURIComponent(JSON.stringify({ rows }))}`);
    const figure = page.getByRole("spinbutton", { name: "Figure (required)" });
    await expect(figure).toHaveAccessibleDescription(/Got -4, want a number from 0/);
    await expect(page.getByText("1 invalid field")).toBeVisible();
  });

  test("shows the faults of the parts of a value at its field", async ({ page }) => {
    const items = [{ name: "Tea", quantity: 1, each: { amount: "1", currency: "eur" } }];
    await page.goto(`/templates/commerce/receipt?data=${encodeURIComponent(JSON.stringify({ items }))}`);
    await expect(page.getByText("1 invalid field")).toBeVisible();
    await expect(page.getByText(/Got "1" as "amount".*Got "eur" as "currency"/)).toBeVisible();
  });

  test("gives a new amount the currency of the item before it", async ({ page }) => {
    const items = [{ name: "Tea", quantity: 1, each: { amount: 4, currency: "CHF" } }];
    // The others of the template are in pounds.
    const data = { items, extras: [] };
    await page.goto(`/templates/commerce/receipt?data=${encodeURIComponent(JSON.stringify(data))}`);
    await picture(page);
    const list = page.getByRole("group", { name: "Lines (required)" });
    await list.getByRole("button", { name: "Add an item" }).press("Enter");
    await expect(list.getByRole("textbox", { name: "Currency" }).last()).toHaveValue("CHF");
    await list.getByRole("spinbutton", { name: "Amount" }).last().fill("5");
    await expect(page).toHaveURL(/CHF.*CHF/);
  });

  test("fits and is accessible in every width and theme", async ({ page }) => {
    await page.goto(RANKING);
    await picture(page);
    const rows = page.getByRole("group", { name: "Rows (required)" });
    await rows.getByRole("button", { name: /Tanganyika$/, expanded: false }).click();
    await matrix(page, async (look) => {
      await expectAccessible(page, look);
      await shot(page, `list-${look.name}`);
    });
  });
});
