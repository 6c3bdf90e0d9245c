import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures/fixtures.ts";
import { applyLook, expectAccessible, expectFits, matrix, shot } from "./fixtures/looks.ts";
import type { Server } from "./fixtures/servers.ts";
import { addToken } from "./fixtures/tokens.ts";

const run = promisify(execFile);

const PAGES = [
  "/docs",
  "/docs/api",
  "/docs/schemas",
  "/docs/errors",
  "/docs/templates",
  "/docs/operations",
  "/docs/api/social/quote",
];

/** Runs what a page shows, as whoever pastes it does. @returns the first bytes, width and height of the picture it leaves */
async function paste(command: string, file: string, env: Record<string, string> = {}) {
  const dir = mkdtempSync(join(tmpdir(), "platen-docs-"));
  try {
    await run("sh", ["-c", command], { cwd: dir, env: { ...process.env, ...env } });
    const png = readFileSync(join(dir, file));
    return { magic: png.toString("latin1", 1, 4), width: png.readUInt32BE(16), height: png.readUInt32BE(20) };
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

async function blocks(page: Page): Promise<string[]> {
  return page.locator("article pre").allTextContents();
}

/** The same once the browser has said where the service is. */
async function callsTo({ origin }: Server, page: Page): Promise<string[]> {
  await expect(page.locator("article pre").filter({ hasText: "/api/service/images/render" }).first()).toContainText(
    origin,
  );
  return blocks(page);
}

/** The headings of a page, but those outside of what it says. */
async function headingsOf(page: Page): Promise<string[]> {
  const texts = await page.locator("article").getByRole("heading").allInnerTexts();
  return texts.map((text) => text.replace(/\s+/g, " ").trim());
}

/** Those of a Markdown document, without marks. */
function headingsIn(text: string): string[] {
  const prose = text.replace(/^```[\s\S]*?^```/gm, "");
  return [...prose.matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) => heading.replace(/[`\\]/g, "").trim());
}

test("the quick start leads to a picture, by what it says to paste", async ({ page, open }) => {
  await page.goto("/docs");
  await expect(page).toHaveTitle("Quick start · Platen");
  const [first = "", edited = "", strict = ""] = await callsTo(open, page);
  for (const command of [first, edited, strict]) {
    expect(await paste(command, "quote.png")).toEqual({ magic: "PNG", width: 1080, height: 1080 });
  }
  expect(edited).toContain('"variant"');
  expect(strict).toContain("handling=strict");
  const picture = page.getByRole("img", { name: "Quote card, book" });
  await picture.scrollIntoViewIfNeeded();
  await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(640);
});

test("every page is Markdown too, with the same headings, and says where", async ({ page, open }) => {
  for (const path of PAGES) {
    await page.goto(path);
    const link = page.getByRole("link", { name: "View as Markdown" });
    await expect(link).toHaveAttribute("href", `${path}.md`);
    await expect(page.locator('link[rel="alternate"][type="text/markdown"]')).toHaveAttribute("href", `${path}.md`);
    const answer = await open.client.ask("GET", `${path}.md`);
    expect([path, answer.status, answer.headers["content-type"]]).toEqual([path, 200, "text/markdown; charset=utf-8"]);
    expect(headingsIn(answer.text)).toEqual(await headingsOf(page));
    expect(await headingsOf(page)).not.toEqual([]);
    // Who asks for text has no browser that knows better than the service.
    const here = `http://localhost:${open.service.port}`;
    for (const block of await blocks(page)) expect(answer.text).toContain(block.replaceAll(open.origin, here));
  }
});

test("Markdown answers every request as the routes do", async ({ open }) => {
  for (const path of ["/docs.md", "/docs/errors.md", "/llms.txt"]) {
    const refused = await open.client.ask("POST", path, { body: {} });
    expect([refused.status, refused.headers.allow]).toEqual([405, "GET, HEAD"]);
    expect((refused.json() as { error: { code: string } }).error.code).toBe("method_not_allowed");
    const plain = await open.client.ask("GET", path);
    const asPart = await open.client.ask("GET", path, { headers: { rsc: "1", "next-router-prefetch": "1" } });
    expect([asPart.status, asPart.text]).toEqual([200, plain.text]);
    expect(plain.headers["content-security-policy"]).toBe("default-src 'none'; frame-ancestors 'none'");
    expect(plain.headers["cache-control"]).toBe("no-store");
  }
  expect((await open.client.ask("GET", "/docs/nothing.md")).status).toBe(404);
  expect((await open.client.ask("GET", "/docs/nothing")).status).toBe(404);
  expect((await open.client.ask("GET", "/docs/api/no/such")).status).toBe(404);
});

test("every link of every page and of llms.txt leads somewhere", async ({ page, open }) => {
  const links = new Set<string>();
  const { text } = await open.client.ask("GET", "/llms.txt");
  for (const [, href = ""] of text.matchAll(/\]\(([^)]+)\)/g)) links.add(href);
  expect([...links].filter((href) => href.endsWith(".md")).length).toBeGreaterThan(PAGES.length);
  for (const path of PAGES) {
    await page.goto(path);
    const found = await page
      .locator("main a")
      .evaluateAll((all) => all.map((link) => (link as HTMLAnchorElement).href));
    for (const href of found.filter((one) => one.startsWith(open.origin))) links.add(href);
    const missing = await page
      .locator('main a[href^="#"]')
      .evaluateAll((all) =>
        all.map((link) => link.getAttribute("href")).filter((id) => !document.querySelector(`[id="${id?.slice(1)}"]`)),
      );
    expect([path, missing]).toEqual([path, []]);
  }
  // What only the access layer has; open mode has no link to it.
  for (const path of new Set([...links].map((href) => href.replace(/#.*/, "")))) {
    const { status } = await open.client.ask("GET", path.replace(open.origin, ""));
    expect([path, status]).toEqual([path, 200]);
  }
});

test("an error's own address leads to it", async ({ page }) => {
  await page.goto("/docs/errors#rate_limited");
  await expect(page.getByRole("heading", { name: "rate_limited" })).toBeInViewport();
});

test("the way from page to page needs no mouse", async ({ page }) => {
  await page.goto("/docs");
  const navigation = page.getByRole("navigation", { name: "Documentation" });
  await navigation.getByRole("link", { name: "Errors and warnings" }).focus();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/docs\/errors$/);
  await expect(navigation.getByRole("link", { name: "Errors and warnings" })).toHaveAttribute("aria-current", "page");
  await page.goto("about:blank");
  await applyLook(page, { theme: "light", width: 320 });
  await page.goto("/docs/errors");
  await page.locator("summary").focus();
  await page.keyboard.press("Enter");
  await page.getByRole("group").getByRole("link", { name: "overloaded" }).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "overloaded" })).toBeInViewport();
  await expectAccessible(page);
});

