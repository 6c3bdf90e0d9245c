import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { copyEmptyDatabase } from "#tests/empty-database.ts";
import { type Service, startService } from "../e2e/service.ts";
import { ENTER, WebKit } from "./webkit.ts";

const ADMIN = { email: "ada@example.com", password: "correct horse battery" };

const IS_HYDRATED = "window.earlyEvents === undefined";

/** Keeps what goes wrong in a page from here on, for `faults`. */
const WATCH = `(() => {
  window.faults = [];
  window.addEventListener("error", ({ message }) => window.faults.push(message));
  window.addEventListener("unhandledrejection", ({ reason }) => window.faults.push(String(reason)));
  document.addEventListener("securitypolicyviolation", ({ violatedDirective }) => window.faults.push(violatedDirective));
})()`;

let dir: string;
let open: Service;
let guarded: Service;
let webkit: WebKit;

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), "platen-webkit-"));
  open = await startService({ SERVICE_AUTH_ENABLED: "false" });
  guarded = await startService({
    SERVICE_AUTH_ENABLED: "true",
    DATABASE_URL: "",
    SERVICE_DATABASE_DIR: await copyEmptyDatabase(join(dir, "database")),
    SERVICE_ADMIN_EMAIL: ADMIN.email,
    SERVICE_ADMIN_PASSWORD: ADMIN.password,
  });
});

beforeEach(async () => {
  webkit = await WebKit.start();
  return () => webkit.close();
});

afterAll(async () => {
  await Promise.all([open?.stop(), guarded?.stop()]);
  rmSync(dir, { recursive: true, force: true });
});

/** Opens a page, and waits until it is hydrated. */
async function visit(address: string): Promise<void> {
  await webkit.open(address);
  await webkit.evaluate(WATCH);
  await webkit.expectThat(IS_HYDRATED, true);
}

it("the gallery is searched, and keeps the search in its address", async () => {
  await visit(open.origin);
  await webkit.type("//input[@type='search']", "quote");
  await expect.poll(() => webkit.url()).toBe(`${open.origin}/?q=quote`);
  await webkit.expectThat(`document.querySelectorAll("main li a[href='/templates/social/quote']").length`, 1);
  await webkit.expectThat("window.faults", []);
});

it("a field of a template is edited: the picture and the code follow, and an invalid value is marked", async () => {
  const shown = `document.querySelector(".picture-frame > [aria-busy=false] img")?.src`;
  const control = (label: string) => `//*[@id=//label[starts-with(normalize-space(), '${label}')]/@for]`;
  await visit(`${open.origin}/templates/social/quote`);
  await expect.poll(() => webkit.evaluate(shown)).toMatch(/^blob:/);
  const before = await webkit.evaluate(shown);
  await webkit.type(control("Author"), "Zoë Webkit");
  await webkit.expectThat(`/"author": ".*Zoë Webkit"/.test(document.querySelector("main").innerText)`, true);
  await expect.poll(() => webkit.evaluate(`${shown} ?? "${before}"`)).not.toBe(before);
  const invalid = `document.querySelectorAll("main [aria-invalid=true]").length`;
  await webkit.expectThat(invalid, 0);
  await webkit.type(control("Marker"), "no colour");
  await webkit.expectThat(invalid, 1);
  await webkit.expectThat("window.faults", []);
});

it("the theme is switched, and kept", async () => {
  await visit(`${open.origin}/docs`);
  await webkit.click("//input[@type='radio' and @value='dark']/..");
  await webkit.expectThat("document.documentElement.dataset.theme", "dark");
  await visit(`${open.origin}/status`);
  await webkit.expectThat("document.documentElement.dataset.theme", "dark");
  await webkit.expectThat("window.faults", []);
});

it("a visitor is led to the sign-in page, which shows the message for a wrong password", async () => {
  await visit(`${guarded.origin}/tokens`);
  expect(await webkit.url()).toBe(`${guarded.origin}/login?next=%2Ftokens`);
  await webkit.type("//input[@name='email']", ADMIN.email);
  await webkit.type("//input[@type='password']", "not this one at all");
  await webkit.type("//input[@type='password']", ENTER);
  await webkit.expectThat(`document.querySelector("main [role=alert]").innerText.includes("is wrong")`, true);
  await webkit.expectThat("window.faults", []);
});
