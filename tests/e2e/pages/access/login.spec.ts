import type { Page } from "@playwright/test";
import { expect, test } from "../fixtures/fixtures.ts";
import { expectAccessible, shot } from "../fixtures/looks.ts";
import { makePerson } from "../fixtures/servers.ts";
import { expectLooks } from "../fixtures/states.ts";

const email = (page: Page) => page.getByLabel("Email", { exact: true });
const password = (page: Page) => page.getByLabel("Password", { exact: true });
const signInButton = (page: Page) => page.getByRole("main").getByRole("button", { name: "Sign in" });

type Answer = { status: number; code: string; message?: string; headers?: Record<string, string> };

/** Answers the login request with an error. */
async function answerLogin(page: Page, { status, code, message = "Said by the service.", headers = {} }: Answer) {
  const json = { error: { code, message, requestId: "0199f000-0000-7000-8000-000000000000" } };
  await page.route("**/api/service/login", (route) => route.fulfill({ status, json, headers }));
}

async function submit(page: Page): Promise<void> {
  await email(page).fill("ada@example.com");
  await password(page).fill("something wrong");
  await signInButton(page).click();
}

test("is a 404 in open mode, like all pages of accounts", async ({ page }) => {
  for (const path of ["/login", "/account", "/tokens"]) expect((await page.goto(path))?.status()).toBe(404);
});

