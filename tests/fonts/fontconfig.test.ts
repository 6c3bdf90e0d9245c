import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { currentFonts } from "#lib/fonts/font-set.ts";
import { configuration } from "#lib/fonts/fontconfig.ts";
import { prepareChromium } from "#lib/render/chromium/install.ts";
import { launchBrowser } from "#lib/render/chromium/launch.ts";
import { Page } from "#lib/render/chromium/page.ts";
import { SHARED_DATA_DIR as dataDir, emptyDataDir, prepareMachine, removeDir } from "#tests/render/rig.ts";

test("a browser has the fonts where the name of a folder has characters of XML", async () => {
  await prepareMachine();
  const dir = emptyDataDir();
  onTestFinished(() => removeDir(dir));
  const [fontsDir, cacheDir, fontconfig] = [join(dir, "R&D <1>"), join(dir, "Q&A"), join(dir, "fonts.conf")];
  symlinkSync(currentFonts().folder, fontsDir);
  writeFileSync(fontconfig, configuration({ fontsDir, cacheDir }));
  const signal = AbortSignal.timeout(30_000);
  const chromium = await prepareChromium({ dataDir });
  const browser = await launchBrowser({ chromium, dataDir, fontconfig, sandboxed: false }, signal);
  onTestFinished(() => browser.close());
  const page = await Page.open(browser, { frames: "begin-frame", signal });
  expect(await page.findMissingFonts(signal)).toEqual([]);
});
