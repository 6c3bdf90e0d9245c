import { expect, test } from "../fixtures/fixtures.ts";
import { expectAccessible, shot } from "../fixtures/looks.ts";
import { makePerson } from "../fixtures/servers.ts";

test.use({ mode: "guarded" });

test("saves the profile, shows the saved values, and shows errors at their fields", async ({
  page,
  guarded,
  signIn,
}) => {
  const person = await makePerson(guarded);
  await signIn(page, person);
  await page.goto("/account");
  await expect(page.getByRole("main")).toContainText(/User\s*Created (?:just now|\d)/);
  const [name, email] = [page.getByLabel("Name", { exact: true }), page.getByLabel("Email", { exact: true })];
  const save = page.getByRole("button", { name: "Save profile" });
  await name.fill("  Mary Jackson ");
  await email.fill(`MARY-${person.email}`);
  await email.press("Enter");
  await expect(page.getByText("Profile saved").first()).toBeVisible();
  await expect(name).toHaveValue("Mary Jackson");
  await expect(email).toHaveValue(`mary-${person.email}`);
  await expect(page.getByRole("button", { name: "Account of Mary Jackson" })).toBeVisible();
  await name.fill("");
  await email.fill("nowhere");
  await save.click();
  await expect(name).toHaveAttribute("aria-invalid", "true");
  await expect(email).toHaveAccessibleDescription(/ada@example.com/);
  await expectAccessible(page);
  await shot(page, "account-faulty-profile");
  await name.fill("Mary");
  await email.fill(guarded.admin.email);
  await save.click();
  await expect(email).toHaveAttribute("aria-invalid", "true");
  await expect(name).not.toHaveAttribute("aria-invalid", "true");
});

test("saves only what was edited: an email that was changed elsewhere stays", async ({ page, guarded, signIn }) => {
  const person = await makePerson(guarded);
  await signIn(page, person);
  await page.goto("/account");
  const moved = `moved-${person.email}`;
  const elsewhere = (email: string) =>
    fetch("/api/service/account", {
      method: "PATCH",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ email }),
    }).then(({ status }) => status);
  expect(await page.evaluate(elsewhere, moved)).toBe(200);
  await page.getByLabel("Name", { exact: true }).fill("Mary");
  await page.getByRole("button", { name: "Save profile" }).click();
  await expect(page.getByText("Profile saved").first()).toBeVisible();
  await expect(page.getByLabel("Email", { exact: true })).toHaveValue(moved);
  // Until the page has loaded its data again, a save would send the same values once more.
  await expect(page.getByRole("button", { name: "Account of Mary" })).toBeVisible();
  await page.getByRole("button", { name: "Save profile" }).click();
  await expect(page.getByText("No changes to save").first()).toBeVisible();
});

test("keeps what is edited while a save is under way", async ({ page, guarded, signIn }) => {
  const person = await makePerson(guarded);
  await signIn(page, person);
  await page.goto("/account");
  const answer = Promise.withResolvers<void>();
  await page.route("**/api/service/account", async (route) => {
    await answer.promise;
    await route.continue();
  });
  const email = page.getByLabel("Email", { exact: true });
  await page.getByLabel("Name", { exact: true }).fill("Mary");
  await page.getByRole("button", { name: "Save profile" }).click();
  await email.fill(`later-${person.email}`);
  answer.resolve();
  await expect(page.getByText("Profile saved").first()).toBeVisible();
  await expect(page.getByRole("banner")).toContainText("Mary");
  await expect(email).toHaveValue(`later-${person.email}`);
});

test("saves nothing for somebody else who has signed in in another tab", async ({ page, guarded, signIn }) => {
  const [first, second] = [await makePerson(guarded), await makePerson(guarded)];
  await signIn(page, first);
  await page.goto("/account");
  await page.getByLabel("Name", { exact: true }).fill("The first");
  await signIn(page, second);
  await page.getByRole("button", { name: "Save profile" }).click();
  await expect(page.getByLabel("Email", { exact: true })).toHaveValue(second.email);
  await expect(page.getByLabel("Name", { exact: true })).not.toHaveValue("The first");
});
