import type { Locator, Page } from "@playwright/test";
import { expect, test } from "./fixtures.ts";
import { expectAccessible, matrix, shot } from "./looks.ts";

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

/** Answers the page's own questions with a report that `change` has made of the real one. */
async function answerWith(page: Page, change: (report: Report) => void): Promise<void> {
  await page.route("**/api/service/status", async (route) => {
    const response = await route.fetch();
    const report = (await response.json()) as Report;
    change(report);
    await route.fulfill({ response, json: report });
  });
}

test("says how everything does, with what to do where something is not well", async ({ page, open }) => {
  await page.goto("/status");
  await expect(page).toHaveTitle("Status · Platen");
  const { checks, state } = (await open.client.ask("GET", "/api/service/status")).json() as Report;
  await expect(rows(page)).toHaveCount(checks.length);
  for (const { title, state: own, remedy } of checks) {
    const row = rows(page).filter({ has: page.getByRole("heading", { name: title, exact: true }) });
    await expect(row).toContainText({ ok: "Good", warning: "Look at this", error: "Broken" }[own] as string);
    if (remedy !== null) await expect(row).toContainText(`What to do: ${remedy}`);
  }
  const verdict = { ok: "Everything works.", warning: "It works, with", error: "broken." }[state] as string;
  await expect(page.getByRole("status").filter({ hasText: "checks are good" })).toContainText(verdict);
  const memory = rows(page).filter({ has: page.getByRole("heading", { name: "Memory" }) });
  await memory.getByText("Details").click();
  await expect(memory).toContainText(/Free\s*[\d.]+ GB/);
});

test("looks again on request, puts what is broken first, and says it", async ({ page }) => {
  await page.goto("/status");
  await answerWith(page, (report) => {
    report.state = "error";
    const disk = report.checks.find(({ id }) => id === "disk");
    Object.assign(disk ?? {}, { state: "error", summary: "No room is left.", remedy: "Free some room there." });
  });
  await page.getByRole("button", { name: "Check again" }).click();
  await expect(page.getByRole("status").filter({ hasText: "One thing is broken." })).toBeVisible();
  await expect(rows(page).first()).toContainText(
    /Broken\s*Data folder\s*No room is left.\s*What to do: Free some room/,
  );
  await expectAccessible(page);
  await shot(page, "status-broken");
});

test("looks again by itself while it is seen, until it is told not to", async ({ page }) => {
  let looks = 0;
  await answerWith(page, () => {
    looks += 1;
  });
  await page.clock.install();
  await page.goto("/status");
  const watching = page.getByRole("switch", { name: "Check every ten seconds" });
  await expect(watching).toBeChecked();
  await page.clock.runFor(10_000);
  await expect.poll(() => looks).toBe(1);
  await watching.click();
  await page.clock.runFor(60_000);
  expect(looks).toBe(1);
});

test("a look that failed is forgotten with the next that does not, whoever asked for it", async ({ page }) => {
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

test("looks once at a time", async ({ page }) => {
  let looks = 0;
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
  await page.route("**/api/service/status", async (route) => {
    looks += 1;
    await held;
    await route.continue();
  });
  await page.clock.install();
  await page.goto("/status");
  const again = page.getByRole("button", { name: "Check again" });
  await again.click();
  await expect.poll(() => looks).toBe(1);
  await page.clock.runFor(30_000);
  letGo();
  await expect(again).not.toHaveAttribute("aria-busy");
  expect(looks).toBe(1);
});

test("shows the faults of a template as long as they are there, and no longer", async ({ page }) => {
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

test("does not look by itself where every byte is paid for", async ({ page }) => {
  await page.addInitScript(() => Object.defineProperty(navigator, "connection", { value: { saveData: true } }));
  await page.goto("/status");
  await page.getByRole("button", { name: "Check again" }).click();
  await expect(page.getByRole("switch")).not.toBeChecked();
});

test.describe("when the service does not answer", () => {
  test.use({ tolerated: [/Failed to load resource/] });

  test("says so, and keeps what was known", async ({ page }) => {
    await page.goto("/status");
    const before = await rows(page).count();
    await page.route("**/api/service/status", (route) => route.abort());
    await page.getByRole("button", { name: "Check again" }).click();
    await expect(page.getByRole("alert").filter({ hasText: "could not be reached" })).toBeVisible();
    await expect(rows(page)).toHaveCount(before);
    await shot(page, "status-unreachable");
  });
});

test("shows every script as it is drawn, in the theme of the page, and as text", async ({ page, open }) => {
  await page.emulateMedia({ colorScheme: "light" });
  await page.goto("/status");
  const sheet = page.getByRole("region", { name: "Drawn samples" }).getByRole("img");
  await sheet.scrollIntoViewIfNeeded();
  await expect(sheet).toHaveAttribute("src", /theme=light$/);
  await expect.poll(() => sheet.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(1600);
  await page.getByRole("radio", { name: "Dark" }).click();
  await expect(sheet).toHaveAttribute("src", /theme=dark$/);
  await expect.poll(() => sheet.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(1600);
  await page.getByText("The same as text").click();
  const { scripts } = (await open.client.ask("GET", "/api/service/status")).json() as Report;
  for (const { name, sample } of scripts) {
    const entry = page.locator("dl div").filter({ has: page.getByText(name, { exact: true }) });
    await expect(entry.getByText(sample)).toBeVisible();
  }
});

test("looks right in every theme and width, and axe finds nothing, details too", async ({ page }) => {
  // Axe reads everything once for each look.
  test.slow();
  await page.goto("/status");
  await matrix(page, ({ name }) => shot(page, `status-${name}`));
  await openDetails(page);
  await matrix(page, async ({ name }) => {
    await expectAccessible(page);
    await shot(page, `status-details-${name}`);
  });
});

test.describe("with the access layer on", () => {
  test.use({ mode: "guarded" });

  test("is for administrators, and to nobody else there", async ({ page, guarded, signIn }) => {
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
    await expect(rows(page).filter({ hasText: "Database" })).toContainText("Good");
    expect((await guarded.client.ask("GET", "/status")).status).toBe(307);
  });
});