test.describe("with the access layer on", () => {
  test.use({ mode: "guarded" });

  test("is accessible in every theme and width, also after a wrong password", async ({ page }) => {
    await page.goto("/login");
    await expect(page).toHaveTitle("Sign in · Platen");
    await expectLooks(page, "login");
    await answerLogin(page, { status: 401, code: "unauthorized", message: "The email or the password is wrong." });
    await submit(page);
    await expect(page.getByRole("alert").getByText("The email or the password is wrong.")).toBeVisible();
    await expect(password(page)).toBeFocused();
    await expectLooks(page, "login-refused");
  });

  test("signs in by keyboard alone, and leads back to the requested page", async ({ page, guarded }) => {
    await page.goto("/tokens");
    await expect(page).toHaveURL("/login?next=%2Ftokens");
    await email(page).focus();
    await page.keyboard.type(guarded.user.email.toUpperCase());
    await page.keyboard.press("Tab");
    await expect(password(page)).toBeFocused();
    await page.keyboard.type(guarded.user.password);
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL("/tokens");
    await page.goto("/login?next=/account");
    await expect(page).toHaveURL("/account");
  });

  test("shows the message of the service for a wrong password, and accepts the right one afterwards", async ({
    page,
    guarded,
  }) => {
    await page.goto("/login");
    await email(page).fill(guarded.user.email);
    await password(page).fill("not this one at all");
    await password(page).press("Enter");
    await expect(page.getByRole("alert").getByText("The email or the password is wrong.")).toBeVisible();
    await password(page).fill(guarded.user.password);
    await signInButton(page).click();
    await expect(page).toHaveURL("/");
    await expect(page.getByRole("button", { name: `Account of ${guarded.user.name}` })).toBeVisible();
  });

  test("never leads to another host", async ({ page, guarded }) => {
    for (const next of ["//evil.example/", "/\\evil.example", "https://evil.example/", "javascript:alert(1)"]) {
      await page.context().clearCookies();
      await page.goto(`/login?next=${encodeURIComponent(next)}`);
      await email(page).fill(guarded.user.email);
      await password(page).fill(guarded.user.password);
      await signInButton(page).click();
      await expect(page).toHaveURL("/");
      // Firefox would let the page that is still loading interrupt the next one.
      await page.waitForLoadState();
    }
  });

  test("shows the password on request, and errors at their fields", async ({ page }) => {
    await page.goto("/login");
    await password(page).fill("Tr0ub4dor&3");
    const show = page.getByRole("button", { name: "Show the password" });
    await show.click();
    await expect(password(page)).toHaveAttribute("type", "text");
    await expect(show).toHaveAttribute("aria-pressed", "true");
    await show.click();
    await expect(password(page)).toHaveAttribute("type", "password");
    await expect(password(page)).toHaveValue("Tr0ub4dor&3");
    await email(page).fill("nobody");
    await signInButton(page).click();
    await expect(email(page)).toHaveAttribute("aria-invalid", "true");
    await expect(email(page)).toHaveAccessibleDescription(/want one such as ada@example.com/);
    await expectAccessible(page);
  });

  test("counts down after too many attempts, and sends nothing before the end", async ({ page }) => {
    await page.clock.install();
    await page.goto("/login");
    await answerLogin(page, { status: 429, code: "rate_limited", headers: { "Retry-After": "90" } });
    await submit(page);
    const alert = page.getByRole("alert").filter({ hasText: "Too many attempts" });
    await expect(alert).toContainText("Try again in 1 minute and 30 seconds.");
    await expect(alert).toContainText("1:30");
    await page.clock.runFor(30_000);
    await expect(alert).toContainText("1:00");
    await expectAccessible(page);
    let sent = 0;
    page.on("request", (request) => {
      if (request.method() === "POST") sent += 1;
    });
    await expect(signInButton(page)).toHaveAttribute("aria-disabled", "true");
    await password(page).press("Enter");
    await page.clock.runFor(61_000);
    expect(sent).toBe(0);
    await expect(page.getByRole("alert").getByText("You can try again now.")).toBeVisible();
    await password(page).press("Enter");
    await expect(alert).toContainText("1:30");
    expect(sent).toBe(1);
  });

  test("explains a refused origin, and an unreachable database", async ({ page, guarded }) => {
    await page.goto("/login");
    await answerLogin(page, { status: 403, code: "origin_mismatch" });
    await submit(page);
    await expect(page.getByRole("alert").getByText(`SERVICE_PUBLIC_ORIGIN=${guarded.origin}`)).toBeVisible();
    await expectAccessible(page);
    await shot(page, "login-origin");
    await page.unroute("**/api/service/login");
    await answerLogin(page, { status: 503, code: "unavailable", message: "The database cannot be reached." });
    await submit(page);
    await expect(page.getByRole("alert").getByText("The database cannot be reached.")).toBeVisible();
    await expect(page.getByRole("alert").getByText("0199f000-0000-7000-8000-000000000000")).toBeVisible();
    await expectAccessible(page);
  });

  test("explains why the browser did not keep the session", async ({ page, guarded }) => {
    await page.goto("/login");
    await page.route("**/api/service/account", (route) =>
      route.fulfill({ status: 401, json: { error: { code: "unauthorized", message: "Sign in.", requestId: "1" } } }),
    );
    await email(page).fill(guarded.user.email);
    await password(page).fill(guarded.user.password);
    await signInButton(page).click();
    await expect(page.getByRole("alert").getByText("Your browser did not keep the session")).toBeVisible();
    await expect(page).toHaveURL("/login");
    await expectAccessible(page);
  });

  test.describe("over plain http", () => {
    // Firefox also reports the rejected cookies, which this test is about.
    test.use({
      tolerated: [/Cross-Origin-Opener-Policy header has been ignored|Cookie “service_\w+” has been rejected/],
    });

    test("warns before the password is entered, and explains the lost session", async ({ page, guarded }) => {
      const origin = `http://platen.test:${guarded.service.port}`;
      await page.goto(`${origin}/login`);
      await expect(page.getByText("Sign-in does not work over plain HTTP")).toBeVisible();
      await expect(page.getByText("SERVICE_PUBLIC_ORIGIN")).toBeVisible();
      await expectLooks(page, "login-plain-http");
      await email(page).fill(guarded.user.email);
      await password(page).fill(guarded.user.password);
      await signInButton(page).click();
      await expect(page.getByRole("alert").getByText("Sign-in does not work over plain HTTP")).toBeVisible();
      await expect(page).toHaveURL(`${origin}/login`);
      expect(await page.context().cookies()).toEqual([]);
    });
  });

  test.describe("without scripts", () => {
    // The form leads to an error in JSON. Firefox asks for the icon of every document, and reports that the policy refused it.
    test.use({ javaScriptEnabled: false, tolerated: [/\bimg-src\b.*\/favicon\.ico/] });

    test("the password never ends up in the address", async ({ page }) => {
      await page.goto("/login");
      expect(await page.content()).toContain("Sign-in needs JavaScript.");
      await password(page).fill("a secret of mine");
      await password(page).press("Enter");
      await page.waitForLoadState();
      expect(page.url()).not.toContain("secret");
    });
  });

  test("after signing out, going back does not show the account again", async ({ page, guarded, signIn }) => {
    const person = await makePerson(guarded);
    await signIn(page, person);
    await page.goto("/");
    await page.getByRole("button", { name: `Account of ${person.name}` }).click();
    await page.getByRole("banner").getByRole("button", { name: "Sign out" }).click();
    await expect(page).toHaveURL("/login");
    expect((await page.context().cookies()).map(({ name }) => name)).toEqual([]);
    await page.goBack();
    await expect(page.getByRole("button", { name: `Account of ${person.name}` })).toHaveCount(0);
  });
});
