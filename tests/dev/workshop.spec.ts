import type { Locator } from "@playwright/test";
import { editorOf, expect, expectAtEnd, openWorkshop, paint, shownColor, test, typeAtEnd } from "./workshop-page.ts";

const status = "All files are saved.";

test("the page of a template leads to its workshop, where a saved file is written and its picture drawn again", async ({
  page,
  template,
}) => {
  await page.goto(`/templates/${template.slug}`);
  await page.getByRole("link", { name: "Edit the files of this template" }).click();
  await expect(page).toHaveURL(`/workshop/${template.slug}`);
  for (const name of ["template.json", "content.json", "template.html", "style.css"])
    await expect(page.getByRole("tab", { name })).toBeVisible();
  await typeAtEnd(page, "style.css", paint("#00ff00"));
  await expect(page.getByText("1 file is not saved.")).toBeVisible();
  expect(template.read("style.css")).not.toContain("#00ff00");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText(status)).toBeVisible();
  expect(template.read("style.css")).toContain(paint("#00ff00"));
  await expect.poll(() => shownColor(page)).toBe("#00ff00");
});

test("a file that another program saves is shown at once, with its picture", async ({ page, template }) => {
  await openWorkshop(page, template);
  await page.getByRole("tab", { name: "style.css" }).click();
  template.write("style.css", template.read("style.css") + paint("#0000ff"));
  await expect.poll(() => shownColor(page)).toBe("#0000ff");
  await expectAtEnd(page, "style.css", "#0000ff");
  await expect(page.getByText(status)).toBeVisible();
});

test("a new field of template.json is in the form after the save", async ({ page, template }) => {
  await openWorkshop(page, template);
  const manifest = JSON.parse(template.read("template.json"));
  manifest.fields.author.label = "Written by";
  template.write("template.json", JSON.stringify(manifest, null, 2));
  await expect(page.getByRole("textbox", { name: "Written by" })).toBeVisible();
});

test("faults are shown with their line and what to do, and lead to the place", async ({ page, template }) => {
  await openWorkshop(page, template);
  const lines = template.read("template.html").split("\n").length;
  await typeAtEnd(page, "template.html", "<p>{{ autor }}</p>\n");
  await page.keyboard.press("Control+S");
  const alert = page.getByRole("alert").filter({ hasText: "fault" });
  await expect(alert).toContainText("1 fault");
  await expect(alert).toContainText('Did you mean "author"?');
  await expect(page.getByText("This is the template before its files had faults.")).toBeVisible();
  await expect(page.getByRole("tab", { name: "template.html" })).toContainText("1 fault");
  await page.getByRole("tab", { name: "style.css" }).click();
  await alert.getByRole("button", { name: `template.html, line ${lines}` }).click();
  await expect(editorOf(page, "template.html")).toBeFocused();
  await page.keyboard.press("End");
  await page.keyboard.press("Shift+Home");
  await page.keyboard.insertText("<p>{{ author }}</p>");
  await page.keyboard.press("Control+S");
  await expect(alert).toHaveCount(0);
  await expect(page.getByText("This is the template before its files had faults.")).toHaveCount(0);
  expect(template.read("template.html")).toContain("<p>{{ author }}</p>");
});

test.describe("a file that changes on disk while its editor has another text", () => {
  test.beforeEach(async ({ page, template }) => {
    await openWorkshop(page, template);
    await typeAtEnd(page, "style.css", paint("#00ff00"));
    template.write("style.css", template.read("style.css") + paint("#0000ff"));
    await expect(page.getByText("style.css has changed on disk")).toBeVisible();
    const differences = page.getByRole("textbox", { name: "What differs in style.css" });
    await expect(differences.getByRole("deletion").filter({ hasText: "#0000ff" })).toBeVisible();
    await expect(differences.getByRole("insertion").filter({ hasText: "#00ff00" })).toBeVisible();
    await expect(editorOf(page, "style.css")).toContainText("#00ff00");
  });

  test("is not overwritten by a save, and replaces the text when the author says so", async ({ page, template }) => {
    await page.keyboard.press("Control+S");
    await expect(page.getByText("1 file is not saved.")).toBeVisible();
    await page.getByRole("button", { name: "Use the file on disk" }).click();
    await expect(editorOf(page, "style.css")).toBeFocused();
    await expectAtEnd(page, "style.css", "#0000ff");
    await expect(editorOf(page, "style.css")).not.toContainText("#00ff00");
    await expect(page.getByText(status)).toBeVisible();
    expect(template.read("style.css")).not.toContain("#00ff00");
  });

  test("is overwritten when the author says so", async ({ page, template }) => {
    await page.getByRole("button", { name: "Overwrite it with my text" }).click();
    await expect(editorOf(page, "style.css")).toBeFocused();
    await expect(page.getByText(status)).toBeVisible();
    await expect.poll(() => shownColor(page)).toBe("#00ff00");
    expect(template.read("style.css")).not.toContain("#0000ff");
  });
});