// Each look from an empty window: on a busy machine the pages are long enough for a change of its size to pass for their own move.
for (const path of PAGES) {
  test(`${path} looks right in every theme and width, and axe finds nothing`, async ({ page }) => {
    // Axe reads everything once for each look.
    test.slow();
    await matrix(page, async ({ name, theme, width }) => {
      await page.goto(path);
      await expectFits(page);
      // Colours hang on the theme, sizes on the width: every one of either is looked at.
      if ((theme === "light") === (width !== 768)) await expectAccessible(page);
      if (width !== 768) await shot(page, `${path.slice(1).replaceAll("/", "-")}-${name}`);
      await page.goto("about:blank");
    });
  });
}

test.describe("with the access layer on", () => {
  test.use({ mode: "guarded" });

  test("nobody reads it who is not signed in", async ({ page, guarded }) => {
    for (const path of PAGES) {
      await page.goto(path);
      await expect(page).toHaveURL(`${guarded.origin}/login?next=${encodeURIComponent(path)}`);
      expect((await guarded.client.ask("GET", `${path}.md`)).status).toBe(401);
    }
    expect((await guarded.client.ask("GET", "/llms.txt")).status).toBe(401);
  });

  test("the quick start leads to a picture, with a token", async ({ page, guarded, signIn }) => {
    await signIn(page, "user");
    await page.goto("/docs");
    await expect(page.getByRole("heading", { name: "1. Create a token" })).toBeVisible();
    const [setting = "", first = ""] = await callsTo(guarded, page);
    const { token } = await addToken(guarded, guarded.sessions.user, "a script");
    const command = `${setting.replace("svc_…", token)}\n${first}`;
    expect(await paste(command, "quote.png")).toEqual({ magic: "PNG", width: 1080, height: 1080 });
  });

  test("the reference has the routes of accounts, looks right, and axe finds nothing", async ({ page, signIn }) => {
    test.slow();
    await signIn(page, "user");
    await applyLook(page, { theme: "light", width: 1440 });
    await page.goto("/docs/api");
    await expect(page.getByRole("heading", { name: "DELETE /api/service/tokens/{id}" })).toBeVisible();
    await shot(page, "docs-api-guarded-light-1440");
    await page.goto("about:blank");
    await applyLook(page, { theme: "dark", width: 320 });
    await page.goto("/docs/api");
    await expectFits(page);
    await expectAccessible(page);
  });
});
