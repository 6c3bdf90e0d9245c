import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { type Service, startService } from "../service.ts";
import { expect, test } from "./fixtures/fixtures.ts";
import { expectAccessible, expectFits, resize, shot } from "./fixtures/looks.ts";
import { imageFile } from "./fixtures/template-page.ts";

const COUNT = 300;

/** The template that has a list with images. */
const ALBUM = 8;

const PEOPLE = {
  type: "list",
  label: "People",
  max: 3,
  item: { name: { type: "text", label: "Name" }, photo: { type: "image", label: "Photo" } },
};

const PEOPLE_MARKUP =
  '{% for one in people %}{{ one.name }}{% if one.photo %}<img data-image="people.photo" src="{{ one.photo }}" alt="">{% endif %}{% endfor %}';

/** A page with all templates would have three times as many. */
const MOST_ELEMENTS = 2_000;

const SIZES = [
  { width: 1200, height: 630 },
  { width: 1080, height: 1080 },
  { width: 1080, height: 1920 },
  { width: 1600, height: 200 },
  { width: 160, height: 1000 },
];

function writeTemplate(folder: string, at: number): void {
  const { width, height } = SIZES[at % SIZES.length] ?? { width: 400, height: 400 };
  const files = {
    "template.json": JSON.stringify({
      title: at === 7 ? "A title that has ever so many words, and a Donaudampfschifffahrtsgesellschaft" : `Card ${at}`,
      description: "A card.",
      ...{ width, height },
      defaultVariant: "plain",
      tags: [`series-${at % 20}`, "card"],
      fields: { title: { type: "text", label: "Title", required: true }, ...(at === ALBUM && { people: PEOPLE }) },
    }),
    "content.json": JSON.stringify({
      plain: { title: `Number ${at}`, ...(at === ALBUM && { people: [{ name: "Ada" }, { name: "Bo" }] }) },
    }),
    "template.html": `<h1>{{ title }}</h1>${at === ALBUM ? PEOPLE_MARKUP : ""}\n`,
    "style.css": `body { background: hsl(${(at * 37) % 360} 60% 70%); } h1 { font: 700 60px serif; margin: 40px; }\n`,
  };
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
}

function withTemplates(count: number): { folder: string; start: () => Promise<Service> } {
  const folder = mkdtempSync(join(tmpdir(), "platen-templates-"));
  for (let at = 0; at < count; at += 1) {
    writeTemplate(join(folder, "series", `card-${String(at).padStart(3, "0")}`), at);
  }
  const env = { SERVICE_AUTH_ENABLED: "false", SERVICE_TEMPLATES_DIR: folder, SERVICE_RENDER_WORKERS: "1" };
  return { folder, start: () => startService(env) };
}

/** An image whose file is read slowly goes to its item, and undoes nothing that was typed and moved meanwhile. */
async function expectLateImage(page: Page, address: string, folder: string): Promise<void> {
  await page.addInitScript(() => {
    const read = FileReader.prototype.readAsDataURL;
    FileReader.prototype.readAsDataURL = function (file) {
      document.addEventListener("read-now", () => read.call(this, file));
    };
  });
  await page.goto(address);
  const people = page.getByRole("group", { name: "People" });
  await people.getByRole("button", { name: /Ada$/, expanded: false }).click();
  await people.getByRole("button", { name: /Bo$/, expanded: false }).click();
  await people
    .locator("input[type=file]")
    .first()
    .setInputFiles(await imageFile(folder));
  await people.getByRole("textbox", { name: "Name" }).nth(1).fill("Cy");
  await people.getByRole("button", { name: "Move Ada down" }).click();
  await page.evaluate(() => document.dispatchEvent(new Event("read-now")));
  await expect(people.getByText("80 × 100, 1 kB")).toBeVisible();
  await expect(people.getByRole("textbox", { name: "Name" }).nth(0)).toHaveValue("Cy");
  await expect(people.getByRole("textbox", { name: "Name" }).nth(1)).toHaveValue("Ada");
  await expect(people.getByRole("listitem").nth(1).getByText("80 × 100, 1 kB")).toBeVisible();
  // Its last picture is not requested from a server that has stopped.
  await page.goto("about:blank");
}

test("300 templates load in batches, and are searchable", async ({ page }) => {
  test.slow();
  const { folder, start } = withTemplates(COUNT);
  const service = await start();
  try {
    const cards = page.getByRole("main").getByRole("listitem");
    await page.goto(service.origin);
    await expect(cards).toHaveCount(48);
    expect(await page.evaluate(() => document.querySelectorAll("*").length)).toBeLessThan(MOST_ELEMENTS);
    await expect(cards.first().locator("[data-state=loaded]")).toBeVisible();
    await expectAccessible(page);
    await shot(page, "gallery-many");
    // Pictures far below the window are not requested before the reader scrolls there.
    await expect(cards.last().locator("[data-state=loading]")).toBeVisible();
    await page.getByRole("link", { name: "Show 48 more of 252" }).click();
    await expect(cards).toHaveCount(96);
    await expect(page).toHaveURL(`${service.origin}/?show=96`);
    await page.getByRole("searchbox").fill("card 299");
    await expect(cards).toHaveCount(1);
    await expect(page).toHaveURL(`${service.origin}/?q=card+299`);
    await page.goto(`${service.origin}/?q=donau`);
    await resize(page, 320);
    await expect(cards).toHaveCount(1);
    await expectFits(page);
    await resize(page, 1280);
    await expectLateImage(page, `${service.origin}/templates/series/card-00${ALBUM}`, folder);
  } finally {
    await service.stop();
    rmSync(folder, { recursive: true });
  }
});

test("without templates the page explains what a template is", async ({ page }) => {
  const { folder, start } = withTemplates(0);
  const service = await start();
  try {
    await page.goto(service.origin);
    await expect(page.getByRole("heading", { name: "No templates yet" })).toBeVisible();
    await expectAccessible(page);
    await shot(page, "gallery-no-template");
  } finally {
    await service.stop();
    rmSync(folder, { recursive: true });
  }
});
