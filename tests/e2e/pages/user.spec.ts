import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures.ts";
import { expectAccessible } from "./looks.ts";
import { type GuardedServer, makePerson, newSession, type Person } from "./servers.ts";
import { expectLooks, expectLooksAtExtremes } from "./states.ts";

test.use({ mode: "guarded" });

const LAST = "This is the last active administrator, and one has to stay.";

async function addToken(
  { client }: GuardedServer,
  cookie: string,
  name: string,
): Promise<{ id: string; token: string }> {
  const answer = await client.ask("POST", "/api/service/tokens", { body: { name }, cookie });
  return answer.json() as { id: string; token: string };
}

/** Leaves the server's own administrator alone in office: others that tests have made are demoted. */
async function demoteOthers({ client, admin }: GuardedServer, cookie: string): Promise<void> {
  const users = (await client.ask("GET", "/api/service/users", { cookie })).json() as { id: string; role: string }[];
  for (const { id, role } of users)
    if (role === "admin" && id !== admin.id)
      await client.ask("PATCH", `/api/service/users/${id}`, { body: { role: "user" }, cookie });
}

async function isSignedIn({ client }: GuardedServer, cookie: string): Promise<boolean> {
  return (await client.ask("GET", "/api/service/account", { cookie })).status === 200;
}

test("a profile is changed, and a taken email shows at its field", async ({ page, signIn, guarded }) => {
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
  await expect(page.getByText("Saved Barbara Liskov")).toBeVisible();
  await expect(page.getByLabel("Email")).toHaveValue(email);
  await expect(page.getByRole("heading", { level: 1, name: "Barbara Liskov" })).toBeVisible();
  expect((await guarded.client.logIn(email, person.password)).json()).toMatchObject({ role: "admin" });
  await page.getByLabel("Role").selectOption("user");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Saved Barbara Liskov").last()).toBeVisible();
  expect((await guarded.client.logIn(email, person.password)).json()).toMatchObject({ role: "user" });
});

test("deactivation ends sessions and stops tokens, reactivation revives the tokens alone, and both are said before", async ({
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
  await expect(dialog).toContainText("They are signed out everywhere and cannot sign in. One token will stop working");
  await expectLooks(page, "user-deactivate");
  await dialog.getByRole("button", { name: "Deactivate" }).click();
  await expect(page.getByText("Deactivated Edsger Paused")).toBeVisible();
  expect([await isSignedIn(guarded, cookie), await rendering()]).toEqual([false, 401]);
  await page.getByRole("button", { name: "Reactivate" }).click();
  await expect(dialog).toContainText("One token will work again at once. Their sessions stay ended");
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Reactivate" }).click();
  await expect(page.getByRole("button", { name: "Deactivate" })).toBeVisible();
  expect([await isSignedIn(guarded, cookie), await rendering()]).toEqual([false, 200]);
});

test("a password that is set ends every session, and is shown once", async ({ page, signIn, guarded }) => {
  const person = await makePerson(guarded, { name: "Frances Forgetful" });
  const cookie = await newSession(guarded, person);
  await signIn(page, "admin");
  await page.goto(`/users/${person.id}`);
  await page.getByRole("button", { name: "Set a new password" }).click();
  await expectLooks(page, "user-set-password");
  await page.getByRole("button", { name: "Set the password" }).click();
  await expect(page.getByRole("dialog", { name: "The new password of Frances Forgetful" })).toBeVisible();
  const password = await page.getByRole("dialog").getByLabel("Password").inputValue();
  await page.mouse.click(5, 5);
  await expectLooksAtExtremes(page, "user-password-shown");
  await page.getByRole("button", { name: "Done" }).click();
  await expect(page.getByRole("dialog")).toBeHidden();
  expect(await page.content()).not.toContain(password);
  expect(await isSignedIn(guarded, cookie)).toBe(false);
  expect((await guarded.client.logIn(person.email, person.password)).status).toBe(401);
  expect((await guarded.client.logIn(person.email, password)).status).toBe(200);
});

test("deleting takes the email, typed, and leads back to the others", async ({ page, signIn, guarded }) => {
  const person = await makePerson(guarded, { name: "Alan Leaving" });
  await signIn(page, "admin");
  await page.goto(`/users/${person.id}`);
  await page.getByRole("button", { name: "Delete" }).click();
  const remove = page.getByRole("button", { name: "Delete for good" });
  await expect(remove).toBeDisabled();
  await page.getByLabel(/^Type/).fill("somebody@example.com");
  await expect(remove).toBeDisabled();
  await expectLooks(page, "user-delete");
  await page.getByLabel(/^Type/).fill(person.email);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL("/users");
  await expect(page.getByText("Deleted Alan Leaving")).toBeVisible();
  await expect(page.getByRole("link", { name: "Alan Leaving" })).toHaveCount(0);
  expect((await page.goto(`/users/${person.id}`))?.status()).toBe(404);
});

test("tokens are shown with what they render, revoked by name, and folded away then", async ({
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
    await expect(page.getByRole("img", { name: /^3 renders in 30 days/ })).toBeVisible({ timeout: 200 });
  }).toPass();
  expect(await page.content()).not.toContain(token);
  await expectLooks(page, "user");
  await page.getByRole("button", { name: "Revoke “Newsletter <b>cards</b>”" }).click();
  await expect(page.getByRole("alertdialog", { name: "Revoke “Newsletter <b>cards</b>”?" })).toBeVisible();
  await expectLooks(page, "user-revoke");
  await page.getByRole("button", { name: "Revoke the token" }).click();
  await expect(page.getByText("One revoked token")).toBeVisible();
  await expect(page.getByRole("heading", { name: "Tokens" })).toBeFocused();
  expect((await guarded.client.render({ authorization: `Bearer ${token}` })).status).toBe(401);
  await page.getByText("One revoked token").click();
  await expect(page.getByRole("table", { name: "Revoked tokens" })).toContainText("Newsletter <b>cards</b>");
  await expectLooksAtExtremes(page, "user-revoked");
});

