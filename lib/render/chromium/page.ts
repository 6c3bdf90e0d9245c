import { setTimeout } from "node:timers/promises";
import { abortable } from "#lib/abortable.ts";
import { AppError } from "#lib/errors.ts";
import type { DrawnPage, RenderJob, Screenshot, Stamp } from "#lib/render/render-job.ts";
import { DOCUMENTS_PER_PAGE } from "#lib/render/render-limits.ts";
import {
  forgetMachine,
  MISSING_FEATURES,
  MISSING_FONTS,
  readMissingFonts,
  requireFeatures,
} from "./browser-features.ts";
import type { BrowserConnection, Commands } from "./connection.ts";
import { captureFrame, drawFrame, type FrameSource } from "./frames.ts";
import type { Browser } from "./launch.ts";
import { type LockedTarget, lockDown, waitForDocument } from "./lock-down.ts";

type Size = { width: number; height: number };

/** Forces a layout: late resources and the load event wait for one, and the page draws no frame that would cause it. */
const IS_SETTLED = `(() => {
  document.documentElement?.offsetHeight;
  const images = Array.from(document.images);
  return document.readyState === "complete" && document.fonts.status === "loaded" && images.every((image) => image.complete);
})()`;

/**
 * Scrolls the page back to its start: a style sheet alone can scroll a document, and the next one would inherit the position.
 * An empty document cannot be scrolled. Reading the position makes the browser apply this.
 */
const REWIND = "(scrollX || scrollY) && (document.documentElement?.remove(), scrollY)";

const SETTLE_POLL_MIN_MS = 1;
const SETTLE_POLL_MAX_MS = 32;

/** What a page holds: nothing, a document that another may replace, or a document that must be cleared first. */
type Content = "blank" | "replaceable" | "untrusted";

/**
 * One page for one render at a time. A render starts from a blank page that has drawn a blank frame, or replaces the document
 * of an earlier render, which saves a third of the time of a small picture.
 */
export class Page {
  readonly #connection: BrowserConnection;
  readonly #target: LockedTarget;
  readonly #frames: FrameSource;
  /** Undefined while it changes: a render that is aborted meanwhile leaves it unknown. */
  #size: Size | undefined;
  #content: Content = "untrusted";
  /** Settles when the last requested frame is drawn, even if its render was aborted: the browser refuses a second frame beside it. */
  #frame: Promise<unknown> = Promise.resolve();
  /** Documents since the page was blank. */
  #documents = 0;

  private constructor(options: { connection: BrowserConnection; target: LockedTarget; frames: FrameSource }) {
    this.#connection = options.connection;
    this.#target = options.target;
    this.#frames = options.frames;
  }

  /** Opens a locked-down page. @throws AppError `misconfigured` for an old browser, ProtocolError, BrowserLost, or the signal's reason */
  static async open(
    { connection, contextId }: Pick<Browser, "connection" | "contextId">,
    { frames, signal }: { frames: FrameSource; signal: AbortSignal },
  ): Promise<Page> {
    const size = { width: 1_200, height: 630 };
    const target = await lockDown(connection, { size, frames, contextId, signal });
    const page = new Page({ connection, target, frames });
    const commands = page.#commands(signal);
    requireFeatures(await evaluate(commands, MISSING_FEATURES));
    await forgetMachine(commands);
    await page.#resize(size, signal);
    page.#content = "blank";
    return page;
  }

