import type { Page, Route } from "@playwright/test";
import { expect, test } from "./fixtures.ts";
import { shot } from "./looks.ts";
import { describeNewUser } from "./new-user-dialog.ts";
import { makePerson, newSession } from "./servers.ts";

test.use({ mode: "guarded" });

type Held = { asked: Promise<void>; answer: (how: (route: Route) => Promise<void>) => Promise<void> };

/** Keeps the page's next request to addresses of a kind, until the test says how it is answered. */
async function holdNext(page: Page, url: string): Promise<Held> {
  const { promise: held, resolve } = Promise.withResolvers<Route>();
  await page.route(url, resolve, { times: 1 });
  return { asked: held.then(() => undefined), answer: async (how) => how(await held) };
}

const proceed = (route: Route) => route.continue();

/** Tries to close the dialog in both ways while the request is under way, which is then let through. */
async function leaveTooEarly(page: Page, { asked, answer }: Held): Promise<void> {
  await asked;
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Close" }).click({ force: true });
  await answer(proceed);
}

test("a password that was generated is shown, whatever is pressed while it is set", async ({
  page,
  signIn,
  guarded,
}) => {
  const person = await makePerson(guarded, { name: "Ida Impatient" });
  await signIn(page, "admin");
  await page.goto(`/users/${person.id}`);
  await page.getByRole("button", { name: "Set a new password" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.locator("form")).toHaveAttribute("method", "post");
  const setting = await holdNext(page, "**/password");
  await page.getByRole("button", { name: "Set the password" }).click();
  await leaveTooEarly(page, setting);
  const password = await page
    .getByRole("dialog", { name: /^The new password of/ })
    .getByLabel("Password")
    .inputValue();
  expect((await guarded.client.logIn(person.email, password)).status).toBe(200);
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
});

test("the password of somebody new is shown, whatever is pressed while they are created", async ({
  page,
  signIn,
  guarded,
}) => {
  await signIn(page, "admin");
  const dialog = await describeNewUser(page, { name: "Jean Hurried", email: "jean-hurried@example.com" });
  await expect(dialog.locator("form")).toHaveAttribute("method", "post");
  const creation = await holdNext(page, "**/api/service/users");
  await dialog.getByRole("button", { name: "Create the user" }).click();
  await leaveTooEarly(page, creation);
  const password = await page
    .getByRole("dialog", { name: "Jean Hurried can sign in" })
    .getByLabel("Password")
    .inputValue();
  expect((await guarded.client.logIn("jean-hurried@example.com", password)).status).toBe(200);
});

test("a question stays until it is known what came of the answer, and then says it or acts on it", async ({
  page,
  signIn,
  guarded,
}) => {
  const person = await makePerson(guarded);
  await newSession(guarded, person);
  await signIn(page, person);
  await page.goto("/account");
  const sessions = page.getByRole("region", { name: "Sessions" }).getByRole("listitem");
  await expect(sessions).toHaveCount(2);
  const dialog = page.getByRole("alertdialog");
  const end = async () => {
    const ending = await holdNext(page, "**/account/sessions");
    await dialog.getByRole("button", { name: "End the other session" }).click();
    await ending.asked;
    await page.keyboard.press("Escape");
    await dialog.getByRole("button", { name: "Cancel" }).click({ force: true });
    return ending;
  };
  await page.getByRole("button", { name: "End the other session" }).click();
  const failing = await end();
  await shot(page, "dialog-under-way");
  const error = { code: "unavailable", message: "The database is away.", requestId: "r" };
  await failing.answer((route) => route.fulfill({ status: 503, json: { error } }));
  await expect(dialog.getByRole("alert")).toContainText("The database is away.");
  await (await end()).answer(proceed);
  await expect(sessions).toHaveCount(1);
  await expect(dialog).toBeHidden();
});
