import { expect, test } from "../fixtures/fixtures.ts";
import { expectAccessible, shot } from "../fixtures/looks.ts";
import { addTokens, ageToken } from "../fixtures/rows.ts";
import { makePerson } from "../fixtures/servers.ts";
import { expectLooks } from "../fixtures/states.ts";
import { makeTokens, row } from "../fixtures/tokens.ts";

test.use({ mode: "guarded" });

test("shows the usage of a token, also before it is revoked", async ({ page, guarded, signIn }) => {
  const person = await makePerson(guarded);
  const [used] = await makeTokens(guarded, person, ["Used", "Unused"]);
  const headers = { authorization: `Bearer ${used?.token}` };
  for (let more = 0; more < 3; more += 1) expect((await guarded.client.render(headers)).status).toBe(200);
  await signIn(page, person);
  await expect(async () => {
    await page.goto("/tokens");
    await expect(row(page, "Used").first()).toBeVisible();
    await expect(page.getByRole("img", { name: /^3 renders in 30 days, 3 on the busiest/ })).toBeVisible({
      timeout: 1_000,
    });
  }).toPass({ timeout: 60_000 });
  await shot(page, "tokens-rendered");
  await page.getByRole("button", { name: /^Revoke “Unused”/ }).click();
  const dialog = page.getByRole("alertdialog");
  await expect(dialog).toContainText("It has never been used");
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect(dialog).toHaveCount(0);
  const revoke = page.getByRole("button", { name: /^Revoke “Used”/ });
  await expect(revoke.locator("xpath=ancestor::tr").locator("time").nth(1)).toHaveAttribute("title", / UTC$/);
  await revoke.press("Enter");
  await expect(dialog).toContainText("last used just now");
  await expect(dialog).toContainText("3 renders in the last 30 days");
  expect((await guarded.client.render(headers)).status).toBe(200);
  await dialog.getByRole("button", { name: "Revoke token" }).press("Enter");
  await expect(revoke).toHaveCount(0);
  await expect(page.getByRole("heading", { name: "1 token" })).toBeFocused();
  expect((await guarded.client.render(headers)).status).toBe(401);
  await expect(row(page, "Unused")).toBeVisible();
  await expect(page.getByRole("cell", { name: "Used", exact: false }).filter({ hasText: /^Used/ })).toBeHidden();
});

test.describe("unused tokens", () => {
  test("points out tokens that are not in use, beside the button that revokes them", async ({
    page,
    guarded,
    signIn,
  }) => {
    const person = await makePerson(guarded, { name: "Forgetful" });
    const [never, long] = await makeTokens(guarded, person, ["Old plan", "Yearly report", "Brand new"]);
    await ageToken(guarded, { id: never?.id ?? "", created: 30, used: null });
    await ageToken(guarded, { id: long?.id ?? "", created: 400, used: 143 });
    await signIn(page, person);
    await page.goto("/tokens");
    await expect(row(page, "Old plan")).toContainText("Never used");
    await expect(row(page, "Yearly report")).toContainText("Not used for 143 days");
    await expect(row(page, "Brand new")).not.toContainText("Never used");
    const filter = page.getByRole("checkbox", { name: "Only tokens that are not in use (2)" });
    await filter.check();
    await expect(row(page, "Brand new")).toHaveCount(0);
    await expect(page.getByRole("status").getByText("2 found")).toBeVisible();
    await expectLooks(page, "tokens-unused");
    for (const unused of ["Old plan", "Yearly report"]) {
      await row(page, unused).getByRole("button", { name: "Revoke" }).click();
      await page.getByRole("button", { name: "Revoke token" }).click();
      await expect(row(page, unused).getByRole("button", { name: "Revoke" })).toHaveCount(0);
    }
    await expect(row(page, "Brand new")).toBeVisible();
    await expect(page.getByRole("checkbox", { name: /not in use/ })).toHaveCount(0);
  });
});

test.describe("a long list", () => {
  test("works with 70 tokens, and shows no tokens of others", async ({ page, guarded, signIn }) => {
    const person = await makePerson(guarded);
    const names = Array.from({ length: 70 }, (_, at) => `Job number ${at + 1}`);
    const made = await makeTokens(guarded, person, names);
    await makeTokens(guarded, guarded.admin, ["The administrator's own"]);
    await signIn(page, person);
    await page.goto("/tokens");
    const rows = page.getByRole("row", { name: /Job number/ });
    await expect(rows).toHaveCount(50);
    await page.getByRole("button", { name: "Show 20 more of 70" }).click();
    await expect(rows).toHaveCount(70);
    expect(await page.content()).not.toContain("The administrator's own");
    for (const administration of ["Users", "Audit", "Status"]) {
      await expect(page.getByRole("link", { name: administration })).toHaveCount(0);
    }
    const search = page.getByRole("searchbox", { name: "Search tokens" });
    await search.fill("number 42");
    await expect(rows).toHaveCount(1);
    await expect(page.getByRole("status").getByText("1 found")).toBeVisible();
    // A complete secret, such as one from a log, finds its token.
    await search.fill(made[6]?.token ?? "");
    await expect(rows).toHaveCount(1);
    await expect(rows).toContainText("Job number 7");
    await search.fill("nothing like it");
    await expect(page.getByText("No token matches.")).toBeVisible();
    await expectAccessible(page);
  });

  test("of thousands says what it leaves out, to their owner and to an administrator", async ({
    page,
    guarded,
    signIn,
  }) => {
    const person = await makePerson(guarded);
    await addTokens(guarded, { userId: person.id, active: 1_500, revoked: 150 });
    await signIn(page, person);
    await page.goto("/tokens");
    await expect(page.getByRole("heading", { name: "1500 tokens" })).toBeVisible();
    await expect(page.getByText("Only the 500 newest and the 500 oldest are listed and searched.")).toBeVisible();
    await page.getByText("150 revoked tokens").click();
    await expect(page.getByText("The newest 100 are shown.")).toBeVisible();
    await expectAccessible(page);
    await shot(page, "tokens-thousands");
    await signIn(page, "admin");
    await page.goto(`/users/${person.id}`);
    await expect(page.getByText("Only the 100 newest and the 100 oldest of 1500 are listed.")).toBeVisible();
    await expect(page.getByText("150 revoked tokens")).toBeVisible();
  });
});