  /** @throws AppError `render_failed`, BrowserLost, or the signal's reason */
  async render(job: RenderJob, { signal, stamp }: { signal: AbortSignal; stamp: Stamp }): Promise<Screenshot> {
    const commands = this.#commands(signal);
    if (!this.#isReadyFor(job)) await this.blank(signal);
    const isReplacing = this.#content === "replaceable";
    this.#content = "untrusted";
    this.#documents++;
    this.#target.blocked.length = 0;
    if (!this.#hasSizeOf(job)) await this.#resize(job, signal);
    // The browser refuses a message with a lone surrogate, which is not UTF-8.
    const document = { frameId: this.#target.targetId, html: job.html.toWellFormed() };
    const rewound = isReplacing ? evaluate(commands, REWIND) : undefined;
    // Read before the document is sent: on a busy machine it may replace itself before the browser's answer is read.
    const { loaderId } = this.#target;
    // The browser executes commands in order. Waiting for each answer would cost as much as capturing a small picture.
    const [, measured] = await Promise.all([
      commands.send("Page.setDocumentContent", document),
      settle(commands, { signal, measure: job.measure }),
      rewound,
    ]);
    stamp("load");
    const png = await this.#whole(captureFrame(this.#commands(), this.#frames), signal);
    // The event for a new document does not come with the frame. The page sends it before its answer to the next command.
    if (!job.sharesPage) await evaluate(commands, "null");
    if (this.#target.loaderId !== loaderId)
      throw new AppError("render_failed", "The document replaced itself while it was rendered.");
    const recolored = job.examine ? undefined : await this.#drawAgain(await job.recolor?.(measured), signal);
    stamp("capture");
    const examined = await job.examine?.(this.#drawn(signal));
    const blockedRequests = [...this.#target.blocked];
    if (job.sharesPage && !job.examine && blockedRequests.length === 0) this.#content = "replaceable";
    return { png, measured, recolored, examined, blockedRequests };
  }

  #drawn(signal: AbortSignal): DrawnPage {
    const commands = this.#commands(signal);
    return {
      send: commands.send,
      evaluate: (expression) => evaluate(commands, expression),
      capture: () => this.#whole(captureFrame(this.#commands(), this.#frames), signal),
    };
  }

  async #drawAgain(recolor: string | undefined, signal: AbortSignal): Promise<Buffer | undefined> {
    if (recolor === undefined) return undefined;
    await evaluate(this.#commands(signal), recolor);
    return await this.#whole(captureFrame(this.#commands(), this.#frames), signal);
  }

  /** Names the bundled families that the browser lacks. @throws as {@link blank} */
  async findMissingFonts(signal: AbortSignal): Promise<string[]> {
    return readMissingFonts(await evaluate(this.#commands(signal), MISSING_FONTS));
  }

  /** True when the next document with `sharesPage` needs no blank page. */
  get isReplaceable(): boolean {
    return this.#content !== "untrusted";
  }

  /** Removes every trace of the last render: a new document, no history, a blank frame. @throws ProtocolError, BrowserLost, or the signal's reason */
  async blank(signal: AbortSignal): Promise<void> {
    const commands = this.#commands(signal);
    // If this render is aborted now, the blank document could still arrive and replace that of the next render.
    this.#content = "untrusted";
    await abortable(this.#frame, signal);
    const { loaderId } = await commands.send("Page.navigate", { url: "about:blank" });
    await settle(commands, { signal });
    // A later report would look as if the next document had replaced itself.
    await this.#connection.awaiting(waitForDocument(this.#target, loaderId, signal));
    await commands.send("Page.resetNavigationHistory");
    await this.#whole(drawFrame(this.#commands(), this.#frames), signal);
    this.#content = "blank";
    this.#documents = 0;
  }

  #commands(signal?: AbortSignal): Commands {
    return this.#connection.commands(signal, this.#target.session);
  }

  #isReadyFor(job: RenderJob): boolean {
    if (this.#content === "blank") return true;
    const canReplace = job.sharesPage && this.#hasSizeOf(job) && this.#documents < DOCUMENTS_PER_PAGE;
    return this.#content === "replaceable" && canReplace === true;
  }

  #hasSizeOf({ width, height }: Size): boolean {
    return width === this.#size?.width && height === this.#size.height;
  }

  /** The first frame after a change of size has no pixels. It is drawn here, because drawing it with the document would start its animations. */
  async #resize({ width, height }: Size, signal: AbortSignal): Promise<void> {
    this.#size = undefined;
    const metrics = { width, height, deviceScaleFactor: 1, mobile: false };
    await this.#commands(signal).send("Emulation.setDeviceMetricsOverride", metrics);
    await this.#whole(drawFrame(this.#commands(), this.#frames), signal);
    this.#size = { width, height };
  }

  /** Waits for a frame until the signal aborts. The frame is completed in any case, and {@link blank} waits for it. */
  async #whole<T>(frame: Promise<T>, signal: AbortSignal): Promise<T> {
    this.#frame = frame.catch(() => undefined);
    return await abortable(frame, signal);
  }
}

type Settling = { signal: AbortSignal; measure?: string | undefined };

/** Waits until everything has loaded, and returns the value of `measure` at that moment. */
async function settle(page: Commands, { signal, measure = "null" }: Settling): Promise<unknown> {
  const expression = `${IS_SETTLED} ? { measured: ${measure} } : null`;
  for (let pause = SETTLE_POLL_MIN_MS; ; pause = Math.min(pause * 2, SETTLE_POLL_MAX_MS)) {
    const settled = (await evaluate(page, expression)) as { measured: unknown } | null;
    if (settled) return settled.measured;
    await setTimeout(pause, undefined, { signal });
  }
}

async function evaluate(page: Commands, expression: string): Promise<unknown> {
  const { result, exceptionDetails } = await page.send("Runtime.evaluate", { expression, returnByValue: true });
  if (!exceptionDetails) return result.value;
  const cause = new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
  throw new AppError("render_failed", "The document could not be measured.", { cause });
}
