import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Locator, Page } from "@playwright/test";
import sharp from "sharp";
import { expect, test } from "./fixtures.ts";
import { expectAccessible, expectFits, matrix, shot } from "./looks.ts";

const QUOTE = "/templates/social/quote";
const RENDER = "**/api/service/images/render";

const field = (page: Page, name: string) => page.getByRole("textbox", { name, exact: true });

/** The page's picture once it is the engine's own and shows what the form says. */
async function picture(page: Page): Promise<Locator> {
  const frame = page.locator(".picture-frame > [aria-busy]");
  await expect(frame).toHaveAttribute("aria-busy", "false");
  const image = frame.getByRole("img");
  await expect(image).toHaveAttribute("src", /^blob:/);
  return image;
}

/** What the picture's object URL stands for, which the page's policy lets nobody fetch. */
async function pngOf(page: Page): Promise<Buffer> {
  const src = (await (await picture(page)).getAttribute("src")) as string;
  const content = await page.evaluate(async (url) => {
    const blob = (window as unknown as { blobs: Map<string, Blob> }).blobs.get(url) as Blob;
    return Array.from(new Uint8Array(await blob.arrayBuffer()));
  }, src);
  return Buffer.from(content);
}

test.beforeEach(async ({ context }) => {
  await context.addInitScript(() => {
    const blobs = new Map<string, Blob>();
    Object.assign(window, { blobs });
    const create = URL.createObjectURL.bind(URL);
    URL.createObjectURL = (blob: Blob) => {
      const url = create(blob);
      blobs.set(url, blob);
      return url;
    };
  });
});

