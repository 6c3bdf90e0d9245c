import { setTimeout } from "node:timers/promises";
import { abortable } from "#lib/abortable.ts";
import { AppError } from "#lib/errors.ts";
import { CHROMIUM_FONT_FAMILIES } from "#lib/fonts/families.ts";
import { DOCUMENTS_PER_PAGE } from "#lib/render/render-limits.ts";
import type { CdpSession } from "./cdp.ts";
import { captureFrame, drawFrame, type FrameSource } from "./frames.ts";
import type { Browser } from "./launch.ts";
import { type LockedTarget, lockDown } from "./lock-down.ts";

export type RenderJob = {
  /** A complete document. Its scripts do not run and it loads nothing. */
  html: string;
  /** CSS pixels, and pixels of the picture. */
  width: number;
  height: number;
  /** A trusted JavaScript expression, evaluated after everything has loaded and before the picture is taken; its value must be JSON. */
  measure?: string;
  /**
   * True for what is composed from a checked template, whose markup does nothing to the page around it: it may take the place
   * of another such document. Any other gets a new page, and leaves a new one.
   */
  sharesPage?: boolean;
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
export type Stamp = (stage: "load" | "capture") => void;

/** Forces the layout, which late resources and the load event wait for: no frame does it in a page that gets none. */
const IS_SETTLED = `(() => {
  document.documentElement?.offsetHeight;
  const images = Array.from(document.images);
  return document.readyState === "complete" && document.fonts.status === "loaded" && images.every((image) => image.complete);
})()`;

/**
 * Takes the view of a page back to its start: a style sheet alone can scroll a document, and the next one would be shown from
 * there. An empty document has no other place; reading the position carries it out.
 */
const REWIND = "(scrollX || scrollY) && (document.documentElement?.remove(), scrollY)";

const SETTLE_POLL_MIN_MS = 1;
const SETTLE_POLL_MAX_MS = 32;

/** What stands in a page: nothing, a document that another may follow, or anything. */
type Standing = "blank" | "followable" | "anything";

/**
 * One page for one render at a time. Before each it is blank, and has drawn a blank frame; or it holds a document that the
 * next one replaces whole, which saves a third of the time of a small picture.
 */
export class Page {
  readonly #session: CdpSession;
  readonly #target: LockedTarget;
  readonly #frames: FrameSource;
  /** Undefined while it changes: whoever is given up meanwhile does not know which it has. */
  #size: Size | undefined;
  #standing: Standing = "anything";
  /** Settles when the last frame that was asked for is drawn, though nobody may wait for it any more: a second beside it is refused. */
  #frame: Promise<unknown> = Promise.resolve();
  /** Documents since it was blank. */
  #documents = 0;

  private constructor(options: {
    session: CdpSession;
    target: LockedTarget;
    frames: FrameSource;
  }) {
    this.#session = options.session;
    this.#target = options.target;
    this.#frames = options.frames;
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
    const page = new Page({ session, target, frames });
    await page.#resize(size, signal);
    page.#standing = "blank";
    return page;
  }

  /** @throws AppError `render_failed`, BrowserLost, or the signal's reason */
  async draw(job: RenderJob, { signal, stamp }: { signal: AbortSignal; stamp: Stamp }): Promise<Screenshot> {
    const session = this.#session.until(signal);
    if (!this.#isReadyFor(job)) await this.blank(signal);
    const isFollowing = this.#standing === "followable";
    this.#standing = "anything";
    this.#documents++;
    this.#target.blocked.length = 0;
    if (!this.#hasSizeOf(job)) await this.#resize(job, signal);
    // A lone surrogate is not UTF-8, and the browser would refuse the whole message.
    const content = { frameId: this.#target.targetId, html: job.html.toWellFormed() };
    const rewound = isFollowing ? evaluate(session, REWIND) : undefined;
    // Sent together: commands are carried out in their order, and each wait would cost what a small picture takes to capture.
    const [{ navigations }, measured] = await Promise.all([
      session.send("Page.setDocumentContent", content).then(() => ({ navigations: this.#target.navigations })),
      settle(session, { signal, measure: job.measure }),
      rewound,
    ]);
    stamp("load");
    const png = await this.#whole(captureFrame(this.#session, this.#frames), signal);
    if (this.#target.navigations !== navigations)
      throw new AppError("render_failed", "The document replaced itself while it was drawn.");
    stamp("capture");
    const blockedRequests = [...this.#target.blocked];
    if (job.sharesPage && blockedRequests.length === 0) this.#standing = "followable";
    return { png, measured, blockedRequests };
  }

  /** True when nothing has to be taken out of it before a document that shares its page. */
  get isFollowable(): boolean {
    return this.#standing !== "anything";
  }

  /** Leaves nothing of the last render: a new document, no history, a blank frame. @throws CdpError, BrowserLost, or the signal's reason */
  async blank(signal: AbortSignal): Promise<void> {
    const session = this.#session.until(signal);
    await abortable(this.#frame, signal);
    await session.send("Page.navigate", { url: "about:blank" });
    await settle(session, { signal });
    await session.send("Page.resetNavigationHistory");
    await this.#whole(drawFrame(this.#session, this.#frames), signal);
    this.#standing = "blank";
    this.#documents = 0;
  }

  #isReadyFor(job: RenderJob): boolean {
    if (this.#standing === "blank") return true;
    const canFollow = job.sharesPage && this.#hasSizeOf(job) && this.#documents < DOCUMENTS_PER_PAGE;
    return this.#standing === "followable" && canFollow === true;
  }

  #hasSizeOf({ width, height }: Size): boolean {
    return width === this.#size?.width && height === this.#size.height;
  }

  /** The frame after a change of size has no pixels, and would start the document's animations if it were the document's. */
  async #resize({ width, height }: Size, signal: AbortSignal): Promise<void> {
    this.#size = undefined;
    const metrics = { width, height, deviceScaleFactor: 1, mobile: false };
    await this.#session.until(signal).send("Emulation.setDeviceMetricsOverride", metrics);
    await this.#whole(drawFrame(this.#session, this.#frames), signal);
    this.#size = { width, height };
  }

  /** Waits for a frame until the signal aborts, and keeps in mind that it is drawn to its end all the same. */
  async #whole<T>(frame: Promise<T>, signal: AbortSignal): Promise<T> {
    this.#frame = frame.catch(() => undefined);
    return await abortable(frame, signal);
  }
}

type Settling = { signal: AbortSignal; measure?: string | undefined };

/** Waits until everything has loaded, and gives what is measured then. */
async function settle(session: CdpSession, { signal, measure = "null" }: Settling): Promise<unknown> {
  const expression = `${IS_SETTLED} ? { measured: ${measure} } : null`;
  for (let pause = SETTLE_POLL_MIN_MS; ; pause = Math.min(pause * 2, SETTLE_POLL_MAX_MS)) {
    const settled = (await evaluate(session, expression)) as { measured: unknown } | null;
    if (settled) return settled.measured;
    await setTimeout(pause, undefined, { signal });
  }
}

async function evaluate(session: CdpSession, expression: string): Promise<unknown> {
  const { result, exceptionDetails } = await session.send("Runtime.evaluate", { expression, returnByValue: true });
  if (!exceptionDetails) return result.value;
  const cause = new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
  throw new AppError("render_failed", "The document could not be measured.", { cause });
}
