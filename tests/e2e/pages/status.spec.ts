import type { Locator, Page } from "@playwright/test";
import { expect, test } from "./fixtures/fixtures.ts";
import { expectAccessible, matrix, shot } from "./fixtures/looks.ts";

type Detail = { group: string | null; label: string; value: string; unit: null };

type Report = {
  state: string;
  checks: {
    id: string;
    title: string;
    state: string;
    summary: string;
    remedy: string | null;
    details: Detail[];
  }[];
  scripts: { name: string; sample: string }[];
};

function rows(page: Page): Locator {
  return page.getByRole("list", { name: "Checks" }).getByRole("listitem");
}

async function openDetails(page: Page): Promise<void> {
  for (const summary of await page.locator("main summary").all()) await summary.click();
}

/** Answers the requests of the page with the real report after `change`. */
async function answerWith(page: Page, change: (report: Report) => void): Promise<void> {
  await page.route("**/api/service/status", async (route) => {
    const response = await route.fetch();
    const report = (await response.json()) as Report;
    change(report);
    await route.fulfill({ response, json: report });
  });
}

test("shows the state of every check, with the remedy for problems", async ({ page, open }) => {
  await page.goto("/status");
  await expect(page).toHaveTitle("Status · Platen");
  const { checks, state } = (await open.client.ask("GET", "/api/service/status")).json() as Report;
  await expect(rows(page)).toHaveCount(checks.length);
  for (const { title, state: own, remedy } of checks) {
    const row = rows(page).filter({ has: page.getByRole("heading", { name: title, exact: true }) });
    await expect(row).toContainText({ ok: "OK", warning: "Warning", error: "Error" }[own] as string);
    if (remedy !== null) await expect(row).toContainText(`What to do: ${remedy}`);
  }
  const verdict = { ok: "Everything works", warning: "Working, with", error: "found" }[state] as string;
  await expect(page.getByRole("status").filter({ hasText: "checks passed" })).toContainText(verdict);
  const memory = rows(page).filter({ has: page.getByRole("heading", { name: "Memory" }) });
  await memory.getByText("Details").click();
  await expect(memory).toContainText(/Free\s*[\d.]+ GB/);
});

test("checks again on request, and shows and announces errors first", async ({ page }) => {
  await page.goto("/status");
  await answerWith(page, (report) => {
    report.state = "error";
    const disk = report.checks.find(({ id }) => id === "disk");
    Object.assign(disk ?? {}, { state: "error", summary: "No room is left.", remedy: "Free some room there." });
  });
  await page.getByRole("button", { name: "Check again" }).click();
  await expect(page.getByRole("status").filter({ hasText: "1 problem found" })).toBeVisible();
  await expect(rows(page).first()).toContainText(/Error\s*Data folder\s*No room is left.\s*What to do: Free some room/);
  await expectAccessible(page);
  await shot(page, "status-broken");
});

test("checks automatically while the page is visible, until that is switched off", async ({ page }) => {
  let checks = 0;
  await answerWith(page, () => {
    checks += 1;
  });
  await page.clock.install();
  await page.goto("/status");
  const watching = page.getByRole("checkbox", { name: "Check every 10 seconds" });
  await expect(watching).toBeChecked();
  await page.clock.runFor(10_000);
  await expect.poll(() => checks).toBe(1);
  await watching.click();
  await page.clock.runFor(60_000);
  expect(checks).toBe(1);
});

test("a failed check is no longer shown after the next successful one, automatic or not", async ({ page }) => {
  await page.clock.install();
  await page.goto("/status");
  const error = { code: "unavailable", message: "Away.", requestId: "r" };
  await page.route("**/api/service/status", (route) => route.fulfill({ status: 503, json: { error } }), { times: 1 });
  await page.getByRole("button", { name: "Check again" }).click();
  const failure = page.getByRole("main").getByRole("alert");
  await expect(failure).toContainText("Away.");
  await page.clock.runFor(10_000);
  await expect(failure).toBeEmpty();
});

test("sends one check at a time", async ({ page }) => {
  let checks = 0;
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
  await page.route("**/api/service/status", async (route) => {
    checks += 1;
    await held;
    await route.continue();
  });
  await page.clock.install();
  await page.goto("/status");
  const again = page.getByRole("button", { name: "Check again" });
  await again.click();
  await expect.poll(() => checks).toBe(1);
  await page.clock.runFor(30_000);
  letGo();
  await expect(again).not.toHaveAttribute("aria-busy");
  expect(checks).toBe(1);
});