/** What the API answers to the same request. */
async function rendered(origin: string, body: object, headers: Record<string, string> = {}): Promise<Buffer> {
  const response = await fetch(`${origin}/api/service/images/render`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
  expect(response.status).toBe(200);
  return Buffer.from(await response.arrayBuffer());
}

/** A picture to choose, with a name that shells and languages read things into. */
async function imageFile(dir: string): Promise<string> {
  const file = join(dir, "it's $my #photo.png");
  writeFileSync(
    file,
    await sharp({ create: { width: 80, height: 100, channels: 3, background: "#0a7" } })
      .png()
      .toBuffer(),
  );
  return file;
}

test.describe("the page of a template", () => {
  test("shows the variant at once, and then the engine's own picture", async ({ page, open }) => {
    await page.goto(QUOTE);
    await expect(page).toHaveTitle("Quote card · Platen");
    await expect(page.getByRole("heading", { level: 1, name: "Quote card" })).toBeVisible();
    expect(await pngOf(page)).toEqual(await rendered(open.origin, { template: "social/quote" }));
    await expect(page.getByText(/^1080 × 1080 · \d+ kB · /)).toBeVisible();
  });

  test("has its thumbnail, its values and its code without scripts", async ({ request, open }) => {
    const html = await (
      await request.get(`${QUOTE}?variant=poster&data=${encodeURIComponent('{"author":"Ada"}')}`)
    ).text();
    expect(html).toContain("/api/service/thumbnails/social/quote?variant=poster");
    expect(html).toContain('value="Ada"');
    expect(html).toContain("/api/service/images/render");
    expect(html).not.toContain(new URL(open.origin).host);
  });

  test("draws what is typed, in the variant that is chosen, and keeps it in the address", async ({ page, open }) => {
    await page.goto(QUOTE);
    await field(page, "Author").fill('Ada "L" O\'Lovelace 😀 عدا');
    await page.getByRole("radio", { name: "poster" }).click();
    await page.getByRole("combobox", { name: "Setting" }).selectOption("book");
    await field(page, "Paper (required)").fill("#abc");
    const data = { author: 'Ada "L" O\'Lovelace 😀 عدا', setting: "book", paper: "#abc" };
    await expect(page).toHaveURL(/variant=poster/);
    await expect(page).toHaveURL(/setting/);
    await expect(page).toHaveURL(/abc/);
    const png = await pngOf(page);
    expect(png).toEqual(await rendered(open.origin, { template: "social/quote", variant: "poster", data }));
    const again = await page.context().newPage();
    await again.goto(page.url());
    await expect(field(again, "Author")).toHaveValue(data.author);
    await expect(again.getByRole("radio", { name: "poster" })).toBeChecked();
    expect(await pngOf(again)).toEqual(png);
  });

  test("gives every value back, one by one or all at once, and the focus with it", async ({ page }) => {
    await page.goto(QUOTE);
    const author = field(page, "Author");
    await author.fill("Ada");
    await field(page, "Source").fill("");
    await expect(page.getByText("2 changed")).toBeVisible();
    await page.getByRole("button", { name: "Reset Author" }).press("Enter");
    await expect(author).toHaveValue("Virginia Woolf");
    await expect(author).toBeFocused();
    await page.getByRole("button", { name: "Reset all" }).click();
    await expect(field(page, "Source")).toHaveValue("A Room of One’s Own, 1929");
    await expect(page).toHaveURL(new RegExp(`${QUOTE}$`));
  });

  test("says what is wrong at the field, and keeps the last good picture", async ({ page }) => {
    await page.goto(QUOTE);
    const before = await (await picture(page)).getAttribute("src");
    const author = field(page, "Author");
    await author.fill("x".repeat(61));
    await expect(page.getByText("61 / 60")).toBeVisible();
    await expect(author).toHaveAccessibleDescription(/Got 61 characters, want at most 60\./);
    await expect(author).toHaveAttribute("aria-invalid", "true");
    expect(await (await picture(page)).getAttribute("src")).toBe(before);
    await expectAccessible(page);
    await shot(page, "template-error");
    await author.fill("x".repeat(60));
    await expect(author).not.toHaveAttribute("aria-invalid", "true");
  });

  test("tells warnings at their field and in a list", async ({ page }) => {
    await page.goto(QUOTE);
    const quote = field(page, "Quote (required)");
    await quote.fill("Supercalifragilistic ".repeat(11));
    await expect(quote).toHaveAccessibleDescription(/Made smaller to fit/);
    await expect(page.getByText("One warning")).toBeVisible();
    await expect(page.getByRole("status").filter({ hasText: "with 1 warning" })).toBeAttached();
    await expectAccessible(page);
  });

  test("counts characters as the service does", async ({ page }) => {
    await page.goto(QUOTE);
    // One composed letter, one emoji of seven code points.
    await field(page, "Author").fill("e\u0301👨‍👩‍👧‍👦");
    await expect(page.getByText("8 / 60")).toBeVisible();
  });

  test("suggests what was probably meant where there is no such template", async ({ page }) => {
    const response = await page.goto("/templates/social/qoute");
    expect(response?.status()).toBe(404);
    await page.getByRole("link", { name: "social/quote" }).click();
    await expect(page.getByRole("heading", { level: 1, name: "Quote card" })).toBeVisible();
  });
});

test.describe("while pictures are slow", () => {
  test("only the last is shown, and those before it are ended", async ({ page, open }) => {
    await page.goto(QUOTE);
    await picture(page);
    const ended: string[] = [];
    page.on("requestfailed", (request) => ended.push(request.postData() ?? ""));
    let delay = 1_500;
    await page.route(RENDER, async (route) => {
      const wait = delay;
      delay = 0;
      await new Promise((resolve) => setTimeout(resolve, wait));
      await route.continue().catch(() => undefined);
    });
    const author = field(page, "Author");
    const asked = page.waitForRequest((request) => request.postData()?.includes("first") ?? false);
    await author.fill("first");
    await asked;
    await expect(page.locator(".picture-frame > [aria-busy]")).toHaveAttribute("aria-busy", "true");
    await author.fill("second");
    await expect.poll(() => ended.join()).toContain("first");
    const png = await pngOf(page);
    expect(png).toEqual(await rendered(open.origin, { template: "social/quote", data: { author: "second" } }));
    await page.waitForTimeout(1_600);
    expect(await pngOf(page)).toEqual(png);
  });

  test.describe("for want of room", () => {
    test.use({ tolerated: [/status of 503/] });

    test("the picture is asked for again by itself, and that is said", async ({ page }) => {
      let tries = 0;
      const message = "Too many pictures are waiting.";
      await page.route(RENDER, async (route) => {
        tries += 1;
        if (tries > 1) return route.continue();
        const body = { error: { code: "overloaded", message, requestId: "0".repeat(26) } };
        return route.fulfill({ status: 503, headers: { "retry-after": "1" }, json: body });
      });
      await page.goto(QUOTE);
      await expect(page.getByRole("alert").filter({ hasText: message })).toBeVisible();
      await expect(page.getByText("again by itself in 1 second.")).toBeVisible();
      await picture(page);
      await expect(page.getByText(message)).toHaveCount(0);
    });
  });
});

test.describe("an image", () => {
  let dir: string;
  test.beforeAll(() => {
    dir = mkdtempSync(join(tmpdir(), "platen-picked-"));
  });
  test.afterAll(() => {
    rmSync(dir, { recursive: true, force: true });
  });

  test("is drawn when it is chosen, and no link holds it", async ({ page, open }) => {
    await page.goto(QUOTE);
    const file = await imageFile(dir);
    await page.getByLabel("Portrait or emblem", { exact: true }).setInputFiles(file);
    await expect(page.getByText("80 × 100, 1 kB")).toBeVisible();
    const portrait = `data:image/png;base64,${readFileSync(file, "base64")}`;
    await expect(page.getByText("A link leaves out images from your machine")).toBeVisible();
    expect(await pngOf(page)).toEqual(await rendered(open.origin, { template: "social/quote", data: { portrait } }));
    expect(page.url()).not.toContain("data");
    await expectAccessible(page);
    await page.getByRole("button", { name: "Leave out" }).click();
    await expect(page).toHaveURL(/portrait/);
    const without = { template: "social/quote", data: { portrait: "" } };
    await expect.poll(async () => (await pngOf(page)).equals(await rendered(open.origin, without))).toBe(true);
  });

  test("is taken by paste and by drop, and refused with the reason where it is none", async ({ page }) => {
    await page.goto(QUOTE);
    await picture(page);
    const content = readFileSync(await imageFile(dir)).toString("base64");
    const give = (kind: "paste" | "drop", type: string) =>
      page.evaluate(
        ([how, mediaType, base64]) => {
          const bytes = Uint8Array.from(atob(base64 as string), (char) => char.charCodeAt(0));
          const transfer = new DataTransfer();
          transfer.items.add(new File([bytes], `${how}.png`, { type: mediaType as string }));
          const zone = document.querySelector("[data-image-zone]") as Element;
          if (how === "paste")
            document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData: transfer, bubbles: true }));
          else zone.dispatchEvent(new DragEvent("drop", { dataTransfer: transfer, bubbles: true, cancelable: true }));
        },
        [kind, type, content],
      );
    const zone = page.locator("[data-image-zone]");
    await give("paste", "image/png");
    await expect(zone.getByText("paste.png")).toBeVisible();
    await give("drop", "image/png");
    await expect(zone.getByText("drop.png")).toBeVisible();
    await give("drop", "image/svg+xml");
    await expect(page.getByText("Got image/svg+xml, want PNG, JPEG, WebP, GIF or AVIF.")).toBeVisible();
    await page.getByLabel("Portrait or emblem", { exact: true }).setInputFiles({
      name: "large.png",
      mimeType: "image/png",
      buffer: Buffer.alloc(9_000_000),
    });
    await expect(page.getByText("Got 9.0 MB, want at most 8.9 MB.")).toBeVisible();
  });
});

