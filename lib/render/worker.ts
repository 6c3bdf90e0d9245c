import { access, constants, statfs } from "node:fs/promises";
import type { RenderConfig } from "#lib/config.ts";
import { AppError } from "#lib/errors.ts";
import { prepareFontconfig } from "#lib/fonts/fontconfig.ts";
import { residentBytes } from "#lib/processes.ts";
import { type Browser, launchBrowser } from "./browser.ts";
import { type Chromium, type Progress, prepareChromium } from "./chromium.ts";
import { BrowserLost, browserUnavailable } from "./faults.ts";
import { probeFrameSource } from "./frames.ts";
import {
  FREE_DISK_BYTES,
  LAUNCH_TIMEOUT_MS,
  RECOVERY_TIMEOUT_MS,
  RENDERER_RESIDENT_BYTES,
  RENDERS_PER_BROWSER,
} from "./limits.ts";
import { sweepOrphans } from "./orphans.ts";
import { Page, type RenderJob, type Screenshot, type Stamp } from "./page.ts";
import { launchSandboxed } from "./sandbox.ts";
import { shared } from "./shared.ts";

/** What of the configuration a running browser depends on. */
export function launchKey({ dataDir, chromiumPath, sandbox }: RenderConfig): string {
  return JSON.stringify([dataDir, chromiumPath, sandbox]);
}

/** One browser with one page, for one render at a time. */
export class Worker {
  readonly #browser: Browser;
  readonly #page: Page;
  /** What it was started with, see {@link launchKey}. */
  readonly key: string;
  #renders = 0;
  #isGone = false;
  #hasFailed = false;

  constructor({ browser, page, key }: { browser: Browser; page: Page; key: string }) {
    this.#browser = browser;
    this.#page = page;
    this.key = key;
    void browser.gone.then(() => {
      this.#isGone = true;
    });
  }

  /** Process number of the browser, which leads its process group. */
  get pid(): number {
    return this.#browser.pid;
  }

  get isGone(): boolean {
    return this.#isGone;
  }

  /** Settles once no process and no file of it is left. */
  get gone(): Promise<void> {
    return this.#browser.gone;
  }

  /** Leaves the page as it is: {@link clean} comes before the next one. @throws as {@link Page.draw} */
  async render(job: RenderJob, options: { signal: AbortSignal; stamp: Stamp }): Promise<Screenshot> {
    this.#renders++;
    try {
      return await this.#page.draw(job, options);
    } catch (error) {
      // Alive, perhaps, and blank pages it may still draw: but not what it was asked for.
      this.#hasFailed = error instanceof BrowserLost;
      throw error;
    }
  }

  /** True when it has drawn so much, grown so large, or failed in such a way that another should take its place. */
  get isWorn(): boolean {
    if (this.#hasFailed || this.#renders >= RENDERS_PER_BROWSER) return true;
    const { rendererPid } = this.#page;
    return rendererPid !== undefined && residentBytes(rendererPid) > RENDERER_RESIDENT_BYTES;
  }

  /** Makes the page blank. False when it does not become so in time: then the browser must be killed. */
  async clean(): Promise<boolean> {
    if (this.#isGone) return false;
    try {
      await this.#page.blank(AbortSignal.timeout(RECOVERY_TIMEOUT_MS));
      return true;
    } catch {
      return false;
    }
  }

  /** Ends it at once. */
  kill(): void {
    this.#browser.kill();
  }

  /** Ends it in order, and resolves once it is gone. */
  async close(): Promise<void> {
    await this.#browser.close();
  }
}

/** The machine's processes and folders are looked through once, before the first browser starts. */
async function sweepOnce(dataDir: string): Promise<void> {
  const { swept } = shared();
  if (swept.has(dataDir)) return;
  swept.add(dataDir);
  await sweepOrphans(dataDir);
}

async function openPage(
  browser: Browser,
  { isBundled, signal }: { isBundled: boolean; signal: AbortSignal },
): Promise<Page> {
  const { connection } = browser;
  try {
    const frames = isBundled ? "begin-frame" : await probeFrameSource(connection, signal);
    return await Page.open(connection, { frames, signal });
  } catch (error) {
    browser.kill();
    await browser.gone;
    throw error;
  }
}

/** @throws Error with the system's code for a full disk: a browser that finds it full only while it draws just ends */
async function requireRoom(dataDir: string): Promise<void> {
  const { bavail, bsize } = await statfs(dataDir);
  if (bavail * bsize < FREE_DISK_BYTES)
    throw Object.assign(new Error("Too little room is left for a browser."), { code: "ENOSPC" });
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

/**
 * Starts a browser with a locked-down, blank page (0.1 s measured; 1 s more when Chromium has to be unpacked).
 * @throws AppError `unavailable` or `misconfigured`
 */
export async function startWorker(config: RenderConfig, onProgress?: Progress): Promise<Worker> {
  const { dataDir, chromiumPath, sandbox } = config;
  await sweepOnce(dataDir);
  const chromium = await findChromium(config, onProgress);
  try {
    await requireRoom(dataDir);
    const fontconfig = await prepareFontconfig(dataDir);
    const signal = AbortSignal.timeout(LAUNCH_TIMEOUT_MS);
    const browser = await launchSandboxed(sandbox, (sandboxed) =>
      launchBrowser({ chromium, dataDir, fontconfig, sandboxed }, signal),
    );
    return new Worker({
      browser,
      page: await openPage(browser, { isBundled: !chromiumPath, signal }),
      key: launchKey(config),
    });
  } catch (error) {
    throw browserUnavailable(error);
  }
}
