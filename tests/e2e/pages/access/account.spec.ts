import { expect, test } from "../fixtures/fixtures.ts";
import { expectAccessible, shot } from "../fixtures/looks.ts";
import { makePerson, newSession } from "../fixtures/servers.ts";
import { expectLooks } from "../fixtures/states.ts";

const FIREFOX = { "user-agent": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0" };

test.use({ mode: "guarded" });

test("redirects visitors to the sign-in page, which leads back", async ({ page }) => {
  await page.goto("/account");
  await expect(page).toHaveURL("/login?next=%2Faccount");
});

test("is accessible in every theme and width, with its dialog open too", async ({ page, guarded, signIn }) => {
  const person = await makePerson(guarded, { name: "Katherine Johnson" });
  await guarded.client.logIn(person.email, person.password, FIREFOX);
  await guarded.client.logIn(person.email, person.password, { "user-agent": "curl/8.5.0" });
  await signIn(page, person);
  await page.goto("/account");
  await expect(page).toHaveTitle("Account · Platen");
  await expectLooks(page, "account");
  const opener = page.getByRole("button", { name: "End all 2 other sessions" });
  await opener.click();
  await expect(page.getByRole("alertdialog", { name: "End all 2 other sessions?" })).toBeVisible();
  await expectLooks(page, "account-end-others");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("alertdialog")).toHaveCount(0);
  await expect(opener).toBeFocused();
});

test.describe("unknown browsers", () => {
  test("shows sign-ins from unknown browsers until they are confirmed, and signs one out", async ({
    page,
    guarded,
    signIn,
  }) => {
    const person = await makePerson(guarded);
    const known = await guarded.client.logIn(person.email, person.password, FIREFOX);
    const strange = await guarded.client.logIn(person.email, person.password, { "user-agent": "curl/8.5.0" });
    await signIn(page, person);
    await page.goto("/account");
    const region = page.getByRole("region", { name: "Sign-ins from new browsers" });
    const logins = region.getByRole("listitem");
    await expect(logins).toHaveCount(2);
    await expect(logins.first()).toContainText("This browser");
    await expect(logins.nth(1)).toContainText("127.0.0.1");
    await page.getByRole("button", { name: /^Sign that session out: curl/ }).press("Enter");
    await expect(logins.nth(1)).toContainText("That browser is signed out.");
    expect((await guarded.client.ask("GET", "/api/service/account", { cookie: strange.cookie })).status).toBe(401);
    await expectAccessible(page);
    await shot(page, "account-signed-out");
    await page.getByRole("button", { name: /^It was me: curl/ }).press("Enter");
    await expect(logins).toHaveCount(1);
    await expect(region).toBeFocused();
    await page.getByRole("button", { name: "It was me" }).press("Enter");
    await expect(logins).toHaveCount(0);
    await page.reload();
    await expect(page.getByRole("heading", { name: "Profile" })).toBeVisible();
    await expect(page.getByText("Was this you?")).toHaveCount(0);
    // Its own browser has confirmed it only for itself.
    const path = "/api/service/account/unknown-logins";
    expect((await guarded.client.ask("GET", path, { cookie: known.cookie })).json()).toHaveLength(1);
  });

  test("shows three unknown browsers at first, confirms all at once, and none to an administrator", async ({
    page,
    guarded,
    signIn,
  }) => {
    const person = await makePerson(guarded, { name: "Often Seen" });
    for (let more = 0; more < 5; more += 1) await newSession(guarded, person);
    await signIn(page, "admin");
    await page.goto(`/users/${person.id}`);
    await expect(page.getByRole("heading", { name: "Often Seen" })).toBeVisible();
    await expect(page.getByText("Was this you?")).toHaveCount(0);
    await signIn(page, person);
    await page.goto("/account");
    const logins = page.getByRole("region", { name: "Sign-ins from new browsers" }).getByRole("listitem");
    await expect(logins).toHaveCount(3);
    await page.getByText("2 more", { exact: true }).click();
    await expect(logins).toHaveCount(5);
    await page.getByRole("button", { name: "All of them were me" }).click();
    await expect(logins).toHaveCount(0);
  });

  test("confirms no sign-in that came after the page was rendered", async ({ page, guarded, signIn }) => {
    const person = await makePerson(guarded);
    for (let more = 0; more < 3; more += 1) await newSession(guarded, person);
    await signIn(page, person);
    await page.goto("/account");
    const logins = page.getByRole("region", { name: "Sign-ins from new browsers" }).getByRole("listitem");
    await expect(logins).toHaveCount(3);
    await guarded.client.logIn(person.email, person.password, { "user-agent": "Thief/1.0" });
    await page.getByRole("button", { name: "All of them were me" }).click();
    await expect(logins).toHaveCount(1);
    await expect(logins).toContainText("Thief");
  });
});

