import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Service, startService } from "../service.ts";
import { expect, test } from "./fixtures/fixtures.ts";
import { expectAccessible, matrix, shot } from "./fixtures/looks.ts";

const START_TIMEOUT_MS = 240_000;

// The tests request pages that answer 503.
test.use({ tolerated: [/status of 503/] });

let dir: string;
let folder: string;
let service: Service;

test.beforeAll(async () => {
  test.setTimeout(START_TIMEOUT_MS);
  dir = mkdtempSync(join(tmpdir(), "platen-away-"));
  folder = join(dir, "templates");
  service = await startService({
    SERVICE_AUTH_ENABLED: "false",
    SERVICE_RENDER_WORKERS: "1",
    SERVICE_TEMPLATES_DIR: folder,
  });
});

test.afterAll(async () => {
  await service?.stop();
  rmSync(dir, { recursive: true, force: true });
});

test("a page that cannot be shown gives the reason, the remedy and the request id", async ({ page }) => {
  const response = await page.goto(service.origin);
  expect(response?.status()).toBe(503);
  const requestId = (await response?.headerValue("x-request-id")) ?? "none";
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("This page is not available right now");
  await expect(page.getByText("SERVICE_TEMPLATES_DIR does not name a folder.")).toBeVisible();
  await expect(page.getByText(requestId)).toBeVisible();
  await matrix(page, async (look) => {
    await expectAccessible(page, look);
    await shot(page, `away-${look.name}`);
  });
});

test("a client-side navigation shows the error page too, and trying again works once the cause is fixed", async ({
  page,
}) => {
  await page.goto(`${service.origin}/docs/errors`);
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Templates" }).click();
  await expect(page).toHaveURL(`${service.origin}/`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("This page is not available right now");
  cpSync("templates/social/quote", join(folder, "social/quote"), { recursive: true });
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByRole("heading", { name: "Templates" })).toBeVisible();
  await expect(page.getByRole("link", { name: "Quote card" })).toBeVisible();
});
