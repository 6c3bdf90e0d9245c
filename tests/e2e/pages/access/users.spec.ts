import type { Page } from "@playwright/test";
import { expect, test } from "../fixtures/fixtures.ts";
import { applyLook, expectAccessible, matrix, shot } from "../fixtures/looks.ts";
import { describeNewUser } from "../fixtures/new-user-dialog.ts";
import { addCrowd, removeCrowd } from "../fixtures/rows.ts";
import { makePerson } from "../fixtures/servers.ts";
import { expectLooks, expectLooksAtExtremes } from "../fixtures/states.ts";

test.use({ mode: "guarded" });

const rows = (page: Page) => page.getByRole("row").filter({ has: page.getByRole("cell") });
const emails = (page: Page) => page.getByRole("row").getByRole("cell", { name: /@/ }).allTextContents();

test("lists all users with role and status, in every theme and width", async ({ page, signIn, guarded }) => {
  // The name sorts onto the first page, before the users of other tests.
  const gone = await makePerson(guarded, { name: "Béa Gone" });
  const cookie = guarded.sessions.admin;
  await guarded.client.ask("PATCH", `/api/service/users/${gone.id}`, { body: { status: "deactivated" }, cookie });
  await signIn(page, "admin");
  await page.goto("/users");
  await expect(page).toHaveTitle("Users · Platen");
  await matrix(page, async (look) => {
    await expect(page.getByRole("row", { name: /Ada Lovelace/ })).toContainText("You");
    await expect(page.getByRole("row", { name: /Ada Lovelace/ })).toContainText("Administrator");
    await expect(page.getByRole("row", { name: /Béa Gone/ })).toContainText("Deactivated");
    await expectAccessible(page, look);
    await shot(page, `users-${look.name}`);
  });
});

test("searches while the reader types, announces the count, and keeps the search after a reload", async ({
  page,
  signIn,
  guarded,
}) => {
  const person = await makePerson(guarded, { name: "Wilhelmina Searched" });
  await signIn(page, "admin");
  await page.goto("/users");
  const field = page.getByRole("searchbox", { name: "Name or email" });
  await field.pressSequentially("wilhelmina");
  await expect(page.getByRole("status").filter({ hasText: "matching" })).toHaveText("1 user matching “wilhelmina”");
  await expect(page).toHaveURL("/users?search=wilhelmina");
  await expect(field).toBeFocused();
  expect(await emails(page)).toEqual([expect.stringContaining(person.email)]);
  await page.reload();
  await expect(field).toHaveValue("wilhelmina");
  await field.fill("nobody at all");
  await expect(page.getByRole("heading", { name: "No matching users" })).toBeVisible();
  await expectLooksAtExtremes(page, "users-none");
  await page.getByRole("link", { name: "Show all users" }).click();
  await expect(page).toHaveURL("/users");
  await expect(field).toHaveValue("");
});

test("a header sorts, and reverses at the second click; a narrow window has a list of orders", async ({
  page,
  signIn,
}) => {
  await signIn(page, "admin");
  await page.goto("/users");
  const header = (name: string) => page.getByRole("columnheader", { name });
  await expect(header("Name")).toHaveAttribute("aria-sort", "ascending");
  await header("Email").getByRole("link").press("Enter");
  await expect(header("Email")).toHaveAttribute("aria-sort", "ascending");
  await expect(header("Name")).not.toHaveAttribute("aria-sort");
  const ascending = await emails(page);
  expect(ascending).toEqual(ascending.toSorted());
  await header("Email").getByRole("link").click();
  await expect(header("Email")).toHaveAttribute("aria-sort", "descending");
  const descending = await emails(page);
  expect(descending).toEqual(descending.toSorted().toReversed());
  expect(descending[0]).not.toBe(ascending[0]);
  await applyLook(page, { theme: "light", width: 320 });
  await page.getByLabel("Order").selectOption({ label: "Administrators first" });
  await expect(page).toHaveURL("/users?sort=role");
  await expect(rows(page).first()).toContainText("Administrator");
});

test.describe("without scripts", () => {
  test.use({ javaScriptEnabled: false });

  test("search and order work as a form, and invalid addresses are ignored", async ({ page, signIn }) => {
    await signIn(page, "admin");
    await page.goto("/users");
    await page.getByRole("searchbox").fill("grace");
    await page.getByRole("button", { name: "Search" }).click();
    await expect(page).toHaveURL(/\/users\?search=grace&sort=name$/);
    await expect(rows(page)).toHaveCount(1);
    await page.getByRole("link", { name: "Email" }).click();
    await expect(page).toHaveURL("/users?search=grace&sort=email");
    await page.goto("/users?sort=password&page=nought&search=grace");
    await expect(rows(page)).toHaveCount(1);
    await page.goto("/users?page=900");
    await expect(rows(page).first()).toBeVisible();
  });
});

