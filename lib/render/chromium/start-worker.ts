import { access, constants } from "node:fs/promises";
import type { RenderConfig } from "#lib/config.ts";
import { AppError } from "#lib/errors.ts";
import { prepareFontconfig } from "#lib/fonts/fontconfig.ts";
import { browserUnavailable, remoteUnavailable } from "#lib/render/render-faults.ts";
import { LAUNCH_TIMEOUT_MS } from "#lib/render/render-limits.ts";
import { shared } from "#lib/render/shared.ts";
import { noteBrowser } from "./browser-description.ts";
import { requireRoom } from "./disk-space.ts";
import { type FrameSource, probeFrameSource } from "./frames.ts";
import { type Chromium, type Progress, prepareChromium } from "./install.ts";
import { type Browser, launchBrowser } from "./launch.ts";
import { sweepOrphans } from "./orphans.ts";
import { Page } from "./page.ts";
import { connectBrowser } from "./remote-browser.ts";
import { launchSandboxed } from "./sandbox.ts";
import { Worker } from "./worker.ts";

/** What of the configuration a running browser depends on. */
export function launchKey({ dataDir, chromiumPath, browserWs, sandbox, workerBytes }: RenderConfig): string {
  return JSON.stringify([dataDir, chromiumPath, browserWs, sandbox, workerBytes]);
}

/** The machine's processes and folders are looked through once, before the first browser starts. */
async function sweepOnce(dataDir: string): Promise<void> {
  const { swept } = shared.get();
  if (swept.has(dataDir)) return;
  swept.add(dataDir);
  await sweepOrphans(dataDir);
}

async function findChromium({ dataDir, chromiumPath }: RenderConfig, onProgress?: Progress): Promise<Chromium> {
  if (!chromiumPath) return await prepareChromium({ dataDir, onProgress });
  const isExecutable = await access(chromiumPath, constants.X_OK).then(
    () => true,
    () => false,
  );
  if (!isExecutable) throw new AppError("misconfigured", "SERVICE_CHROMIUM_PATH names nothing that can be executed.");
  return { executable: chromiumPath, libraries: undefined };
}

async function launch(config: RenderConfig, options: StartOptions): Promise<Browser> {
  const { dataDir, sandbox } = config;
  await sweepOnce(dataDir);
  const chromium = await findChromium(config, options.onProgress);
  requireRoom(dataDir);
  const fontconfig = await prepareFontconfig(dataDir);
  const signal = AbortSignal.any([options.signal, AbortSignal.timeout(LAUNCH_TIMEOUT_MS)]);
  return await launchSandboxed(sandbox, (sandboxed) =>
    launchBrowser({ chromium, dataDir, fontconfig, sandboxed }, signal),
  );
}

/** The bundled browser makes frames on demand, a remote one may serve others too, and another one is asked. */
async function frameSourceOf(browser: Browser, config: RenderConfig, signal: AbortSignal): Promise<FrameSource> {
  if (config.browserWs) return "screenshot";
  return config.chromiumPath ? await probeFrameSource(browser.connection, signal) : "begin-frame";
}

async function openPage(browser: Browser, config: RenderConfig, ending: AbortSignal): Promise<Page> {
  const signal = AbortSignal.any([ending, AbortSignal.timeout(LAUNCH_TIMEOUT_MS)]);
  try {
    const frames = await frameSourceOf(browser, config, signal);
    const page = await Page.open(browser, { frames, signal });
    noteBrowser(browser.connection, frames);
    return page;
  } catch (error) {
    browser.kill();
    await browser.gone;
    throw error;
  }
}

export type StartOptions = {
  /** Gives up. */
  signal: AbortSignal;
  onProgress?: Progress | undefined;
};

/**
 * Starts a browser, or connects to the remote one, and opens a locked-down, blank page (0.1 s measured; 1 s more when
 * Chromium has to be unpacked).
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
