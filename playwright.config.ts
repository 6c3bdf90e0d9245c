import { defineConfig, devices } from "@playwright/test";
import { renderConfig } from "#lib/config.ts";
import { prepareFontconfig } from "#lib/fonts/fontconfig.ts";
import { prepareChromium } from "#lib/render/chromium/install.ts";

/** The browser that renders also tests the pages: a fresh machine has no other, and none is downloaded. */
const { dataDir } = renderConfig();
const { executable, libraries } = await prepareChromium({ dataDir });
const fontconfig = await prepareFontconfig(dataDir);

export default defineConfig({
  testDir: "tests/e2e",
  testMatch: "**/*.spec.ts",
  // Emptied at the start. The other tests write beside it at the same time.
  outputDir: "test-results/playwright",
  globalSetup: "tests/watch-run.ts",
  // Pages wait for the server and the browser. Each worker has servers and data of its own.
  workers: 2,
  // Generous: a test that passes on an idle machine must pass on a busy one.
  timeout: 120_000,
  expect: { timeout: 30_000 },
  reporter: "list",
  use: {
    ...devices["Desktop Chrome"],
    launchOptions: {
      executablePath: executable,
      args: [
        // A name other than localhost: browsers do not treat its pages as a secure context over plain HTTP.
        "--host-resolver-rules=MAP platen.test 127.0.0.1",
        // Without a graphics card, Chromium would emulate one, which takes a tenth of the processor time of these tests.
        "--disable-gpu",
        "--disable-software-rasterizer",
        // Of its processes, the one that would draw with a card costs a twentieth of the time of these tests.
        "--in-process-gpu",
        // Chromium has no sandbox for root. These pages are our own.
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
