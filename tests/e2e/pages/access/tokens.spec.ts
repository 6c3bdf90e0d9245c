import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Page } from "@playwright/test";
import { expect, test } from "../fixtures/fixtures.ts";
import { expectAccessible, shot } from "../fixtures/looks.ts";
import { makePerson, newSession } from "../fixtures/servers.ts";
import { expectLooks } from "../fixtures/states.ts";
import { makeTokens, row } from "../fixtures/tokens.ts";

test.use({ mode: "guarded" });

const name = (page: Page) => page.getByRole("textbox", { name: "Name", exact: true });
const secret = (page: Page) => page.getByRole("textbox", { name: "Token", exact: true });

/** Runs the shown command in a shell. @returns the magic bytes of the picture */
async function runCall(call: string, env: Record<string, string> = {}): Promise<string> {
  const dir = mkdtempSync(join(tmpdir(), "platen-call-"));
  try {
    await promisify(execFile)("sh", ["-c", call], { cwd: dir, env: { ...process.env, ...env } });
    return readFileSync(join(dir, "picture.png")).subarray(1, 4).toString("latin1");
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/** The shown command, once it contains the origin of the browser. */
async function callOn(page: Page): Promise<string> {
  const call = page.getByRole("region", { name: "The call that renders a picture" });
  await expect(call).toContainText(new URL(page.url()).origin);
  return call.innerText();
}

test("redirects visitors to the sign-in page, which leads back", async ({ page }) => {
  await page.goto("/tokens");
  await expect(page).toHaveURL("/login?next=%2Ftokens");
});

test("is accessible in every theme and width: empty, with a new token, with tokens, when one is revoked", async ({
  page,
  guarded,
  signIn,
}) => {
  const person = await makePerson(guarded);
  await signIn(page, person);
  await page.goto("/tokens");
  await expect(page).toHaveTitle("Tokens · Platen");
  await expect(page.getByRole("heading", { name: "No tokens yet" })).toBeVisible();
  await expectLooks(page, "tokens-empty");
  await name(page).fill("Newsletter script");
  await name(page).press("Enter");
  await expect(secret(page)).toHaveValue(/^svc_/);
  await expectLooks(page, "tokens-secret");
  await guarded.client.render({ authorization: `Bearer ${await secret(page).inputValue()}` });
  await makeTokens(guarded, person, ["Build of the website, on every push to the main branch"]);
  await page.reload();
  await expect(row(page, "Build of the website")).toBeVisible();
  await expectLooks(page, "tokens-list");
  await row(page, "Newsletter script").getByRole("button", { name: "Revoke" }).click();
  await expect(page.getByRole("alertdialog", { name: "Revoke “Newsletter script”?" })).toBeVisible();
  await expectLooks(page, "tokens-revoke");
  await page.getByRole("button", { name: "Revoke token" }).click();
  await page.getByText("1 revoked token").click();
  await expect(row(page, "Newsletter script")).toContainText("just now");
  await expectLooks(page, "tokens-revoked");
});

test("creates a token by keyboard alone, and the shown command renders a picture", async ({
  page,
  guarded,
  signIn,
}) => {
  await signIn(page, await makePerson(guarded));
  await page.goto("/tokens");
  await name(page).focus();
  await page.keyboard.type("  Keyboard  ");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "“Keyboard” is ready" })).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(secret(page)).toBeFocused();
  const token = await secret(page).inputValue();
  expect(await page.evaluate(() => getSelection()?.toString())).toBe(token);
  const call = await callOn(page);
  expect(call).toContain(token);
  expect(await runCall(call)).toBe("PNG");
  expect((await guarded.client.render({ authorization: `Bearer ${token}` })).status).toBe(200);
  await page.getByRole("button", { name: "I have stored it" }).press("Enter");
  await expect(page.getByRole("region", { name: "New token" })).toBeFocused();
  await expect(row(page, "Keyboard")).toContainText(token.slice(0, 12));
  expect(await page.content()).not.toContain(token);
  await page.reload();
  expect(await page.content()).not.toContain(token);
});

