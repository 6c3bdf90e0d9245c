import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import { expect, test } from "../fixtures/fixtures.ts";
import { expectAccessible, expectFits, resize, shot } from "../fixtures/looks.ts";
import { addLogins } from "../fixtures/rows.ts";
import { makePerson, newSession } from "../fixtures/servers.ts";
import { expectLooks, expectLooksAtExtremes } from "../fixtures/states.ts";

test.use({ mode: "guarded" });

/** The sentences of the entries, in order. */
const entries = (page: Page) => page.getByRole("main").locator("summary");

test("shows each entry as a sentence, newest first, with details on request", async ({ page, signIn, guarded }) => {
  const person = await makePerson(guarded, { name: "Audited Person" });
  const cookie = guarded.sessions.admin;
  await guarded.client.logIn(person.email, "not the password");
  const body = { role: "admin", status: "deactivated" };
  await guarded.client.ask("PATCH", `/api/service/users/${person.id}`, { body, cookie });
  await signIn(page, "admin");
  await page.goto("/audit");
  await expect(page).toHaveTitle("Audit trail · Platen");
  const of = entries(page).filter({ hasText: person.email });
  await expect(of).toContainText([
    `${guarded.admin.email} made ${person.email} an administrator and deactivated ${person.email}`,
    `Someone failed to sign in as ${person.email}`,
    `${guarded.admin.email} created ${person.email}, a user`,
  ]);
  await expect(of.first().getByRole("time")).toHaveAttribute("title", /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/);
  await of.first().focus();
  await page.keyboard.press("Enter");
  const details = page.getByRole("listitem").filter({ hasText: `made ${person.email} an administrator` });
  await expect(details).toContainText("user.updated");
  await expect(details).toContainText("New status");
  await details.getByRole("link", { name: "Show only their entries" }).last().click();
  await expect(page).toHaveURL(`/audit?user=${person.id}`);
  await expect(entries(page)).toHaveCount(3);
  await entries(page).first().click();
  await expectLooks(page, "audit");
});

test("the field for a user has room for an email in windows of any width", async ({ page, signIn }) => {
  await signIn(page, "admin");
  await page.goto("/audit");
  for (const width of [320, 640, 700, 768, 800, 880, 1024]) {
    await resize(page, width);
    await expectFits(page);
    const box = await page.getByLabel("User").boundingBox();
    expect(box?.width, `in a window of ${width} px`).toBeGreaterThan(180);
  }
});

test("can be filtered by action and by user, found by a part of the email", async ({ page, signIn, guarded }) => {
  const [first, second] = [
    await makePerson(guarded, { name: "Twin Sister" }),
    await makePerson(guarded, { name: "Twin Brother" }),
  ];
  await newSession(guarded, first);
  await signIn(page, "admin");
  await page.goto("/audit");
  await page.getByLabel("User").fill("twin ");
  await page.getByLabel("User").press("Enter");
  await expect(page.getByRole("heading", { name: "Which user?" })).toBeVisible();
  await expectLooks(page, "audit-whom");
  await page.getByRole("link", { name: first.email }).click();
  await expect(entries(page)).toHaveCount(2);
  await page.getByLabel("Action").selectOption("login");
  await page.getByRole("button", { name: "Show", exact: true }).click();
  await expect(entries(page)).toContainText([`${first.email} signed in`]);
  await expectLooksAtExtremes(page, "audit-filtered");
  await page.getByRole("link", { name: `Remove the filter for ${first.email}` }).click();
  await expect(page).toHaveURL("/audit?action=login");
  await page.getByLabel("User").fill(second.email.toUpperCase());
  await page.getByLabel("User").press("Enter");
  await expect(page.getByRole("heading", { name: "No matching entries" })).toBeVisible();
  await expectLooksAtExtremes(page, "audit-nothing");
  await page.goto("/audit?user=nobody-has-this");
  await expect(page.getByRole("heading", { name: /^No user found for “nobody-has-this”/ })).toBeVisible();
  await expectAccessible(page);
});

test("finds a user by the complete email, even if it is part of other emails", async ({ page, signIn, guarded }) => {
  const cookie = guarded.sessions.admin;
  const made: string[] = [];
  try {
    for (const letter of ["", ..."abcdefgh"]) {
      const body = { email: `${letter}lee@example.org`, name: "Lee", password: "a pass phrase of lee" };
      const answer = await guarded.client.ask("POST", "/api/service/users", { body, cookie });
      made.push((answer.json() as { id: string }).id);
    }
    await signIn(page, "admin");
    await page.goto("/audit?user=lee@example.org");
    await expect(entries(page)).toContainText([`${guarded.admin.email} created lee@example.org, a user`]);
    await page.goto("/audit?user=lee@example");
    await expect(page.getByText(/^9 users match “lee@example”; these are the first 8/)).toBeVisible();
    await expect(page.getByRole("main").getByRole("link", { name: /lee@example/ })).toHaveCount(8);
  } finally {
    for (const id of made) await guarded.client.ask("DELETE", `/api/service/users/${id}`, { cookie });
  }
});

