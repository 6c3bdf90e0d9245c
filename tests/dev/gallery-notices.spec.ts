import { expectLooksAtExtremes } from "#tests/e2e/pages/fixtures/states.ts";
import { expect, test } from "./workshop-page.ts";

test("a card of the gallery tells how many notices its template has, and leads to its workshop", async ({
  page,
  template,
}) => {
  await page.goto("/");
  await expect(page.getByText("No notices so far.")).toBeVisible();
  const card = page.getByRole("listitem").filter({ hasText: template.slug });
  await expect(card.getByRole("link", { name: "notice" })).toHaveCount(0);

  // The file alone tells the first one. Only a picture tells the second one.
  template.write("style.css", `${template.read("style.css")}\n.page { colour: red }\n.page::before { color: red }\n`);
  const link = card.getByRole("link", { name: `at least 1 notice in the files of ${template.slug}` });
  await expect(link).toBeVisible();
  await expect(page.getByText("At least 1 notice in 1 template.")).toBeVisible();
  await expectLooksAtExtremes(page, "gallery-notices");

  await link.click();
  await expect(page).toHaveURL(`/workshop/${template.slug}`);
  await expect(page.getByText("2 notices: the picture is drawn")).toBeVisible();
  await page.goto("/");
  await expect(card.getByRole("link", { name: `2 notices in the files of ${template.slug}` })).toBeVisible();
  await expect(card).not.toContainText("at least");
});
