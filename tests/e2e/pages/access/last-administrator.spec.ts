import { expect, test } from "../fixtures/fixtures.ts";
import { type GuardedServer, makePerson } from "../fixtures/servers.ts";
import { expectLooks } from "../fixtures/states.ts";

test.use({ mode: "guarded" });

const LAST = "This is the last active administrator.";

/** Demotes all administrators except that of the server. */
async function demoteOthers({ client, admin }: GuardedServer, cookie: string): Promise<void> {
  const users = (await client.ask("GET", "/api/service/users", { cookie })).json() as { id: string; role: string }[];
  for (const { id, role } of users)
    if (role === "admin" && id !== admin.id)
      await client.ask("PATCH", `/api/service/users/${id}`, { body: { role: "user" }, cookie });
}

test("for the last administrator, changing the role, deactivating and deleting are disabled with the reason", async ({
  page,
  signIn,
  guarded,
}) => {
  await demoteOthers(guarded, guarded.sessions.admin);
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

test("a user who has become the last administrator since the page was loaded cannot be deactivated", async ({
  page,
  signIn,
  guarded,
}) => {
  const cookie = guarded.sessions.admin;
  await demoteOthers(guarded, cookie);
  await makePerson(guarded, { role: "admin", name: "Grete Other" });
  await signIn(page, "admin");
  await page.goto(`/users/${guarded.admin.id}`);
  await page.getByRole("button", { name: "Deactivate" }).click();
  await expect(page.getByRole("alertdialog")).toContainText("You will be signed out everywhere, here too.");
  await demoteOthers(guarded, cookie);
  await page.getByRole("alertdialog").getByRole("button", { name: "Deactivate" }).click();
  await expect(page.getByRole("alert")).toContainText("This is the last active administrator");
  await page.getByRole("button", { name: "Cancel" }).click();
  await expect(page.getByRole("alertdialog")).toBeHidden();
  await expect(page.getByRole("button", { name: "Deactivate" })).toBeDisabled();
  expect((await guarded.client.ask("GET", "/api/service/account", { cookie })).status).toBe(200);
});