test("a conflict shows the places that differ, for the keyboard too, and follows the text that is typed", async ({
  page,
  template,
}) => {
  /** How many scripts the page has loaded. */
  const countScripts = () =>
    page.evaluate(
      () => performance.getEntriesByType("resource").filter(({ name }) => name.includes("/chunks/")).length,
    );
  const lines = template.read("style.css").split("\n").length;
  await openWorkshop(page, template);
  await typeAtEnd(page, "style.css", "\n.page { opacity: 1 }\n");
  const scripts = await countScripts();
  template.write("style.css", `.page { rotate: 0deg }\n${template.read("style.css")}`);
  const conflict = page.getByRole("region", { name: "Conflict in style.css" });
  await expect(conflict).toContainText("They differ in 2 places of your text:");
  expect(await countScripts(), "the comparison is loaded when it is needed").toBeGreaterThan(scripts);
  const differences = conflict.getByRole("textbox", { name: "What differs in style.css" });
  await expect(differences.getByRole("insertion").filter({ hasText: "opacity: 1" })).toBeVisible();
  await expect(differences.getByRole("deletion").filter({ hasText: "rotate: 0deg" })).toBeVisible();
  await conflict.getByRole("button", { name: `line ${lines}` }).focus();
  await page.keyboard.press("Enter");
  await expect(differences).toBeFocused();
  await expect(differences.getByRole("insertion").filter({ hasText: "opacity: 1" })).toBeInViewport();
  await conflict.getByRole("button", { name: "before line 1" }).click();
  await expect(differences.getByRole("deletion").filter({ hasText: "rotate: 0deg" })).toBeInViewport();
  await page.keyboard.type("x");
  await expect(differences).not.toContainText("x.page");
  await typeAtEnd(page, "style.css", "\n.page { order: 2 }\n");
  await expect(differences.getByRole("insertion").filter({ hasText: "order: 2" })).toBeVisible();
});

test("what has no effect is told beside the picture, which is drawn all the same", async ({ page, template }) => {
  const manifest = JSON.parse(template.read("template.json"));
  manifest.fields.quote.fit.minSize = 400;
  template.write("template.json", JSON.stringify(manifest, null, 2));
  await openWorkshop(page, template);
  const notices = page.getByRole("status").filter({ hasText: "notice" });
  await expect(notices).toContainText("1 notice: the picture is drawn, but this has no effect");
  await expect(notices).toContainText('The field "quote": got minSize 400, want at most');
  await typeAtEnd(page, "style.css", "\n.page {\n  colour: red;\n}\n");
  await page.keyboard.press("Control+S");
  await expect(notices).toContainText("2 notices");
  await expect(notices).toContainText('Got "colour", which is no CSS property. Did you mean "color"?');
  await expect(page.getByRole("alert").filter({ hasText: "fault" })).toHaveCount(0);
  await expect(page.getByText("Drawn from the saved files.")).toBeVisible();
  await expect(page.getByRole("tab", { name: "style.css" })).toContainText("1 notice");
  await notices.getByRole("button", { name: "style.css, line" }).click();
  await expect(editorOf(page, "style.css")).toBeFocused();
  await page.goto(`/templates/${template.slug}`);
  await expect(page.getByText("2 notices about what has no effect")).toBeVisible();
});

test("a text that was not saved survives another page and a reload", async ({ page, template }) => {
  await openWorkshop(page, template);
  await typeAtEnd(page, "style.css", paint("#00ff00"));
  await page.getByRole("link", { name: template.slug }).click();
  await expect(page).toHaveURL(`/templates/${template.slug}`);
  await page.getByRole("link", { name: "Edit the files of this template" }).click();
  await expect(page.getByText("1 file is not saved.")).toBeVisible();
  const asked = page.waitForEvent("dialog");
  const reloaded = page.reload();
  await (await asked).accept();
  await reloaded;
  await expect(page.getByText("1 file is not saved.")).toBeVisible();
  await page.getByRole("tab", { name: "style.css" }).click();
  await expectAtEnd(page, "style.css", "#00ff00");
});

test("everything can be done with the keyboard alone", async ({ page, template }) => {
  await openWorkshop(page, template);
  const focusBy = async (key: string, wanted: Locator) => {
    for (let presses = 0; presses < 40; presses += 1) {
      if (await wanted.evaluate((element) => element === document.activeElement)) return;
      await page.keyboard.press(key);
    }
    await expect(wanted).toBeFocused();
  };
  const editor = editorOf(page, "style.css");
  await focusBy("Tab", page.getByRole("tab", { name: "template.html" }));
  await focusBy("ArrowRight", page.getByRole("tab", { name: "style.css" }));
  await page.keyboard.press("Enter");
  await focusBy("Tab", editor);
  await page.keyboard.press("Control+End");
  await page.keyboard.type("\n.page { background: url(//example.com/x.png) }");
  await page.keyboard.press("Tab");
  await expect(editor).toBeFocused();
  await page.keyboard.press("Control+S");
  const fault = page.getByRole("button", { name: "style.css, line" });
  await expect(fault).toBeVisible();
  await page.keyboard.press("Escape");
  await page.keyboard.press("Tab");
  await expect(editor).not.toBeFocused();
  await focusBy("Tab", fault);
  await page.keyboard.press("Enter");
  await expect(editor).toBeFocused();
});
