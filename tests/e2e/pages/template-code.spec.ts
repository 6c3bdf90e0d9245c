import { execFile, execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { expectAccessible, expectFits, matrix, shot } from "./fixtures/looks.ts";
import { LINK_KEY } from "./fixtures/servers.ts";
import { expect, field, imageFile, picture, pngOf, QUOTE, test } from "./fixtures/template-page.ts";

/** The commands that run the code of each tab. */
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
      const region = page.getByRole("region", { name: `The request in ${tab}` });
      await expect(region).toContainText(new URL(page.url()).origin);
      const code = await region.innerText();
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

test("the code renders the picture of the page", async ({ page }) => {
  await page.goto(`${QUOTE}?variant=poster`);
  await picture(page);
  await expectSamePicture(page);
});

test("the code signs a link to the picture of the page, and the page holds no key", async ({ page }) => {
  await page.goto(`${QUOTE}?variant=poster`);
  await field(page, "Quote (required)").fill("Less is <more> & “better” 😀");
  const png = await pngOf(page);
  await page.getByLabel(/^Sign a link/).check();
  const region = page.getByRole("region", { name: "A signed link in TypeScript" });
  const dir = mkdtempSync(join(tmpdir(), "platen-signed-"));
  try {
    writeFileSync(join(dir, "link.mts"), `${await region.innerText()}\n`);
    const env = { ...process.env, PLATEN_LINK_KEY: LINK_KEY };
    const address = execFileSync(process.execPath, ["link.mts"], { cwd: dir, env, encoding: "utf8" }).trim();
    expect(new URL(address).origin).toBe(new URL(page.url()).origin);
    const response = await fetch(address);
    expect(Buffer.from(await response.arrayBuffer()).equals(png)).toBe(true);
    await expectAccessible(page);
    await expectFits(page);
    await shot(page, "template-link-code");
    expect(await page.content()).not.toContain(LINK_KEY.split(":")[1]);
    await page.getByLabel("Portrait or emblem", { exact: true }).setInputFiles(await imageFile(dir));
    await expect(page.getByText("A link cannot hold an image file.")).toBeVisible();
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
});

test("code with invalid values is marked until they are valid, in every language and for links", async ({
  page,
  readClipboard,
}) => {
  const data = { author: "x".repeat(61), paper: "bluish" };
  await page.goto(`${QUOTE}?data=${encodeURIComponent(JSON.stringify(data))}`);
  const mark = page.getByText("Invalid values: Author; Paper. This code renders no picture.");
  await expect(mark).toBeVisible();
  for (const tab of ["TypeScript", "Go", "curl"]) {
    await page.getByRole("tab", { name: tab }).click();
    const region = page.getByRole("region", { name: `The request in ${tab}` });
    await expect(region).toHaveAccessibleDescription(/^Invalid values: Author; Paper\./);
  }
  await expectAccessible(page);
  await matrix(page, (look) => shot(page, `template-invalid-code-${look.name}`));
  await field(page, "Paper (required)").fill("#fff");
  await expect(page.getByText("Invalid value: Author. This code renders no picture.")).toBeVisible();
  await page.getByLabel(/^Sign a link/).check();
  await expect(page.getByRole("region", { name: "A signed link in TypeScript" })).toHaveAccessibleDescription(
    /^Invalid/,
  );
  await page.keyboard.press("Control+Shift+Enter");
  await expect(page.getByText("TypeScript code copied, with invalid values")).toBeVisible();
  expect(await readClipboard()).toContain("x".repeat(61));
  await field(page, "Author").fill("Ada");
  await expect(page.getByText(/^Invalid value/)).toHaveCount(0);
  await expect(page.getByRole("region", { name: "A signed link in TypeScript" })).toHaveAccessibleDescription("");
});

test.describe("with the access layer on", () => {
  test.use({ mode: "guarded" });

  test("the code reads a token from the environment, and renders the picture of the page", async ({
    page,
    guarded,
    signIn,
  }) => {
    await signIn(page, "user");
    await page.goto(QUOTE);
    await picture(page);
    await expect(page.getByRole("link", { name: /^Create a token$|^create one$/i })).toHaveAttribute("href", "/tokens");
    const token = await page.evaluate(async () => {
      const init = { method: "POST", headers: { "content-type": "application/json" }, body: '{"name":"pasted code"}' };
      return ((await (await fetch("/api/service/tokens", init)).json()) as { token: string }).token;
    });
    expect(guarded.origin).toContain("127.0.0.1");
    await expectSamePicture(page, { PLATEN_TOKEN: token });
  });
});