test("shows the faults of a template until they are fixed", async ({ page }) => {
  await page.goto("/status");
  const templates = rows(page).filter({ has: page.getByRole("heading", { name: "Templates", exact: true }) });
  await templates.getByText("Details").click();
  for (const faults of [["one 1", "two 1", "two 2"], ["two 2"], []]) {
    await answerWith(page, ({ checks }) => {
      const details = faults.map(
        (value): Detail => ({ group: null, label: `faulty/${value.split(" ")[0]}`, value, unit: null }),
      );
      checks.find(({ id }) => id === "templates")?.details.push(...details);
    });
    await page.getByRole("button", { name: "Check again" }).click();
    await expect(templates.getByRole("definition").filter({ hasText: /^(?:one|two)/ })).toHaveText(faults);
  }
});

test("does not check automatically when the browser saves data", async ({ page }) => {
  await page.addInitScript(() => Object.defineProperty(navigator, "connection", { value: { saveData: true } }));
  await page.goto("/status");
  await page.getByRole("button", { name: "Check again" }).click();
  await expect(page.getByRole("checkbox")).not.toBeChecked();
});

test.describe("when the service is unreachable", () => {
  test.use({ tolerated: [/Failed to load resource/] });

  test("shows the failure, and keeps the last report", async ({ page }) => {
    await page.goto("/status");
    const before = await rows(page).count();
    await page.route("**/api/service/status", (route) => route.abort());
    await page.getByRole("button", { name: "Check again" }).click();
    await expect(page.getByRole("alert").filter({ hasText: "could not be reached" })).toBeVisible();
    await expect(rows(page)).toHaveCount(before);
    await shot(page, "status-unreachable");
  });
});

test("shows a rendered sample of every script in the theme of the page, and as text", async ({ page, open }) => {
  await page.emulateMedia({ colorScheme: "light" });
  await page.goto("/status");
  const sheet = page.getByRole("region", { name: "Rendered samples" }).getByRole("img");
  await sheet.scrollIntoViewIfNeeded();
  await expect(sheet).toHaveAttribute("src", /theme=light$/);
  await expect.poll(() => sheet.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(1600);
  await page.getByRole("radio", { name: "Dark" }).click();
  await expect(sheet).toHaveAttribute("src", /theme=dark$/);
  // The click has scrolled to the top, and Firefox requests pictures below the window later than Chromium.
  await sheet.scrollIntoViewIfNeeded();
  await expect.poll(() => sheet.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(1600);
  await page.getByText("Show as text").click();
  const { scripts } = (await open.client.ask("GET", "/api/service/status")).json() as Report;
  for (const { name, sample } of scripts) {
    const entry = page.locator("dl div").filter({ has: page.getByText(name, { exact: true }) });
    await expect(entry.getByText(sample)).toBeVisible();
  }
});

test("is accessible in every theme and width, with open details too", async ({ page }) => {
  test.slow();
  await page.goto("/status");
  await matrix(page, ({ name }) => shot(page, `status-${name}`));
  await openDetails(page);
  await matrix(page, async (look) => {
    await expectAccessible(page, look);
    await shot(page, `status-details-${look.name}`);
  });
});

test.describe("with the access layer on", () => {
  test.use({ mode: "guarded" });

  test("is a 404 for other users than administrators", async ({ page, guarded, signIn }) => {
    await page.goto("/status");
    await expect(page).toHaveURL("/login?next=%2Fstatus");
    await signIn(page, "user");
    const response = await page.goto("/status");
    expect(response?.status()).toBe(404);
    const html = (await response?.text()) ?? "";
    for (const word of ["Chromium", "SERVICE_", "checkedAt"]) expect(html).not.toContain(word);
    await expect(page.getByRole("navigation", { name: "Main" })).not.toContainText("Status");
    await signIn(page, "admin");
    await page.goto("/status");
    await expect(rows(page).filter({ hasText: "Database" })).toContainText("OK");
    expect((await guarded.client.ask("GET", "/status")).status).toBe(307);
  });
});
