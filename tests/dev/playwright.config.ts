import { defineConfig } from "@playwright/test";
import pages from "../../playwright.config.ts";

/** Page tests of what only the development server has: the workshop of a template. Next compiles each page when it is first asked for. */
export default defineConfig({
  ...pages,
  testDir: ".",
  outputDir: "../../test-results/dev",
  globalSetup: "../watch-run.ts",
  // Next allows one development server to a tree.
  workers: 1,
  // Generous: compiling the pages takes 20 seconds of an idle machine, and minutes of a busy one.
  timeout: 600_000,
  expect: { timeout: 300_000 },
});