test("the last administrator stays: what would end that is off, and says why", async ({ page, signIn, guarded }) => {
  await demoteOthers(guarded, await newSession(guarded, guarded.admin));
  await signIn(page, "admin");
  await page.goto(`/users/${guarded.admin.id}`);
  await expect(page.getByLabel("Role")).toBeDisabled();
  for (const name of ["Deactivate", "Delete"]) {
    await expect(page.getByRole("button", { name })).toBeDisabled();
    await expect(page.getByRole("button", { name })).toHaveAccessibleDescription(new RegExp(LAST));
  }
  await expect(page.getByText(LAST)).toHaveCount(3);
  await expectLooks(page, "user-last-administrator");
  await page.goto(`/users/${guarded.user.id}`);
  await expect(page.getByRole("button", { name: "Delete" })).toBeEnabled();
  await expect(page.getByText(LAST)).toHaveCount(0);
});

test("who becomes the last administrator while the page is open is told so, and stays", async ({
  page,
  signIn,
  guarded,
}) => {
  const cookie = await newSession(guarded, guarded.admin);
  await demoteOthers(guarded, cookie);
  await makePerson(guarded, { role: "admin", name: "Grete Other" });
  await signIn(page, "admin");
  await page.goto(`/users/${guarded.admin.id}`);
  await page.getByRole("button", { name: "Deactivate" }).click();
  await expect(page.getByRole("alertdialog")).toContainText("You are signed out everywhere, here too.");
  await demoteOthers(guarded, cookie);
  await page.getByRole("alertdialog").getByRole("button", { name: "Deactivate" }).click();
  await expect(page.getByRole("alert")).toContainText("This is the last active administrator, and one has to stay.");
  await page.getByRole("button", { name: "Cancel" }).click();
  await expect(page.getByRole("alertdialog")).toBeHidden();
  await expect(page.getByRole("button", { name: "Deactivate" })).toBeDisabled();
  expect(await isSignedIn(guarded, cookie)).toBe(true);
});

test.describe("oneself", () => {
  const own = async (page: Page, guarded: GuardedServer, signIn: (page: Page, who: Person) => Promise<void>) => {
    const self = await makePerson(guarded, { role: "admin", name: "Self Administrator" });
    await signIn(page, self);
    await page.goto(`/users/${self.id}`);
    return self;
  };

  test("is demoted after a warning, and then sees nothing of this any more", async ({ page, signIn, guarded }) => {
    await own(page, guarded, signIn);
    await page.getByLabel("Role").selectOption("user");
    await page.getByRole("button", { name: "Save" }).click();
    const dialog = page.getByRole("alertdialog", { name: "Stop being an administrator?" });
    await expectAccessible(page);
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("button", { name: "Save" }).click();
    await dialog.getByRole("button", { name: "Become a user" }).click();
    await expect(page).toHaveURL("/");
    await expect(page.getByRole("link", { name: "Users" })).toHaveCount(0);
  });

  test("is signed out by a new password, a deactivation and a deletion", async ({ page, signIn, guarded }) => {
    const self = await own(page, guarded, signIn);
    await page.getByRole("button", { name: "Set a new password" }).click();
    await expect(page.getByRole("dialog")).toContainText("You will be signed out everywhere, here too.");
    await page.getByRole("button", { name: "Set the password" }).click();
    const password = await page.getByRole("dialog").getByLabel("Password").inputValue();
    await page.getByRole("button", { name: "Sign in again" }).click();
    await expect(page).toHaveURL("/login");
    await signIn(page, { ...self, password });
    await page.goto(`/users/${self.id}`);
    await page.getByRole("button", { name: "Delete" }).click();
    await expect(page.getByRole("alertdialog", { name: "Delete your own account?" })).toBeVisible();
    await page.getByLabel(/^Type/).fill(self.email);
    await page.getByRole("button", { name: "Delete for good" }).click();
    await expect(page).toHaveURL("/login");
    const another = await own(page, guarded, signIn);
    await page.getByRole("button", { name: "Deactivate" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Deactivate" }).click();
    await expect(page).toHaveURL("/login");
    expect((await guarded.client.logIn(another.email, another.password)).status).toBe(401);
  });
});