test("changes the password, which ends all other sessions and keeps this one", async ({ page, guarded, signIn }) => {
  const person = await makePerson(guarded);
  const elsewhere = await newSession(guarded, person);
  await signIn(page, person);
  await page.goto("/account");
  const current = page.getByLabel("Current password");
  const fresh = page.getByLabel("New password");
  await current.fill("not the one I have");
  await fresh.fill("short 🙂");
  await fresh.press("Enter");
  await expect(page.getByText("7 / 256")).toBeVisible();
  await expect(fresh).toHaveAttribute("aria-invalid", "true");
  await fresh.fill("long enough and easily kept");
  await fresh.press("Enter");
  await expect(current).toHaveAttribute("aria-invalid", "true");
  await expect(fresh).not.toHaveAttribute("aria-invalid", "true");
  await expectAccessible(page);
  await shot(page, "account-wrong-password");
  await current.fill(person.password);
  await current.press("Enter");
  await expect(page.getByText("Password changed.").first()).toBeVisible();
  await expect(current).toHaveValue("");
  expect((await guarded.client.ask("GET", "/api/service/account", { cookie: elsewhere })).status).toBe(401);
  await expect(page.getByRole("region", { name: "Sessions" }).getByRole("listitem")).toHaveCount(1);
  await page.reload();
  await expect(page).toHaveURL("/account");
  const renewed = { ...person, password: "long enough and easily kept" };
  expect(await newSession(guarded, renewed)).toContain("service_session=");
});

test("ends one session and then all others, keeps this one, and moves the focus to the heading", async ({
  page,
  guarded,
  signIn,
}) => {
  const person = await makePerson(guarded);
  const firefox = await guarded.client.logIn(person.email, person.password, FIREFOX);
  await signIn(page, person);
  await page.goto("/account");
  const sessions = page.getByRole("region", { name: "Sessions" }).getByRole("listitem");
  await expect(sessions).toHaveCount(2);
  await expect(sessions.first()).toContainText("This browser");
  await expect(sessions.nth(1)).toContainText("127.0.0.1");
  await page.getByRole("button", { name: /^End the session on Firefox on Linux/ }).press("Enter");
  await expect(sessions).toHaveCount(1);
  await expect(page.getByRole("heading", { name: "Sessions", exact: true })).toBeFocused();
  expect((await guarded.client.ask("GET", "/api/service/account", { cookie: firefox.cookie })).status).toBe(401);
  for (let more = 0; more < 10; more += 1) await newSession(guarded, person);
  await page.reload();
  await expect(sessions).toHaveCount(8);
  await page.getByRole("button", { name: "Show 3 more" }).click();
  await expect(sessions).toHaveCount(11);
  await page.getByRole("button", { name: "End all 10 other sessions" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "End all 10 other sessions" }).click();
  await expect(sessions).toHaveCount(1);
  await expect(page.getByRole("button", { name: /other session/ })).toHaveCount(0);
  await expect(page.getByRole("heading", { name: "Sessions", exact: true })).toBeFocused();
  await signIn(page, "admin");
  await page.goto(`/audit?user=${person.id}&action=sessions.ended`);
  const entry = page.getByRole("main").locator("details");
  await entry.click();
  await expect(entry).toContainText("Sessions ended10");
});

test("signs out", async ({ page, guarded, signIn }) => {
  await signIn(page, await makePerson(guarded));
  await page.goto("/account");
  await page.getByRole("main").getByRole("button", { name: "Sign out" }).click();
  await expect(page).toHaveURL("/login");
  expect(await page.context().cookies()).toEqual([]);
});

test("redirects to the sign-in page when the session has ended", async ({ page, guarded, signIn }) => {
  const person = await makePerson(guarded);
  await signIn(page, person);
  await page.goto("/account");
  await page.context().clearCookies();
  await page.getByLabel("Name", { exact: true }).fill("Mary");
  await page.getByRole("button", { name: "Save profile" }).click();
  await expect(page).toHaveURL("/login?next=%2Faccount");
});
