import type { Page } from "@playwright/test";
import { expect, test } from "../fixtures/fixtures.ts";
import { applyLook, expectAccessible, expectFits } from "../fixtures/looks.ts";
import { type GuardedServer, makePerson, newSession, type Person } from "../fixtures/servers.ts";
import { expectLooks, expectLooksAtExtremes } from "../fixtures/states.ts";
import { addToken } from "../fixtures/tokens.ts";

test.use({ mode: "guarded" });

async function isSignedIn({ client }: GuardedServer, cookie: string): Promise<boolean> {
  return (await client.ask("GET", "/api/service/account", { cookie })).status === 200;
}

/** Lets dialogs take a second to close. @returns the different titles that they have shown since */
async function titlesWhileClosing(page: Page): Promise<() => Promise<string[]>> {
  await page.addStyleTag({ content: ".popup { transition-duration: 1s !important }" });
  const titles = await page.evaluateHandle(() => {
    const seen = new Set<string>();
    const read = () => {
      for (const title of document.querySelectorAll("[role=alertdialog] h2")) seen.add(title.textContent ?? "");
    };
    read();
    new MutationObserver(read).observe(document.body, { subtree: true, childList: true, characterData: true });
    return seen;
  });
  return () => titles.evaluate((seen) => Array.from(seen));
}

test("a name and an email without a space fit a narrow window, in the page and its dialogs", async ({
  page,
  signIn,
  guarded,
}) => {
  const person = await makePerson(guarded, { name: "W".repeat(80) });
  const email = `${"w".repeat(60)}@${Date.now()}.${`${"d".repeat(55)}.`.repeat(2)}example`;
  const cookie = guarded.sessions.admin;
  await guarded.client.ask("PATCH", `/api/service/users/${person.id}`, { body: { email }, cookie });
  await signIn(page, "admin");
  await page.goto(`/users/${person.id}`);
  await applyLook(page, { theme: "light", width: 320 });
  await expect(page.getByText(email).first()).toBeVisible();
  await expectFits(page);
  for (const [opener, role] of [
    ["Set new password", "dialog"],
    ["Delete", "alertdialog"],
  ] as const) {
    await page.getByRole("button", { name: opener }).click();
    const dialog = page.getByRole(role);
    expect(await dialog.evaluate((element) => element.scrollWidth - element.clientWidth)).toBeLessThanOrEqual(0);
    await page.keyboard.press("Escape");
    await expect(dialog).toBeHidden();
  }
});

test("a profile can be changed, and a taken email is reported at its field", async ({ page, signIn, guarded }) => {
  const person = await makePerson(guarded, { name: "Barbara Before" });
  await signIn(page, "admin");
  await page.goto(`/users/${person.id}`);
  await expect(page).toHaveTitle("Barbara Before · Platen");
  await page.getByLabel("Name", { exact: true }).fill("Barbara Liskov");
  await page.getByLabel("Email").fill(guarded.user.email);
  await page.getByLabel("Role").selectOption("admin");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByLabel("Email")).toHaveAccessibleDescription("Another user has this email already.");
  await expectLooksAtExtremes(page, "user-email-taken");
  const email = `barbara-${person.email}`;
  await page.getByLabel("Email").fill(`  ${email.toUpperCase()} `);
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Barbara Liskov saved")).toBeVisible();
  await expect(page.getByLabel("Email")).toHaveValue(email);
  await expect(page.getByRole("heading", { level: 1, name: "Barbara Liskov" })).toBeVisible();
  expect((await guarded.client.logIn(email, person.password)).json()).toMatchObject({ role: "admin" });
  await page.getByLabel("Role").selectOption("user");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Barbara Liskov saved").last()).toBeVisible();
  expect((await guarded.client.logIn(email, person.password)).json()).toMatchObject({ role: "user" });
});

