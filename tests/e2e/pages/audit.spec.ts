import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures.ts";
import { expectAccessible, shot } from "./looks.ts";
import { addLogins } from "./rows.ts";
import { makePerson, newSession } from "./servers.ts";
import { expectLooks, expectLooksAtExtremes } from "./states.ts";

test.use({ mode: "guarded" });

/** The sentences of the page, in its order. */
const entries = (page: Page) => page.getByRole("main").locator("summary");

test("says in a sentence who did what to whom, the newest first, with everything known on request", async ({
  page,
  signIn,
  guarded,
}) => {
  const person = await makePerson(guarded, { name: "Audited Person" });
  const cookie = await newSession(guarded, guarded.admin);
  await guarded.client.logIn(person.email, "not the password");
  const body = { role: "admin", status: "deactivated" };
  await guarded.client.ask("PATCH", `/api/service/users/${person.id}`, { body, cookie });
  await signIn(page, "admin");
  await page.goto("/audit");
  await expect(page).toHaveTitle("Audit trail · Platen");
  const of = entries(page).filter({ hasText: person.email });
  await expect(of).toContainText([
    `${guarded.admin.email} made ${person.email} an administrator and deactivated ${person.email}`,
    `Somebody failed to sign in as ${person.email}`,
    `${guarded.admin.email} created ${person.email}, a user`,
  ]);
  await expect(of.first().getByRole("time")).toHaveAttribute("title", /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/);
  await of.first().focus();
  await page.keyboard.press("Enter");
  const details = page.getByRole("listitem").filter({ hasText: `made ${person.email} an administrator` });
  await expect(details).toContainText("user.updated");
  await expect(details).toContainText("Set status");
  await expectLooks(page, "audit");
  await details.getByRole("link", { name: "Only theirs" }).last().click();
  await expect(page).toHaveURL(`/audit?user=${person.id}`);
  await expect(entries(page)).toHaveCount(3);
});

test("is filtered by what happened and by whom, found by a part of an email", async ({ page, signIn, guarded }) => {
  const [first, second] = [
    await makePerson(guarded, { name: "Twin Sister" }),
    await makePerson(guarded, { name: "Twin Brother" }),
  ];
  await newSession(guarded, first);
  await signIn(page, "admin");
  await page.goto("/audit");
  await page.getByLabel("User").fill("twin ");
  await page.getByLabel("User").press("Enter");
  await expect(page.getByRole("heading", { name: "Whom do you mean?" })).toBeVisible();
  await expectLooks(page, "audit-whom");
  await page.getByRole("link", { name: first.email }).click();
  await expect(entries(page)).toHaveCount(2);
  await page.getByLabel("Action").selectOption("login");
  await page.getByRole("button", { name: "Show", exact: true }).click();
  await expect(entries(page)).toContainText([`${first.email} signed in`]);
  await expectLooksAtExtremes(page, "audit-filtered");
  await page.getByRole("link", { name: `Show everyone again, not only ${first.email}` }).click();
  await expect(page).toHaveURL("/audit?action=login");
  await page.getByLabel("User").fill(second.email.toUpperCase());
  await page.getByLabel("User").press("Enter");
  await expect(page.getByRole("heading", { name: "Nothing of the kind has happened." })).toBeVisible();
  await expectLooksAtExtremes(page, "audit-nothing");
  await page.goto("/audit?user=nobody-has-this");
  await expect(page.getByRole("heading", { name: /^Nobody has “nobody-has-this”/ })).toBeVisible();
  await expectAccessible(page);
});

test("is of whom a whole email names, however many emails hold it", async ({ page, signIn, guarded }) => {
  const cookie = await newSession(guarded, guarded.admin);
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
    await expect(page.getByText("9 users; these are the first 8.")).toBeVisible();
    await expect(page.getByRole("main").getByRole("link", { name: /lee@example/ })).toHaveCount(8);
  } finally {
    for (const id of made) await guarded.client.ask("DELETE", `/api/service/users/${id}`, { cookie });
  }
});

test("keeps what a deleted user did, by the name that they had", async ({ page, signIn, guarded }) => {
  const person = await makePerson(guarded);
  const cookie = await newSession(guarded, guarded.admin);
  await guarded.client.ask("DELETE", `/api/service/users/${person.id}`, { cookie });
  await signIn(page, "admin");
  await page.goto(`/audit?user=${person.id}`);
  await expect(page.getByText(`${person.email} (deleted)`)).toBeVisible();
  await expect(entries(page)).toContainText([`deleted ${person.email}`, `created ${person.email}`]);
});

test("is turned to older and newer pages, none of which repeats or leaves out an entry", async ({
  page,
  signIn,
  guarded,
}) => {
  const person = await makePerson(guarded, { name: "Frequent Guest" });
  await addLogins(guarded, { ...person, count: 120 });
  await signIn(page, "admin");
  await page.goto(`/audit?user=${person.id}`);
  const moments = () =>
    entries(page)
      .getByRole("time")
      .evaluateAll((times) => times.map((time) => time.getAttribute("datetime")));
  const turn = async (name: string) => {
    const before = page.url();
    await page.getByRole("link", { name, exact: true }).click();
    await expect(page).not.toHaveURL(before);
    await expect(page.getByRole("navigation", { name: "Pages" })).toBeVisible();
  };
  await expect(page.getByRole("link", { name: "Newer" })).toHaveCount(0);
  const pages = [await moments()];
  for (const count of [50, 21]) {
    await turn("Older");
    await expect(entries(page)).toHaveCount(count);
    pages.push(await moments());
  }
  await expect(page.getByRole("link", { name: "Older" })).toHaveCount(0);
  expect(new Set(pages.flat()).size).toBe(121);
  expect(pages.flat()).toEqual(pages.flat().toSorted().toReversed());
  await expectAccessible(page);
  await shot(page, "audit-last-page");
  await turn("Newer");
  expect(await moments()).toEqual(pages[1]);
  await turn("Newer");
  expect(await moments()).toEqual(pages[0]);
  await expect(page.getByRole("link", { name: "Newer" })).toHaveCount(0);
  await turn("Older");
  await turn("Newest");
  expect(await moments()).toEqual(pages[0]);
});

test.describe("without scripts", () => {
  test.use({ javaScriptEnabled: false });

  test("the filter is a form, and entries open", async ({ page, signIn, guarded }) => {
    await signIn(page, "admin");
    await page.goto("/audit?before=yesterday&action=nonsense");
    await page.getByLabel("Action").selectOption("login");
    await page.getByLabel("User").fill(guarded.admin.email);
    await page.getByRole("button", { name: "Show", exact: true }).click();
    await expect(entries(page).first()).toContainText(`${guarded.admin.email} signed in`);
    await entries(page).first().click();
    await expect(page.getByText("When", { exact: true }).first()).toBeVisible();
  });
});