test.describe("by keyboard alone", () => {
  test("a picture is drawn, and its code is copied", async ({ page, context }) => {
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.goto(QUOTE);
    await picture(page);
    const author = field(page, "Author");
    for (
      let presses = 0;
      presses < 60 && !(await author.evaluate((node) => node === document.activeElement));
      presses++
    ) {
      await page.keyboard.press("Tab");
    }
    await expect(author).toBeFocused();
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.type("Ada");
    const asked = page.waitForRequest((request) => request.postData()?.includes("Ada") ?? false);
    await page.keyboard.press("Control+Enter");
    await asked;
    await page.keyboard.press("Control+Shift+Enter");
    await expect(page.getByText("Copied the curl code")).toBeVisible();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toContain('"author": "Ada"');
    await expect(author).toBeFocused();
    await expect(author).toHaveValue("Ada");
  });
});

test("the picture is downloaded and copied", async ({ page, context, open }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.goto(`${QUOTE}?variant=verse`);
  await picture(page);
  const started = page.waitForEvent("download");
  await page.getByRole("link", { name: "Download" }).click();
  const download = await started;
  expect(download.suggestedFilename()).toBe("social-quote.png");
  const expected = await rendered(open.origin, { template: "social/quote", variant: "verse" });
  expect(readFileSync(await download.path())).toEqual(expected);
  await page.getByRole("button", { name: "Copy picture" }).click();
  await expect(page.getByText("Copied the picture")).toBeVisible();
  await page.getByRole("button", { name: "Copy link" }).click();
  await expect(page.getByText("Copied the link")).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(page.url());
});

