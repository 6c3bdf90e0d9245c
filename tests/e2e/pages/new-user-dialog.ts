import type { Locator, Page } from "@playwright/test";

/** Opens the dialog that creates a user, and fills in name and email. */
export async function describeNewUser(page: Page, { name, email }: { name: string; email: string }): Promise<Locator> {
  await page.goto("/users");
  await page.getByRole("button", { name: "Create user" }).click();
  const dialog = page.getByRole("dialog", { name: "Create user" });
  await dialog.getByLabel("Name", { exact: true }).fill(name);
  await dialog.getByLabel("Email").fill(email);
  return dialog;
}
