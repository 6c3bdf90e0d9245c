import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures/fixtures.ts";
import { imageFile, QUOTE } from "./fixtures/template-page.ts";
import { type Case, check } from "./fixtures/unhydrated.ts";

// What a late click opens moves the page: it counts as a layout shift, because the input was more than half a second ago.
test.use({ tolerated: [/ shifted by /] });

/** A control of the form of a template, whose value has to reach the address. */
const edited = (label: string, template: string, value: string, act?: (page: Page) => Promise<void>): Case => ({
  name: `${label} of ${template}`,
  path: `/templates/${template}`,
  act: act ?? ((page) => page.getByLabel(label, { exact: true }).fill(value)),
  expected: async (page) => {
    await expect(page.getByText("1 changed")).toBeVisible();
    await expect.poll(() => new URL(page.url()).searchParams.get("data")).toContain(value);
  },
});

const OPEN_CASES: Case[] = [
  {
    name: "a search, a tag and a size in the gallery",
    path: "/",
    act: async (page) => {
      await page.getByRole("searchbox").pressSequentially("card");
      await page.getByRole("checkbox", { name: "social" }).check();
      await page.getByRole("combobox", { name: "Size" }).selectOption("portrait");
    },
    expected: (page) => expect(page).toHaveURL("/?q=card&tag=social&size=portrait"),
  },
  {
    name: "a search that is sent in the gallery",
    path: "/",
    act: async (page) => {
      await page.getByRole("searchbox").fill("quote");
      await page.getByRole("searchbox").press("Enter", { noWaitAfter: true });
    },
    expected: async (page) => {
      await expect(page).toHaveURL("/?q=quote&size=");
      await expect(page.getByRole("main").getByRole("listitem")).toHaveCount(1);
    },
  },
  {
    name: "the theme",
    path: "/",
    act: (page) => page.getByRole("radio", { name: "Dark" }).check(),
    expected: async (page) => {
      await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
      await expect(page.getByRole("radio", { name: "Dark" })).toBeChecked();
    },
  },
  {
    name: "the menu of a narrow window",
    path: "/",
    act: async (page) => {
      await page.setViewportSize({ width: 320, height: 640 });
      await page.getByRole("button", { name: "Menu" }).click();
    },
    expected: (page) => expect(page.getByRole("navigation", { name: "Main" })).toBeVisible(),
  },
  {
    name: "Check again and the switch of the status page",
    path: "/status",
    act: async (page) => {
      await page.getByLabel("Check every 10 seconds").check();
      await page.getByLabel("Check every 10 seconds").uncheck();
      await page.getByRole("button", { name: "Check again" }).click();
    },
    expected: async (page) => {
      await page.waitForResponse("**/api/service/status");
      await expect(page.getByLabel("Check every 10 seconds")).not.toBeChecked();
    },
  },
  edited("Author", "social/quote", "Ada Lovelace"),
  edited("Quote", "social/quote", "To be\\nor not", (page) =>
    page.getByRole("textbox", { name: "Quote (required)" }).fill("To be\nor not"),
  ),
  edited("Setting", "social/quote", "poster", async (page) => {
    await page.getByRole("combobox", { name: "Setting" }).selectOption("poster");
  }),
  edited("Paper", "social/quote", "#abcdef", (page) =>
    page.getByRole("textbox", { name: "Paper (required)" }).fill("#abcdef"),
  ),
  edited("Pick: Paper", "social/quote", "#123456"),
  edited("Date", "blog/article", "2031-05-06"),
  edited("Reading time in minutes", "blog/article", "42"),
  edited("Date and time", "event/ticket", "2031-05-06T07:08"),
  edited("Language", "event/ticket", "fr", async (page) => {
    await page.getByRole("combobox", { name: "Language" }).selectOption("fr");
  }),
  edited("Torn", "event/ticket", "torn", (page) => page.getByLabel("Torn").click()),
  edited("Pass", "event/badge", "DOOR-7"),
  edited("Code", "dev/code", "let late", (page) =>
    page.getByRole("textbox", { name: "Code (required)" }).fill("let late"),
  ),
  edited("Figures", "data/line", "4321", (page) =>
    page.getByRole("textbox", { name: "Figures (required)" }).fill("June, 4321"),
  ),
  {
    name: "the variant of a template",
    path: QUOTE,
    act: (page) => page.getByRole("radio", { name: "poster" }).check(),
    expected: (page) => expect(page).toHaveURL(`${QUOTE}?variant=poster`),
  },
  {
    name: "the language of the code",
    path: QUOTE,
    act: (page) => page.getByRole("tab", { name: "Python" }).click(),
    expected: (page) => expect(page.getByRole("region", { name: "The request in Python" })).toBeVisible(),
  },
];

test.describe("before a page is hydrated, it takes", () => {
  for (const each of OPEN_CASES) test(each.name, ({ page }) => check(each, page));

  test("an image of a template", async ({ page }) => {
    const dir = mkdtempSync(join(tmpdir(), "platen-hydration-"));
    try {
      const file = await imageFile(dir);
      await check(
        {
          name: "an image",
          path: QUOTE,
          act: async (own) => {
            const chooser = own.waitForEvent("filechooser");
            await own.locator("[data-image-zone]").getByText("Choose…").click({ force: true });
            await (await chooser).setFiles(file);
          },
          expected: (own) => expect(own.getByText("80 × 100, 1 kB")).toBeVisible(),
        },
        page,
      );
    } finally {
      rmSync(dir, { recursive: true, force: true });
    }
  });
});

// React keeps attributes of the server that differ from those of the browser. What a server counts on from page to page does.
test("every page is drawn the same when it is drawn again", async ({ open }) => {
  const templates = (await open.client.ask("GET", "/api/service/templates")).json() as { slug: string }[];
  const addresses = ["/", "/docs", "/docs/api", ...templates.map(({ slug }) => `/templates/${slug}`)];
  // The nonce of each response, as an attribute and in the data of the page.
  const NONCE = /nonce(?:="|\\":\\")[\w+/=-]+/g;
  const draw = async (path: string) => (await open.client.ask("GET", path)).text.replace(NONCE, "");
  for (const path of addresses) {
    const first = await draw(path);
    expect([path, (await draw(path)) === first]).toEqual([path, true]);
  }
});