test("a user is created by keyboard alone, with a generated password that is shown once and copied", async ({
  page,
  signIn,
  guarded,
  readClipboard,
}) => {
  await signIn(page, "admin");
  // Newest first, so that the new user is on the first page.
  await page.goto("/users?sort=-createdAt");
  const opener = page.getByRole("button", { name: "Create user" });
  await opener.press("Enter");
  await expect(page.getByLabel("Name", { exact: true })).toBeFocused();
  await page.keyboard.type("Radia Perlman");
  await page.keyboard.press("Tab");
  await page.keyboard.type(guarded.user.email.toUpperCase());
  await page.keyboard.press("Enter");
  const email = page.getByRole("dialog", { name: "Create user" }).getByLabel("Email");
  await expect(email).toHaveAccessibleDescription("Another user has this email already.");
  await expect(email).toHaveAttribute("aria-invalid", "true");
  await expectLooksAtExtremes(page, "users-email-taken");
  await email.fill("radia@example.com");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog", { name: "Radia Perlman can sign in" })).toBeVisible();
  const password = await page.getByLabel("Password", { exact: true }).inputValue();
  await page.getByRole("button", { name: "Copy the password" }).press("Enter");
  await expect(page.getByRole("dialog").getByRole("status")).toHaveText("Copied");
  expect(await readClipboard()).toBe(password);
  await expectLooks(page, "users-created");
  expect((await guarded.client.logIn("radia@example.com", password)).status).toBe(200);
  await page.getByRole("button", { name: "Done" }).press("Enter");
  await expect(opener).toBeFocused();
  await expect(page.getByRole("link", { name: "Radia Perlman" })).toBeVisible();
  expect(await page.content()).not.toContain(password);
});

test("an email of an international domain is kept as it is typed, and its owner signs in with it", async ({
  page,
  signIn,
  guarded,
}) => {
  await signIn(page, "admin");
  const email = `grete@bücher-${Date.now()}.example`;
  const dialog = await describeNewUser(page, { name: "Grete Hermann", email });
  await dialog.getByRole("button", { name: "Create user" }).click();
  await expect(page.getByRole("dialog", { name: "Grete Hermann can sign in" })).toBeVisible();
  const password = await page.getByLabel("Password", { exact: true }).inputValue();
  expect((await guarded.client.logIn(email, password)).status).toBe(200);
});

test("a password can be entered, and is refused at its field when it is too short", async ({
  page,
  signIn,
  guarded,
}) => {
  await signIn(page, "admin");
  const dialog = await describeNewUser(page, { name: "Konrad Zuse", email: "konrad@example.com" });
  await dialog.getByLabel("Role").selectOption("admin");
  await dialog.getByLabel("Enter a password").check();
  await dialog.getByLabel("New password", { exact: true }).fill("short");
  await dialog.getByRole("button", { name: "Create user" }).click();
  await expect(dialog.getByLabel("New password", { exact: true })).toHaveAccessibleDescription(/at least 12/);
  await expectLooksAtExtremes(page, "users-password-refused");
  await dialog.getByLabel("New password", { exact: true }).fill("twelve characters");
  await dialog.getByRole("button", { name: "Create user" }).click();
  await expect(page.getByText("Konrad Zuse created")).toBeVisible();
  await expect(dialog).toBeHidden();
  const answer = await guarded.client.logIn("konrad@example.com", "twelve characters");
  expect(answer.json()).toMatchObject({ role: "admin" });
  const { id } = answer.json() as { id: string };
  await guarded.client.ask("DELETE", `/api/service/users/${id}`, { cookie: answer.cookie });
});

test("5,000 users are paged and searchable", async ({ page, signIn, guarded }) => {
  await addCrowd(guarded, 5_000);
  try {
    await signIn(page, "admin");
    await page.goto("/users");
    await expect(page.getByText(/^5,0\d\d users$/)).toBeVisible();
    await expect(rows(page)).toHaveCount(25);
    await matrix(page, ({ name }) => shot(page, `users-5000-${name}`));
    await page.getByRole("link", { name: "Next" }).click();
    await expect(page.getByText(/^Page 2 of 20\d$/)).toBeVisible();
    await page.getByRole("link", { name: "Previous" }).click();
    await expect(page).toHaveURL("/users");
    await page.getByRole("searchbox").fill("person4321@");
    await expect(rows(page)).toHaveCount(1);
    await page.goto("/users?page=900000");
    await expect(page.getByText(/^Page (20\d) of \1$/)).toBeVisible();
  } finally {
    await removeCrowd(guarded);
  }
});
