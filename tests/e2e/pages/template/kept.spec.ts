import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { makePerson } from "../fixtures/servers.ts";
import { expect, field, imageFile, picture, QUOTE, test } from "../fixtures/template-page.ts";

const INVOICE = "/templates/document/invoice";
/** In a query, each of these takes nine characters. */
const LONG = "請求書".repeat(60);

test.describe("values that are too long for the address", () => {
  // The server does not know them, so the form grows once the page has read them.
  test.use({ tolerated: [/ shifted by 0\.0/] });

  test("are kept over a reload and a visit to another page", async ({ page }) => {
    await page.goto(INVOICE);
    for (const name of ["About the seller", "Buyer (required)", "Notes", "How to pay"])
      await field(page, name).fill(LONG);
    await expect(page.getByText("The values are too long for a link.")).toBeVisible();
    await page.reload();
    await expect(field(page, "Notes")).toHaveValue(LONG);
    await page.getByRole("link", { name: "Templates" }).first().click();
    await expect(page).toHaveURL(/\/$/);
    await page.goBack();
    await expect(field(page, "Notes")).toHaveValue(LONG);
    await page.getByRole("button", { name: "Reset all" }).click();
    await page.reload();
    await expect(field(page, "Notes")).not.toHaveValue(LONG);
  });
});

test("what is typed right before a reload is there after it, also where the address changes meanwhile", async ({
  page,
}) => {
  await page.goto(QUOTE);
  await picture(page);
  const changed = Promise.withResolvers<void>();
  await page.exposeFunction("addressHasEdit", changed.resolve);
  await page.evaluate(() => {
    const { addressHasEdit } = window as unknown as { addressHasEdit: () => void };
    const replaceState = window.history.replaceState.bind(window.history);
    window.history.replaceState = (...args) => {
      replaceState(...args);
      if (window.location.search.includes("Lovelace")) addressHasEdit();
    };
  });
  // The reload has begun without the edit. The new page comes once the address has it.
  await page.route(page.url(), async (route) => {
    await changed.promise;
    await route.continue();
  });
  await field(page, "Author").fill("Ada Lovelace");
  await page.reload();
  await expect(field(page, "Author")).toHaveValue("Ada Lovelace");
});

test("a page that is opened anew has no earlier edits, also after a reload that was stopped", async ({ page }) => {
  await page.goto(QUOTE);
  await picture(page);
  await page.route(page.url(), (route) => route.abort("aborted"), { times: 1 });
  await expect(page.reload()).rejects.toThrow(/abort/i);
  await field(page, "Author").fill("Ada Lovelace");
  await expect(page).toHaveURL(/Lovelace/);
  await page.getByRole("link", { name: "Templates" }).first().click();
  await expect(page).toHaveURL(/\/$/);
  await page.goto(QUOTE);
  // What is kept is given back once the page has its scripts.
  await picture(page);
  await expect(field(page, "Author")).toHaveValue("Virginia Woolf");
});

test("a chosen image is kept over a reload", async ({ page }) => {
  const dir = mkdtempSync(join(tmpdir(), "platen-kept-"));
  try {
    await page.goto(QUOTE);
    await page.getByLabel("Portrait or emblem", { exact: true }).setInputFiles(await imageFile(dir));
    await expect(page.getByText("80 × 100, 1 kB")).toBeVisible();
    await page.reload();
    await expect(page.getByText("80 × 100, 1 kB")).toBeVisible();
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
});

test("a template can be left where the browser forbids pages to store anything", async ({ page }) => {
  await page.addInitScript(() => {
    const forbidden = () => {
      throw new DOMException("Access is denied for this document.", "SecurityError");
    };
    Object.defineProperty(window, "sessionStorage", { get: forbidden });
  });
  await page.goto(QUOTE);
  await picture(page);
  await field(page, "Author").fill("Ada Lovelace");
  await page.getByRole("link", { name: "Templates" }).first().click();
  await expect(page.getByRole("searchbox", { name: "Search templates" })).toBeVisible();
});

test("a link that is followed right after typing opens its page, also where that takes a while", async ({ page }) => {
  const typed = "data=%7B%22author%22%3A%22Ada+Lovelace%22%7D";
  await page.goto(QUOTE);
  await picture(page);
  // The page comes once the edit could have changed the address.
  await page.route(/_rsc=/, async (route) => {
    await page.waitForURL(`**?${typed}`);
    await route.continue();
  });
  await field(page, "Author").fill("Ada Lovelace");
  await page.getByRole("link", { name: "Templates" }).first().click();
  await expect(page).toHaveURL(/\/$/);
  await page.goBack();
  await expect(field(page, "Author")).toHaveValue("Ada Lovelace");
});

test.describe("with the access layer on", () => {
  test.use({ mode: "guarded" });

  test("what was typed after the session had ended is there after signing in", async ({ page, signIn }) => {
    await signIn(page, "user");
    await page.goto(QUOTE);
    await picture(page);
    await page.context().clearCookies();
    await field(page, "Author").fill("Ada Lovelace");
    await expect(page).toHaveURL(/\/login\?/);
    const next = new URL(page.url()).searchParams.get("next") ?? "";
    await signIn(page, "user");
    await page.goto(next);
    await expect(field(page, "Author")).toHaveValue("Ada Lovelace");
  });

  test.describe("a chosen image", () => {
    const keptCount = (page: Page) => page.evaluate(() => sessionStorage.length);

    test.beforeEach(async ({ page, guarded, signIn }) => {
      const dir = mkdtempSync(join(tmpdir(), "platen-kept-"));
      try {
        // A person of its own, because signing out ends the session.
        await signIn(page, await makePerson(guarded));
        await page.goto(QUOTE);
        await page.getByLabel("Portrait or emblem", { exact: true }).setInputFiles(await imageFile(dir));
        await expect(page.getByText("80 × 100, 1 kB")).toBeVisible();
        await page.reload();
        await expect(page.getByText("80 × 100, 1 kB")).toBeVisible();
        expect(await keptCount(page)).toBe(1);
      } finally {
        rmSync(dir, { recursive: true, force: true });
      }
    });

    test("is not kept after signing out", async ({ page }) => {
      await page.getByRole("button", { name: /account/i }).click();
      await page.getByRole("button", { name: "Sign out" }).click();
      // With the address to return to, where a picture was being drawn.
      await expect(page).toHaveURL(/\/login/);
      expect(await keptCount(page)).toBe(0);
    });

    test("is not kept after another user has signed in", async ({ page, signIn }) => {
      await page.goto("/account");
      await page.context().clearCookies();
      await signIn(page, "admin");
      await page.goto(INVOICE);
      await picture(page);
      expect(await keptCount(page)).toBe(0);
    });
  });
});
