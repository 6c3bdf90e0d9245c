import type { Page, Route } from "@playwright/test";
import { expect, test } from "./fixtures/fixtures.ts";
import { shot } from "./fixtures/looks.ts";
import { describeNewUser } from "./fixtures/new-user-dialog.ts";
import { makePerson, newSession } from "./fixtures/servers.ts";

test.use({ mode: "guarded" });

type Held = { requested: Promise<void>; answer: (how: (route: Route) => Promise<void>) => Promise<void> };

/** Holds the next request to an address until the test answers it. */
async function holdNext(page: Page, url: string): Promise<Held> {
  const { promise: held, resolve } = Promise.withResolvers<Route>();
  await page.route(url, resolve, { times: 1 });
  return { requested: held.then(() => undefined), answer: async (how) => how(await held) };
}

const proceed = (route: Route) => route.continue();

/** Tries to close the dialog with Escape and its button during the request, and then lets the request through. */
async function leaveTooEarly(page: Page, { requested, answer }: Held): Promise<void> {
  await requested;
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Close" }).click({ force: true });
  await answer(proceed);
}

test("a generated password is shown even if the reader tries to close the dialog while it is set", async ({
  page,
  signIn,
  guarded,
}) => {
  const person = await makePerson(guarded, { name: "Ida Impatient" });
  await signIn(page, "admin");
  await page.goto(`/users/${person.id}`);
  await page.getByRole("button", { name: "Set new password" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.locator("form")).toHaveAttribute("method", "post");
  const setting = await holdNext(page, "**/password");
  await page.getByRole("button", { name: "Set password" }).click();
  await leaveTooEarly(page, setting);
  const password = await page
    .getByRole("dialog", { name: /^New password of/ })
    .getByLabel("Password", { exact: true })
    .inputValue();
  expect((await guarded.client.logIn(person.email, password)).status).toBe(200);
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
});

test("the password of a new user is shown even if the reader tries to close the dialog during the request", async ({
  page,
  signIn,
  guarded,
}) => {
  await signIn(page, "admin");
  const dialog = await describeNewUser(page, { name: "Jean Hurried", email: "jean-hurried@example.com" });
  await expect(dialog.locator("form")).toHaveAttribute("method", "post");
  const creation = await holdNext(page, "**/api/service/users");
  await dialog.getByRole("button", { name: "Create user" }).click();
  await leaveTooEarly(page, creation);
  const password = await page
    .getByRole("dialog", { name: "Jean Hurried can sign in" })
    .getByLabel("Password", { exact: true })
    .inputValue();
  expect((await guarded.client.logIn("jean-hurried@example.com", password)).status).toBe(200);
});

test("a confirmation stays open until its request has ended, and shows a failure", async ({
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
    await ending.requested;
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
