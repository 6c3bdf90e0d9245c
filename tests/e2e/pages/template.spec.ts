import { readCodes } from "#tests/templates/read-codes.ts";
import { expectAccessible, expectFits, matrix, resize, shot } from "./fixtures/looks.ts";
import { expect, field, picture, pngOf, QUOTE, rendered, test } from "./fixtures/template-page.ts";

test.describe("the page of a template", () => {
  test("shows the thumbnail at once, and then the rendered picture", async ({ page, open }) => {
    await page.goto(QUOTE);
    await expect(page).toHaveTitle("Quote card · Platen");
    await expect(page.getByRole("heading", { level: 1, name: "Quote card" })).toBeVisible();
    expect(await pngOf(page)).toEqual(await rendered(open.origin, { template: "social/quote" }));
    await expect(page.getByText(/^1080 × 1080 · \d+ kB · /)).toBeVisible();
  });

  test("contains its thumbnail, values and code without scripts", async ({ request, open }) => {
    const html = await (
      await request.get(`${QUOTE}?variant=poster&data=${encodeURIComponent('{"author":"Ada"}')}`)
    ).text();
    expect(html).toContain("/api/service/thumbnails/social/quote?variant=poster");
    expect(html).toContain('value="Ada"');
    expect(html).toContain("/api/service/images/render");
    expect(html).not.toContain(new URL(open.origin).host);
  });

  test("renders the edits in the chosen variant, and keeps them in the address", async ({ page, open }) => {
    await page.goto(QUOTE);
    await field(page, "Author").fill('Ada "L" O\'Lovelace 😀 عدا');
    await page.getByRole("radio", { name: "poster" }).click();
    await page.getByRole("combobox", { name: "Setting" }).selectOption("book");
    await field(page, "Paper (required)").fill("#abc");
    const data = { author: 'Ada "L" O\'Lovelace 😀 عدا', setting: "book", paper: "#abc" };
    await expect(page).toHaveURL(/variant=poster/);
    await expect(page).toHaveURL(/setting/);
    await expect(page).toHaveURL(/abc/);
    const png = await pngOf(page);
    expect(png).toEqual(await rendered(open.origin, { template: "social/quote", variant: "poster", data }));
    const again = await page.context().newPage();
    await again.goto(page.url());
    await expect(field(again, "Author")).toHaveValue(data.author);
    await expect(again.getByRole("radio", { name: "poster" })).toBeChecked();
    expect(await pngOf(again)).toEqual(png);
  });

  test("renders the text of a QR code so that a scanner reads it", async ({ page }) => {
    await page.goto("/templates/event/ticket");
    await picture(page);
    const text = "MATMSG:TO:door@example.com;\nSUB:Entrée 🎟;;";
    await field(page, "Entry code").fill(text);
    await expect(page).toHaveURL(/MATMSG/);
    await expect(page.getByText("1 changed")).toBeVisible();
    expect(await readCodes(await pngOf(page))).toEqual([text]);
  });

  test("resets one value or all of them, and moves the focus to the field", async ({ page }) => {
    await page.goto(QUOTE);
    const author = field(page, "Author");
    await author.fill("Ada");
    await field(page, "Source").fill("");
    await expect(page.getByText("2 changed")).toBeVisible();
    await page.getByRole("button", { name: "Reset Author" }).press("Enter");
    await expect(author).toHaveValue("Virginia Woolf");
    await expect(author).toBeFocused();
    await page.getByRole("button", { name: "Reset all" }).click();
    await expect(field(page, "Source")).toHaveValue("A Room of One’s Own, 1929");
    await expect(page).toHaveURL(new RegExp(`${QUOTE}$`));
  });

  test("does not count a colour as changed when it was only focused", async ({ page }) => {
    await page.goto(QUOTE);
    await field(page, "Paper (required)").focus();
    await page.keyboard.press("Tab");
    await page.getByRole("radio", { name: "poster" }).click();
    await expect(page).toHaveURL(/\?variant=poster$/);
    await expect(page.getByText("unchanged", { exact: true })).toBeVisible();
  });

  test("keeps edits and their address when the reader jumps to the code and back", async ({ page }) => {
    await page.goto(QUOTE);
    const author = field(page, "Author");
    await page.getByRole("link", { name: "Code", exact: true }).click();
    await author.fill("Ada");
    await expect(page).toHaveURL(/Ada.*#code$/);
    await page.goBack();
    await expect(page).toHaveURL(/Ada[^#]*$/);
    await expect(author).toHaveValue("Ada");
    await author.fill("Grace");
    await expect(page).toHaveURL(/Grace[^#]*$/);
    await page.goForward();
    await expect(page).toHaveURL(/Grace.*#code$/);
    await page.reload();
    await expect(author).toHaveValue("Grace");
  });

  test("marks the history entry of an anchor with the state of the router, so that going back does not reload the page", async ({
    page,
  }) => {
    await page.goto(QUOTE);
    await page.getByRole("link", { name: "Code", exact: true }).click();
    await expect(page).toHaveURL(/#code$/);
    expect(await page.evaluate(() => window.history.state)).toMatchObject({ __NA: true });
  });

  test("shows an error at its field, and keeps the last picture", async ({ page }) => {
    await page.goto(QUOTE);
    const before = await (await picture(page)).getAttribute("src");
    const author = field(page, "Author");
    await author.fill("x".repeat(61));
    await expect(page.getByText("61 / 60")).toBeVisible();
    await expect(author).toHaveAccessibleDescription(/Got 61 characters, want at most 60\./);
    await expect(author).toHaveAttribute("aria-invalid", "true");
    expect(await (await picture(page)).getAttribute("src")).toBe(before);
    await expectAccessible(page);
    await shot(page, "template-error");
    await author.fill("x".repeat(60));
    await expect(author).not.toHaveAttribute("aria-invalid", "true");
  });

  test("shows warnings at their field and in a list", async ({ page }) => {
    await page.goto(QUOTE);
    const author = field(page, "Author");
    await author.fill("W".repeat(40));
    await expect(author).toHaveAccessibleDescription(/Made smaller to fit/);
    await expect(page.getByText("1 warning", { exact: true })).toBeVisible();
    await expect(page.getByRole("status").filter({ hasText: "with 1 warning" })).toBeAttached();
    await expectAccessible(page);
  });

  test("counts characters as the service does", async ({ page }) => {
    await page.goto(QUOTE);
    // One composed letter, one emoji of seven code points.
    await field(page, "Author").fill("e\u0301👨‍👩‍👧‍👦");
    await expect(page.getByText("8 / 60")).toBeVisible();
  });

  test("suggests similar templates for an unknown slug", async ({ page }) => {
    const response = await page.goto("/templates/social/qoute");
    expect(response?.status()).toBe(404);
    await page.getByRole("link", { name: "social/quote" }).click();
    await expect(page.getByRole("heading", { level: 1, name: "Quote card" })).toBeVisible();
  });
});

test.describe("by keyboard alone", () => {
  test("a picture is rendered, and its code is copied", async ({ page, readClipboard }) => {
    await page.goto(QUOTE);
    await picture(page);
    const author = field(page, "Author");
    for (
      let presses = 0;
      presses < 60 && !(await author.evaluate((node) => node === document.activeElement));
      presses++
    ) {
      await page.keyboard.press("Tab");
    }
    await expect(author).toBeFocused();
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.type("Ada");
    const asked = page.waitForRequest("**/api/service/images/render");
    await page.keyboard.press("Control+Enter");
    await asked;
    await page.keyboard.press("Control+Shift+Enter");
    await expect(page.getByText("curl code copied")).toBeVisible();
    const copied = await readClipboard();
    expect(copied).toContain('"author": "Ada"');
    await expect(author).toBeFocused();
    await expect(author).toHaveValue("Ada");
  });
});

test.describe("with the access layer on", () => {
  test.use({ mode: "guarded" });

  test("visitors are redirected to the sign-in page, which leads back to the link", async ({ request }) => {
    for (const path of [`${QUOTE}?variant=poster`, "/templates/none"]) {
      const answer = await request.get(path, { maxRedirects: 0 });
      expect([answer.status(), answer.headers().location]).toEqual([307, `/login?next=${encodeURIComponent(path)}`]);
      expect(await answer.text()).not.toContain("Frederick");
    }
  });
});

test("is accessible in every theme and width", async ({ page }) => {
  test.slow();
  await page.goto(`${QUOTE}?variant=verse`);
  await picture(page);
  await matrix(page, async (look) => {
    await shot(page, `template-quote-${look.name}`);
    if (["light-320", "dark-1440"].includes(look.name)) await expectAccessible(page);
  });
  for (const [name, path] of [
    ["ticket", "/templates/event/ticket"],
    ["story", "/templates/social/story"],
  ] as const) {
    await page.goto(path);
    await picture(page);
    await expectFits(page);
    await expectAccessible(page);
    await shot(page, `template-${name}`);
  }
  await resize(page, 2560, 1300);
  await expectFits(page);
});
