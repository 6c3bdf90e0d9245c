import { expectLooks, expectLooksAtExtremes } from "#tests/e2e/pages/fixtures/states.ts";
import { expect, openWorkshop, paint, test, typeAtEnd } from "./workshop-page.ts";

// An editor measures its lines after the frame in which its window has another width. `workshop.spec.ts` resizes no window.
test.use({ tolerated: [/ shifted by .*<div class="cm-/] });

test("the workshop works in both themes and at every width", async ({ page, template }) => {
  await openWorkshop(page, template);
  await expectLooks(page, "workshop");
});

test("so do faults", async ({ page, template }) => {
  await openWorkshop(page, template);
  await typeAtEnd(page, "template.html", "<p>{{ autor }}</p>\n");
  await page.keyboard.press("Control+S");
  await expect(page.getByRole("button", { name: "template.html, line" })).toBeVisible();
  await expectLooksAtExtremes(page, "workshop-fault");
});

test("so do notices", async ({ page, template }) => {
  template.write("style.css", `${template.read("style.css")}\n.page { colour: red }\n`);
  await openWorkshop(page, template);
  await expect(page.getByText("1 notice: the picture is drawn")).toBeVisible();
  await expectLooksAtExtremes(page, "workshop-notice");
});

test("so does a template that has never had a picture", async ({ page, template }) => {
  template.write("template.json", "{ ,");
  await page.goto(`/workshop/${template.slug}`);
  const fault = page.getByRole("listitem").filter({ hasText: "template.json, line 1" });
  await expect(fault).toContainText("The file is not valid JSON: want a value here");
  await expect(page.getByText("There is no picture while the files have faults.")).toBeVisible();
  await expectLooksAtExtremes(page, "workshop-no-picture");
});

test("so does a conflict", async ({ page, template }) => {
  await openWorkshop(page, template);
  await typeAtEnd(page, "style.css", paint("#00ff00"));
  template.write("style.css", template.read("style.css") + paint("#0000ff"));
  await expect(page.getByRole("textbox", { name: "What differs in style.css" })).toBeVisible();
  await expectLooksAtExtremes(page, "workshop-conflict");
});
