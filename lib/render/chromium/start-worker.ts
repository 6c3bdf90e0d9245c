import { access, constants } from "node:fs/promises";
import type { RenderConfig } from "#lib/config.ts";
import { AppError } from "#lib/errors.ts";
import { prepareFontconfig } from "#lib/fonts/fontconfig.ts";
import { browserUnavailable, remoteUnavailable } from "#lib/render/render-faults.ts";
import { BROWSER_DISK_BYTES, LAUNCH_TIMEOUT_MS } from "#lib/render/render-limits.ts";
import { noteBrowser } from "./browser-description.ts";
import { requireRoom } from "./disk-space.ts";
import { type FrameSource, probeFrameSource } from "./frames.ts";
import { type Chromium, type Progress, prepareChromium } from "./install.ts";
import { type Browser, launchBrowser } from "./launch.ts";
import { sweepOrphansOnce } from "./orphans.ts";
import { Page } from "./page.ts";
import { connectBrowser } from "./remote-browser.ts";
import { launchSandboxed } from "./sandbox.ts";
import { Worker } from "./worker.ts";

/** The parts of the configuration that a running browser depends on. */
export function launchKey({ dataDir, chromiumPath, browserWs, sandbox, workerBytes }: RenderConfig): string {
  return JSON.stringify([dataDir, chromiumPath, browserWs, sandbox, workerBytes]);
}

async function findChromium({ dataDir, chromiumPath }: RenderConfig, onProgress?: Progress): Promise<Chromium> {
  if (!chromiumPath) return await prepareChromium({ dataDir, onProgress });
  const isExecutable = await access(chromiumPath, constants.X_OK).then(
    () => true,
    () => false,
  );
  if (!isExecutable) throw new AppError("misconfigured", "SERVICE_CHROMIUM_PATH does not name an executable file.");
  return { executable: chromiumPath, libraries: undefined };
}

async function launch(config: RenderConfig, options: StartOptions): Promise<Browser> {
  const { dataDir, sandbox } = config;
  await sweepOrphansOnce(dataDir);
  const chromium = await findChromium(config, options.onProgress);
  requireRoom(dataDir, BROWSER_DISK_BYTES);
  const fontconfig = await prepareFontconfig(dataDir);
  const signal = AbortSignal.any([options.signal, AbortSignal.timeout(LAUNCH_TIMEOUT_MS)]);
  return await launchSandboxed(sandbox, (sandboxed) =>
    launchBrowser({ chromium, dataDir, fontconfig, sandboxed }, signal),
  );
}

/** The bundled browser draws frames on command. A remote one must not, because it may have other clients. Any other is probed. */
async function frameSourceOf(browser: Browser, config: RenderConfig, signal: AbortSignal): Promise<FrameSource> {
  if (config.browserWs) return "screenshot";
  return config.chromiumPath ? await probeFrameSource(browser.connection, signal) : "begin-frame";
}

async function openPage(browser: Browser, config: RenderConfig, ending: AbortSignal): Promise<Page> {
  const signal = AbortSignal.any([ending, AbortSignal.timeout(LAUNCH_TIMEOUT_MS)]);
  try {
    const frames = await frameSourceOf(browser, config, signal);
    const page = await Page.open(browser, { frames, signal });
    // The bundled browser gets the bundled fonts. Any other may ignore fontconfig, or run on another machine.
    const isOwn = !config.browserWs && !config.chromiumPath;
    noteBrowser(browser.connection, { frames, missingFonts: isOwn ? [] : await page.findMissingFonts(signal) });
    return page;
  } catch (error) {
    browser.kill();
    await browser.gone;
    throw error;
  }
}

export type StartOptions = {
  /** Ends the attempt. */
  signal: AbortSignal;
  onProgress?: Progress | undefined;
};

/**
 * Starts a browser, or connects to the remote one, and opens a locked-down blank page. Takes 0.1 s, and 1 s more when
 * Chromium has to be unpacked.
 * @throws AppError `unavailable` or `misconfigured`
 */
export async function startWorker(config: RenderConfig, options: StartOptions): Promise<Worker> {
  const { browserWs, workerBytes: limitBytes } = config;
  try {
    const connecting = AbortSignal.any([options.signal, AbortSignal.timeout(LAUNCH_TIMEOUT_MS)]);
    const browser = browserWs ? await connectBrowser(browserWs, connecting) : await launch(config, options);
    const page = await openPage(browser, config, options.signal);
    return new Worker({ browser, page, key: launchKey(config), limitBytes });
  } catch (error) {
    throw browserWs ? remoteUnavailable(error) : browserUnavailable(error);
  }
}
