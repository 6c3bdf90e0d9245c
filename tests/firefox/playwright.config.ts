import { execFileSync } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { join } from "node:path";
import { defineConfig, devices } from "@playwright/test";
import chromium from "../../playwright.config.ts";

/** Debian's Firefox first: it is the one that CI installs. */
const NAMES = ["firefox-esr", "firefox"];

/** The first version with `network.addDataCollector`, which Playwright calls. */
const LEAST_MAJOR = 143;

function requireRecent(firefox: string): void {
  const version = execFileSync(firefox, ["--version"], { encoding: "utf8" }).trim();
  if (Number(/(\d+)\./.exec(version)?.[1]) >= LEAST_MAJOR) return;
  throw new Error(
    `${firefox} is ${version}, want ${LEAST_MAJOR} or later. Try apt-get update && apt-get install firefox-esr`,
  );
}

function findFirefox(): string {
  const files = NAMES.flatMap((name) => (process.env.PATH ?? "").split(":").map((folder) => join(folder, name)));
  const found = files.find((file) => {
    try {
      accessSync(file, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
  if (!found) throw new Error("Found no Firefox in PATH, want Debian's package firefox-esr");
  requireRecent(found);
  return found;
}

const { userAgent: _, ...desktop } = devices["Desktop Firefox"];

/** The page tests in a Firefox as its users have it, over WebDriver BiDi. */
export default defineConfig({
  ...chromium,
  testDir: "../e2e",
  outputDir: "../../test-results/firefox",
  globalSetup: "../watch-run.ts",
  // These need what only Chromium has. Each says what, where it is.
  grepInvert: /@chromium/,
  use: {
    ...desktop,
    // Playwright drives a build of its own unless the channel begins with `moz-`.
    channel: "moz-firefox",
    launchOptions: {
      executablePath: join(import.meta.dirname, "firefox.ts"),
      env: { ...(process.env as Record<string, string>), FIREFOX: findFirefox() },
      firefoxUserPrefs: {
        // A name other than localhost: browsers do not treat its pages as a secure context over plain HTTP.
        "network.dns.localDomains": "platen.test",
        // Playwright cannot emulate it here.
        "ui.prefersReducedMotion": 1,
        // Pages may read and write the clipboard without a question, as in Chromium after a test has granted it.
        "dom.events.testing.asyncClipboard": true,
      },
    },
  },
});
