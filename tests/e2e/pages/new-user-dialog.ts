import type { Locator, Page } from "@playwright/test";

/** Opens the dialog in which an administrator creates somebody, on the list of users, and says who that is. */
export async function describeNewUser(page: Page, { name, email }: { name: string; email: string }): Promise<Locator> {
  await page.goto("/users");
  await page.getByRole("button", { name: "Create a user" }).click();
  const dialog = page.getByRole("dialog", { name: "Create a user" });
  await dialog.getByLabel("Name", { exact: true }).fill(name);
  await dialog.getByLabel("Email").fill(email);
  return dialog;
}