/** How the code of a tab is run from a file. */
const RUNS = {
  curl: ["sh", "render.sh"],
  TypeScript: [process.execPath, "render.mts"],
  Python: ["python3", "render.py"],
} as const;

function isThere(command: string): Promise<boolean> {
  return new Promise((resolve) =>
    execFile(command, ["--version"], (error) => resolve(error === null || command === "sh")),
  );
}

async function expectSamePicture(page: Page, env: Record<string, string> = {}): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), "platen-pasted-"));
  try {
    const file = await imageFile(dir);
    await page.getByLabel("Portrait or emblem", { exact: true }).setInputFiles(file);
    await field(page, "Quote (required)").fill('it\'s \\n "$HOME" `id` ${x} #{y}\nJSON\n!! عربي 😀 %s');
    const png = await pngOf(page);
    for (const [tab, [command, name]] of Object.entries(RUNS)) {
      if (!(await isThere(command)) || (tab === "curl" && !(await isThere("curl")))) continue;
      await page.getByRole("tab", { name: tab }).click();
      const code = await page.getByRole("region", { name: `The request in ${tab}` }).innerText();
      writeFileSync(join(dir, name), `${code}\n`);
      rmSync(join(dir, "social-quote.png"), { force: true });
      await new Promise<void>((resolve, reject) => {
        const options = { cwd: dir, env: { ...process.env, NO_PROXY: "127.0.0.1", ...env } };
        execFile(command, [name], options, (error, _stdout, stderr) => (error ? reject(new Error(stderr)) : resolve()));
      });
      expect(readFileSync(join(dir, "social-quote.png")).equals(png), tab).toBe(true);
    }
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

test("the code of the page makes the page's picture", async ({ page }) => {
  await page.goto(`${QUOTE}?variant=poster`);
  await picture(page);
  await expectSamePicture(page);
});

test.describe("with the access layer on", () => {
  test.use({ mode: "guarded" });

  test("nobody sees it who is not signed in, and signing in leads back to the link", async ({ request }) => {
    for (const path of [`${QUOTE}?variant=poster`, "/templates/none"]) {
      const answer = await request.get(path, { maxRedirects: 0 });
      expect([answer.status(), answer.headers().location]).toEqual([307, `/login?next=${encodeURIComponent(path)}`]);
      expect(await answer.text()).not.toContain("Frederick");
    }
  });

  test("the code takes a token from the environment, and makes the page's picture", async ({
    page,
    guarded,
    signIn,
  }) => {
    await signIn(page, "user");
    await page.goto(QUOTE);
    await picture(page);
    await expect(page.getByRole("link", { name: "make one" })).toHaveAttribute("href", "/tokens");
    const token = await page.evaluate(async () => {
      const init = { method: "POST", headers: { "content-type": "application/json" }, body: '{"name":"pasted code"}' };
      return ((await (await fetch("/api/service/tokens", init)).json()) as { token: string }).token;
    });
    expect(guarded.origin).toContain("127.0.0.1");
    await expectSamePicture(page, { PLATEN_TOKEN: token });
  });
});

test("looks well in every theme and width, and axe finds nothing", async ({ page }) => {
  test.slow();
  await page.goto(`${QUOTE}?variant=verse`);
  await picture(page);
  await matrix(page, async (look) => {
    await shot(page, `template-quote-${look.name}`);
    if (["light-320", "dark-1440"].includes(look.name)) await expectAccessible(page);
  });
  for (const [name, path] of [
    ["ticket", "/templates/event/ticket"],
    ["story", "/templates/social/story"],
  ] as const) {
    await page.goto(path);
    await picture(page);
    await expectFits(page);
    await expectAccessible(page);
    await shot(page, `template-${name}`);
  }
  await page.setViewportSize({ width: 2560, height: 1300 });
  await expectFits(page);
});