test("a save does not restore what was changed elsewhere before the page loaded its data again", async ({
  page,
  signIn,
  guarded,
}) => {
  const person = await makePerson(guarded, { name: "Demoted Elsewhere", role: "admin" });
  const path = `/api/service/users/${person.id}`;
  const cookie = guarded.sessions.admin;
  await signIn(page, "admin");
  await page.goto(`/users/${person.id}`);
  const email = `new-${person.email}`;
  expect((await guarded.client.ask("PATCH", path, { body: { role: "user", email }, cookie })).status).toBe(200);
  await page.getByRole("button", { name: "Deactivate" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Deactivate" }).click();
  // The page has loaded its data again.
  await expect(page.getByRole("button", { name: "Reactivate" })).toBeVisible();
  await expect(page.getByLabel("Role")).toHaveValue("user");
  await expect(page.getByLabel("Email")).toHaveValue(email);
  await page.getByLabel("Name", { exact: true }).fill("Only Renamed");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Only Renamed saved")).toBeVisible();
  expect((await guarded.client.ask("GET", path, { cookie })).json()).toMatchObject({ role: "user", email });
});

test("deactivation ends sessions and stops tokens, reactivation restores only the tokens, and the dialogs say so", async ({
  page,
  signIn,
  guarded,
}) => {
  const person = await makePerson(guarded, { name: "Edsger Paused" });
  const cookie = await newSession(guarded, person);
  const { token } = await addToken(guarded, cookie, "Deploys");
  const rendering = async () => (await guarded.client.render({ authorization: `Bearer ${token}` })).status;
  await signIn(page, "admin");
  await page.goto(`/users/${person.id}`);
  await page.getByRole("button", { name: "Deactivate" }).click();
  const dialog = page.getByRole("alertdialog");
  await expect(dialog).toContainText(
    "The user will be signed out everywhere and cannot sign in. 1 token will stop working",
  );
  await expectLooks(page, "user-deactivate");
  await dialog.getByRole("button", { name: "Deactivate" }).click();
  await expect(page.getByText("Edsger Paused deactivated")).toBeVisible();
  expect([await isSignedIn(guarded, cookie), await rendering()]).toEqual([false, 401]);
  await page.getByRole("button", { name: "Reactivate" }).click();
  await expect(dialog).toContainText("1 token will work again at once. The user has to sign in again");
  await expectAccessible(page);
  const titles = await titlesWhileClosing(page);
  await dialog.getByRole("button", { name: "Reactivate" }).click();
  await expect(page.getByRole("button", { name: "Deactivate" })).toBeVisible();
  await expect(dialog).toBeHidden();
  expect(await titles()).toEqual(["Reactivate Edsger Paused?"]);
  expect([await isSignedIn(guarded, cookie), await rendering()]).toEqual([false, 200]);
});

test("setting a password ends all sessions, and shows the password once", async ({ page, signIn, guarded }) => {
  const person = await makePerson(guarded, { name: "Frances Forgetful" });
  const cookie = await newSession(guarded, person);
  await signIn(page, "admin");
  await page.goto(`/users/${person.id}`);
  await page.getByRole("button", { name: "Set new password" }).click();
  await expectLooks(page, "user-set-password");
  await page.getByRole("button", { name: "Set password" }).click();
  await expect(page.getByRole("dialog", { name: "New password of Frances Forgetful" })).toBeVisible();
  const password = await page.getByRole("dialog").getByLabel("Password", { exact: true }).inputValue();
  await page.mouse.click(5, 5);
  await expectLooksAtExtremes(page, "user-password-shown");
  await page.getByRole("button", { name: "Done" }).click();
  await expect(page.getByRole("dialog")).toBeHidden();
  expect(await page.content()).not.toContain(password);
  expect(await isSignedIn(guarded, cookie)).toBe(false);
  expect((await guarded.client.logIn(person.email, person.password)).status).toBe(401);
  expect((await guarded.client.logIn(person.email, password)).status).toBe(200);
});

test("deleting needs the typed email, and leads back to the list", async ({ page, signIn, guarded }) => {
  const person = await makePerson(guarded, { name: "Alan Leaving" });
  await signIn(page, "admin");
  await page.goto(`/users/${person.id}`);
  await page.getByRole("button", { name: "Delete" }).click();
  const remove = page.getByRole("button", { name: "Delete permanently" });
  await expect(remove).toBeDisabled();
  await page.getByLabel(/^Type/).fill("somebody@example.com");
  await expect(remove).toBeDisabled();
  await expectLooks(page, "user-delete");
  await page.getByLabel(/^Type/).fill(person.email);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL("/users");
  await expect(page.getByText("Alan Leaving deleted")).toBeVisible();
  await expect(page.getByRole("link", { name: "Alan Leaving" })).toHaveCount(0);
  expect((await page.goto(`/users/${person.id}`))?.status()).toBe(404);
});

test("tokens are shown with their usage, can be revoked, and are folded away afterwards", async ({
  page,
  signIn,
  guarded,
}) => {
  const person = await makePerson(guarded, { name: "Sofja Scripting" });
  const cookie = await newSession(guarded, person);
  const { token } = await addToken(guarded, cookie, "Newsletter <b>cards</b>");
  await addToken(guarded, cookie, "Never used");
  for (let i = 0; i < 3; i++) await guarded.client.render({ authorization: `Bearer ${token}` });
  await signIn(page, "admin");
  await page.goto(`/users/${person.id}`);
  await expect(async () => {
    await page.reload();
    await expect(page.getByRole("img", { name: /^3 renders in 30 days/ })).toBeVisible({ timeout: 2_000 });
  }).toPass();
  expect(await page.content()).not.toContain(token);
  await expectLooks(page, "user");
  await page.getByRole("button", { name: "Revoke “Newsletter <b>cards</b>”" }).click();
  await expect(page.getByRole("alertdialog", { name: "Revoke “Newsletter <b>cards</b>”?" })).toBeVisible();
  await expectLooks(page, "user-revoke");
  await page.getByRole("button", { name: "Revoke token" }).click();
  await expect(page.getByText("1 revoked token")).toBeVisible();
  await expect(page.getByRole("heading", { name: "Tokens" })).toBeFocused();
  expect((await guarded.client.render({ authorization: `Bearer ${token}` })).status).toBe(401);
  await page.getByText("1 revoked token").click();
  await expect(page.getByRole("table", { name: "Revoked tokens" })).toContainText("Newsletter <b>cards</b>");
  await expectLooksAtExtremes(page, "user-revoked");
});

test.describe("the own account", () => {
  const own = async (page: Page, guarded: GuardedServer, signIn: (page: Page, who: Person) => Promise<void>) => {
    const self = await makePerson(guarded, { role: "admin", name: "Self Administrator" });
    await signIn(page, self);
    await page.goto(`/users/${self.id}`);
    return self;
  };

  test("loses the administrator role after a confirmation, and access with it", async ({ page, signIn, guarded }) => {
    await own(page, guarded, signIn);
    await page.getByLabel("Role").selectOption("user");
    await page.getByRole("button", { name: "Save" }).click();
    const dialog = page.getByRole("alertdialog", { name: "Stop being an administrator?" });
    await expectAccessible(page);
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("button", { name: "Save" }).click();
    await dialog.getByRole("button", { name: "Give up the role" }).click();
    await expect(page).toHaveURL("/");
    await expect(page.getByRole("link", { name: "Users" })).toHaveCount(0);
  });

  test("is signed out by setting a password, by deactivation and by deletion", async ({ page, signIn, guarded }) => {
    const self = await own(page, guarded, signIn);
    await page.getByRole("button", { name: "Set new password" }).click();
    await expect(page.getByRole("dialog")).toContainText("You will be signed out everywhere, here too.");
    await page.getByRole("button", { name: "Set password" }).click();
    const password = await page.getByRole("dialog").getByLabel("Password", { exact: true }).inputValue();
    await page.getByRole("button", { name: "Sign in again" }).click();
    await expect(page).toHaveURL("/login");
    await signIn(page, { ...self, password });
    await page.goto(`/users/${self.id}`);
    await page.getByRole("button", { name: "Delete" }).click();
    await expect(page.getByRole("alertdialog", { name: "Delete your own account?" })).toBeVisible();
    await page.getByLabel(/^Type/).fill(self.email);
    await page.getByRole("button", { name: "Delete permanently" }).click();
    await expect(page).toHaveURL("/login");
    const another = await own(page, guarded, signIn);
    await page.getByRole("button", { name: "Deactivate" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Deactivate" }).click();
    await expect(page).toHaveURL("/login");
    expect((await guarded.client.logIn(another.email, another.password)).status).toBe(401);
  });
});
