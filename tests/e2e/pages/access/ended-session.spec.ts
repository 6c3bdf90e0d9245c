import type { Page } from "@playwright/test";
import { expect, test } from "../fixtures/fixtures.ts";
import { describeNewUser } from "../fixtures/new-user-dialog.ts";
import { makePerson, type Person } from "../fixtures/servers.ts";

test.use({ mode: "guarded" });

/** Signs in with the form of the page that the reader was led to. */
async function signInAgain(page: Page, { email, password }: Person): Promise<void> {
  await expect(page).toHaveURL(/\/login\?next=/);
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page).not.toHaveURL(/\/login/);
}

/** Ends the session as signing out in another tab does. */
const endSession = (page: Page) => page.context().clearCookies();

const typedCount = (page: Page) =>
  page.evaluate(() => Object.keys(sessionStorage).filter((key) => key.startsWith("typed ")).length);

test("the edits of the profile are there after signing in again, and no password", async ({
  page,
  guarded,
  signIn,
}) => {
  const person = await makePerson(guarded);
  await signIn(page, person);
  await page.goto("/account");
  await page.getByLabel("Name", { exact: true }).fill("Mary Jackson");
  await page.getByLabel("New password", { exact: true }).fill("not to be kept anywhere");
  await endSession(page);
  await page.getByRole("button", { name: "Save profile" }).click();
  await expect(page).toHaveURL(/\/login/);
  expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain("not to be kept");
  await signInAgain(page, person);
  await expect(page.getByLabel("Name", { exact: true })).toHaveValue("Mary Jackson");
  await expect(page.getByLabel("Email", { exact: true })).toHaveValue(person.email);
  await expect(page.getByLabel("New password", { exact: true })).toHaveValue("");
  await page.getByRole("button", { name: "Save profile" }).click();
  await expect(page.getByText("Profile saved").first()).toBeVisible();
});

test("the dialog for a new user opens again with what was typed", async ({ page, guarded, signIn }) => {
  const person = await makePerson(guarded, { role: "admin" });
  await signIn(page, person);
  const dialog = await describeNewUser(page, { name: "Konrad Zuse", email: "zuse@example.com" });
  await dialog.getByLabel("Role").selectOption("admin");
  await endSession(page);
  await dialog.getByRole("button", { name: "Create user" }).click();
  await signInAgain(page, person);
  await expect(dialog.getByLabel("Name", { exact: true })).toHaveValue("Konrad Zuse");
  await expect(dialog.getByLabel("Email")).toHaveValue("zuse@example.com");
  await expect(dialog.getByLabel("Role")).toHaveValue("admin");
  await dialog.getByRole("button", { name: "Close" }).click();
  await expect(dialog).toBeHidden();
  await page.getByRole("button", { name: "Create user" }).click();
  await expect(dialog.getByLabel("Name", { exact: true })).toHaveValue("");
  await page.reload();
  await expect(page.getByRole("heading", { name: "Users" })).toBeVisible();
  expect(await typedCount(page)).toBe(0);
});

test("the edits of a user are there after signing in again", async ({ page, guarded, signIn }) => {
  const [person, subject] = [await makePerson(guarded, { role: "admin" }), await makePerson(guarded)];
  await signIn(page, person);
  await page.goto(`/users/${subject.id}`);
  await page.getByLabel("Name", { exact: true }).fill("Mary Jackson");
  await endSession(page);
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await signInAgain(page, person);
  await expect(page.getByLabel("Name", { exact: true })).toHaveValue("Mary Jackson");
});

test("the name of a token is there after signing in again, and not for another user", async ({
  page,
  guarded,
  signIn,
}) => {
  const [person, other] = [await makePerson(guarded), await makePerson(guarded)];
  const name = page.getByLabel("Name", { exact: true });
  const createWithoutSession = async () => {
    await page.goto("/tokens");
    await name.fill("Newsletter script");
    await endSession(page);
    await page.getByRole("button", { name: "Create token" }).click();
  };
  await signIn(page, person);
  await createWithoutSession();
  await signInAgain(page, person);
  await expect(name).toHaveValue("Newsletter script");
  await createWithoutSession();
  await signInAgain(page, other);
  await expect.poll(() => typedCount(page)).toBe(0);
  await expect(name).toHaveValue("");
});