test("keeps the entries of a deleted user under their last email", async ({ page, signIn, guarded }) => {
  const person = await makePerson(guarded);
  const cookie = guarded.sessions.admin;
  await guarded.client.ask("DELETE", `/api/service/users/${person.id}`, { cookie });
  await signIn(page, "admin");
  await page.goto(`/audit?user=${person.id}`);
  await expect(page.getByText(`${person.email} (deleted)`)).toBeVisible();
  await expect(entries(page)).toContainText([`deleted ${person.email}`, `created ${person.email}`]);
});

test("pages to older and newer entries without repeating or skipping one", async ({ page, signIn, guarded }) => {
  const person = await makePerson(guarded, { name: "Frequent Guest" });
  await addLogins(guarded, { ...person, count: 120 });
  await signIn(page, "admin");
  await page.goto(`/audit?user=${person.id}`);
  const moments = () =>
    entries(page)
      .getByRole("time")
      .evaluateAll((times) => times.map((time) => time.getAttribute("datetime")));
  const openPage = async (name: string) => {
    const before = page.url();
    await page.getByRole("link", { name, exact: true }).click();
    await expect(page).not.toHaveURL(before);
    await expect(page.getByRole("navigation", { name: "Pages" })).toBeVisible();
  };
  await expect(page.getByRole("link", { name: "Newer" })).toHaveCount(0);
  const pages = [await moments()];
  for (const count of [50, 21]) {
    await openPage("Older");
    await expect(entries(page)).toHaveCount(count);
    pages.push(await moments());
  }
  await expect(page.getByRole("link", { name: "Older" })).toHaveCount(0);
  expect(new Set(pages.flat()).size).toBe(121);
  expect(pages.flat()).toEqual(pages.flat().toSorted().toReversed());
  await expectAccessible(page);
  await shot(page, "audit-last-page");
  await openPage("Newer");
  expect(await moments()).toEqual(pages[1]);
  await openPage("Newer");
  expect(await moments()).toEqual(pages[0]);
  await expect(page.getByRole("link", { name: "Newer" })).toHaveCount(0);
  await openPage("Older");
  await openPage("Newest");
  expect(await moments()).toEqual(pages[0]);
});

/** Follows a link to a file. @returns its name and its lines */
async function downloadedLines(page: Page, link: string): Promise<{ name: string; lines: string[] }> {
  const started = page.waitForEvent("download");
  await page.getByRole("link", { name: link }).click();
  const download = await started;
  return {
    name: download.suggestedFilename(),
    lines: readFileSync(await download.path(), "utf8")
      .trimEnd()
      .split("\n"),
  };
}

test("exports all entries of a filter, on every page of it", async ({ page, signIn, guarded }) => {
  const person = await makePerson(guarded, { name: "Exported Person" });
  await addLogins(guarded, { ...person, count: 2_500 });
  await signIn(page, "admin");
  await page.goto(`/audit?user=${person.id}&action=login`);
  const csv = await downloadedLines(page, "Export CSV");
  expect(csv.name).toMatch(/^platen-audit-\d{8}T\d{6}Z\.csv$/);
  expect(csv.lines).toHaveLength(2_501);
  const today = new Date().toISOString().slice(0, 10);
  await page.getByLabel("From (UTC)").fill(today);
  await page.getByLabel("To (UTC)").fill(today);
  await page.getByLabel("Action").selectOption("");
  await page.getByRole("button", { name: "Show", exact: true }).click();
  await expect(entries(page)).toHaveCount(1);
  await expectLooks(page, "audit-days");
  const json = await downloadedLines(page, "Export JSON lines");
  expect(json.lines.map((line) => JSON.parse(line))).toMatchObject([{ action: "user.created" }]);
  await page.goto("/audit?action=audit.exported");
  await expect(entries(page).first()).toContainText(`${guarded.admin.email} exported the audit trail`);
});

test.describe("without scripts", () => {
  test.use({ javaScriptEnabled: false });

  test("the filter works as a form, and entries open", async ({ page, signIn, guarded }) => {
    await signIn(page, "admin");
    await page.goto("/audit?before=yesterday&action=nonsense");
    await page.getByLabel("Action").selectOption("login");
    await page.getByLabel("User").fill(guarded.admin.email);
    await page.getByRole("button", { name: "Show", exact: true }).click();
    await expect(entries(page).first()).toContainText(`${guarded.admin.email} signed in`);
    await entries(page).first().click();
    await expect(page.getByText("When", { exact: true }).first()).toBeVisible();
    const { lines } = await downloadedLines(page, "Export CSV");
    expect(lines.length).toBeGreaterThan(1);
  });
});
