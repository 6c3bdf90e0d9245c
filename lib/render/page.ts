import { setTimeout } from "node:timers/promises";
import { AppError } from "#lib/errors.ts";
import { CHROMIUM_FONT_FAMILIES } from "#lib/fonts/families.ts";
import type { Browser } from "./browser.ts";
import type { CdpSession } from "./cdp.ts";
import { captureFrame, drawFrame, type FrameSource } from "./frames.ts";
import { type LockedTarget, lockDown } from "./lock-down.ts";

export type RenderJob = {
  /** A complete document. Its scripts do not run and it loads nothing. */
  html: string;
  /** CSS pixels, and pixels of the picture. */
  width: number;
  height: number;
  /** A trusted JavaScript expression, evaluated after everything has loaded and before the picture is taken; its value must be JSON. */
  measure?: string;
};

export type Screenshot = {
  /** A PNG, compressed for speed. */
  png: Buffer;
  measured: unknown;
  /** What the document tried to load, and did not get. */
  blockedRequests: string[];
};

type Size = { width: number; height: number };

/** Told of the end of each stage. */
export type Stamp = (stage: "load" | "measure" | "capture") => void;

/** Forces the layout, which late resources and the load event wait for: no frame does it in a page that gets none. */
const IS_SETTLED = `(() => {
  document.documentElement?.offsetHeight;
  const images = Array.from(document.images);
  return document.readyState === "complete" && document.fonts.status === "loaded" && images.every((image) => image.complete);
})()`;

const SETTLE_POLL_MIN_MS = 1;
const SETTLE_POLL_MAX_MS = 32;

/** One page for one render at a time. It is blank, and has drawn a blank frame, before each. */
export class Page {
  readonly #session: CdpSession;
  readonly #target: LockedTarget;
  readonly #frames: FrameSource;
  #size: Size;

  private constructor(options: {
    session: CdpSession;
    target: LockedTarget;
    frames: FrameSource;
    size: Size;
  }) {
    this.#session = options.session;
    this.#target = options.target;
    this.#frames = options.frames;
    this.#size = options.size;
  }

  /** Opens our only page of a browser, locked down. @throws CdpError, BrowserLost, or the signal's reason */
  static async open(
    { connection, contextId }: Pick<Browser, "connection" | "contextId">,
    { frames, signal }: { frames: FrameSource; signal: AbortSignal },
  ): Promise<Page> {
    const size = { width: 1_200, height: 630 };
    const target = await lockDown(connection, { size, frames, contextId, signal });
    const session = connection.session(target.sessionId);
    await session.until(signal).send("Page.setFontFamilies", CHROMIUM_FONT_FAMILIES);
    // A browser that others have started may lack the flag for it.
    await session.until(signal).send("Emulation.setScrollbarsHidden", { hidden: true });
    const page = new Page({ session, target, frames, size });
    await page.#resize(session.until(signal), size);
    return page;
  }

  /** @throws AppError `render_failed`, BrowserLost, or the signal's reason */
  async draw(job: RenderJob, { signal, stamp }: { signal: AbortSignal; stamp: Stamp }): Promise<Screenshot> {
    const session = this.#session.until(signal);
    this.#target.blocked.length = 0;
    if (job.width !== this.#size.width || job.height !== this.#size.height) await this.#resize(session, job);
    // A lone surrogate is not UTF-8, and the browser would refuse the whole message.
    await session.send("Page.setDocumentContent", { frameId: this.#target.targetId, html: job.html.toWellFormed() });
    const { navigations } = this.#target;
    await settle(session, signal);
    stamp("load");
    const measured = job.measure === undefined ? undefined : await evaluate(session, job.measure);
    if (job.measure !== undefined) stamp("measure");
    const png = await captureFrame(session, this.#frames);
    if (this.#target.navigations !== navigations)
      throw new AppError("render_failed", "The document replaced itself while it was drawn.");
    stamp("capture");
    return { png, measured, blockedRequests: [...this.#target.blocked] };
  }

  /** Leaves nothing of the last render: a new document, no history, a blank frame. @throws CdpError, BrowserLost, or the signal's reason */
  async blank(signal: AbortSignal): Promise<void> {
    const session = this.#session.until(signal);
    await session.send("Page.navigate", { url: "about:blank" });
    await settle(session, signal);
    await session.send("Page.resetNavigationHistory");
    await drawFrame(session, this.#frames);
  }

  /** The frame after a change of size has no pixels, and would start the document's animations if it were the document's. */
  async #resize(session: CdpSession, { width, height }: Size): Promise<void> {
    await session.send("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: 1, mobile: false });
    this.#size = { width, height };
    await drawFrame(session, this.#frames);
  }
}

async function settle(session: CdpSession, signal: AbortSignal): Promise<void> {
  for (
    let pause = SETTLE_POLL_MIN_MS;
    !(await evaluate(session, IS_SETTLED));
    pause = Math.min(pause * 2, SETTLE_POLL_MAX_MS)
  ) {
    await setTimeout(pause, undefined, { signal });
  }
}

async function evaluate(session: CdpSession, expression: string): Promise<unknown> {
  const { result, exceptionDetails } = await session.send("Runtime.evaluate", { expression, returnByValue: true });
  if (!exceptionDetails) return result.value;
  const cause = new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
  throw new AppError("render_failed", "The document could not be measured.", { cause });
}
