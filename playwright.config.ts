import { defineConfig, devices } from "@playwright/test";
import { renderConfig } from "#lib/config.ts";
import { prepareFontconfig } from "#lib/fonts/fontconfig.ts";
import { prepareChromium } from "#lib/render/chromium/install.ts";

/** The browser that renders is the browser that tests: a fresh machine has no other, and none is downloaded. */
const { dataDir } = renderConfig();
const { executable, libraries } = await prepareChromium({ dataDir });
const fontconfig = await prepareFontconfig(dataDir);

export default defineConfig({
  testDir: "tests/e2e",
  testMatch: "**/*.spec.ts",
  workers: 1,
  // What does not hang ends within these wherever it runs, and beside whatever else.
  timeout: 60_000,
  expect: { timeout: 15_000 },
  reporter: "list",
  use: {
    ...devices["Desktop Chrome"],
    launchOptions: {
      executablePath: executable,
      args: [
        // A name that is not this machine's own: over plain http its pages are no secure context.
        "--host-resolver-rules=MAP platen.test 127.0.0.1",
        // Root has no sandbox in Chromium; these pages are our own.
        ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
      ],
      env: {
        ...(process.env as Record<string, string>),
        FONTCONFIG_FILE: fontconfig,
        ...(libraries && { LD_LIBRARY_PATH: libraries }),
      },
    },
  },
});