test("the command of the empty page renders a picture when the variable is set", async ({ page, guarded, signIn }) => {
  const person = await makePerson(guarded);
  await signIn(page, person);
  await page.goto("/tokens");
  const call = await callOn(page);
  // The HTML must not contain the Host of the request, which a client can choose freely.
  const html = (await guarded.client.ask("GET", "/tokens", { cookie: await newSession(guarded, person) })).text;
  expect([html.includes("/api/service/images/render"), html.includes(new URL(guarded.origin).host)]).toEqual([
    true,
    false,
  ]);
  const [made] = await makeTokens(guarded, person, ["from the outside"]);
  expect(await runCall(call, { PLATEN_TOKEN: made?.token ?? "" })).toBe("PNG");
});

test("copies the token without a secure context, and says when that fails", async ({ page, guarded, signIn }) => {
  await page.addInitScript(() => Object.defineProperty(navigator, "clipboard", { value: undefined }));
  await signIn(page, await makePerson(guarded));
  await page.goto("/tokens");
  await name(page).fill("Copied");
  await name(page).press("Enter");
  const token = await secret(page).inputValue();
  const copy = page.getByRole("button", { name: "Copy the token" });
  await copy.click();
  await expect(page.getByRole("status").filter({ hasText: "Copied" })).toBeVisible();
  await page.getByRole("button", { name: "I have stored it" }).click();
  await name(page).focus();
  await page.keyboard.press("Control+V");
  await expect(name(page)).toHaveValue(token);
  await page.evaluate(() => {
    document.execCommand = () => false;
  });
  await name(page).fill("Not copied");
  await name(page).press("Enter");
  await copy.click();
  await expect(page.getByText("Could not copy: select it and copy by hand")).toBeVisible();
  await expectAccessible(page);
});

test("refuses an empty name at its field", async ({ page, guarded, signIn }) => {
  await signIn(page, await makePerson(guarded));
  await page.goto("/tokens");
  await name(page).fill("   ");
  await name(page).press("Enter");
  await expect(name(page)).toHaveAttribute("aria-invalid", "true");
  await expectAccessible(page);
  await shot(page, "tokens-faulty-name");
});

/**
 * From now on, the answers for navigations and refreshes are those of another version, for which Next loads the whole page.
 * @returns counts these answers, when the page has nothing left to do
 */
async function updateServer(page: Page): Promise<() => Promise<number>> {
  let count = 0;
  await page.route(/[?&]_rsc=/, async (route) => {
    count++;
    const response = await route.fetch();
    await route.fulfill({ response, body: (await response.text()).replace(/"b":"[^"]+"/, '"b":"another version"') });
  });
  return async () => {
    await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
    return count;
  };
}

test("a new token and a new password stay shown when the server has another version by now", async ({
  page,
  guarded,
  signIn,
}) => {
  const person = await makePerson(guarded, { role: "admin" });
  await makeTokens(guarded, person, ["Replaced"]);
  await signIn(page, person);
  await page.goto("/tokens");
  const refreshes = await updateServer(page);
  await name(page).fill("Updated meanwhile");
  await name(page).press("Enter");
  await expect(secret(page)).toHaveValue(/^svc_/);
  await row(page, "Replaced").getByRole("button", { name: "Revoke" }).click();
  await page.getByRole("button", { name: "Revoke token" }).click();
  // Behind the dialog, no row has a role.
  await expect(page.getByRole("alertdialog")).toHaveCount(0);
  await expect(row(page, "Replaced")).toHaveCount(0);
  await shot(page, "tokens-revoked-beside-secret");
  await expect(secret(page)).toHaveValue(/^svc_/);
  expect(await refreshes()).toBe(0);
  await page.getByRole("button", { name: "I have stored it" }).click();
  await expect(row(page, "Updated meanwhile")).toContainText("svc_");
  await page.goto("/users");
  await page.getByRole("button", { name: "Create user" }).click();
  await page.getByLabel("Name", { exact: true }).fill("Mary Kenneth Keller");
  await page.getByLabel("Email", { exact: true }).fill("keller@example.com");
  const before = await refreshes();
  await page.keyboard.press("Enter");
  const password = page.getByLabel("Password", { exact: true });
  await expect(password).toHaveValue(/./);
  expect(await refreshes()).toBe(before);
  const answer = await guarded.client.logIn("keller@example.com", await password.inputValue());
  expect(answer.status).toBe(200);
  await guarded.client.ask("DELETE", `/api/service/users/${(answer.json() as { id: string }).id}`, {
    cookie: answer.cookie,
  });
});
