import { AppError } from "#lib/errors.ts";
import { log } from "#lib/log.ts";
import { BrowserHung, BrowserLost, BrowserSpent, drawingUnavailable } from "#lib/render/render-faults.ts";
import type { RenderJob, Screenshot, Stamp } from "#lib/render/render-job.ts";
import {
  BROWSER_DISK_BYTES,
  FINISHED_RECOVERY_TIMEOUT_MS,
  IDLE_PAGE_MS,
  RECOVERY_TIMEOUT_MS,
  WORN_MEMORY_SHARE,
} from "#lib/render/render-limits.ts";
import { pictureRoom, requireRoom } from "./disk-space.ts";
import { HangWatch } from "./hang-watch.ts";
import type { Browser } from "./launch.ts";
import { MemoryWatch } from "./memory-watch.ts";
import type { Page } from "./page.ts";

const BYTES_PER_MB = 1_000_000;

/** One browser with one page, for one render at a time. */
export class Worker {
  /** The `launchKey` of the configuration it was started with. */
  readonly key: string;
  readonly #browser: Browser;
  readonly #page: Page;
  readonly #memory: MemoryWatch | undefined;
  readonly #hang: HangWatch | undefined;
  readonly #memoryLimitBytes: number;
  #renders = 0;
  /** The last picture that was drawn. */
  #last: RenderJob | undefined;
  #idleTimer: NodeJS.Timeout | undefined;
  #blanking: Promise<boolean> | undefined;
  #isEnding = false;
  #hasFailed = false;
  /** False while a picture is drawn, and after one that was not finished: its document may keep the page busy. */
  #isFinished = true;

  constructor({ browser, page, key, limitBytes }: { browser: Browser; page: Page; key: string; limitBytes: number }) {
    this.key = key;
    this.#browser = browser;
    this.#page = page;
    const { pid, connection } = browser;
    this.#memory = pid === undefined ? undefined : new MemoryWatch(pid);
    const asked = { answers: () => connection.received, isAwaited: () => connection.isAwaited };
    this.#hang = pid === undefined ? undefined : new HangWatch(pid, asked);
    this.#memoryLimitBytes = limitBytes;
    // The browser may still run, for example when only its page has crashed.
    void browser.connection.closed.then(() => this.kill());
  }

  /** Process id of the browser, which leads its process group. Undefined for a remote browser. */
  get pid(): number | undefined {
    return this.#browser.pid;
  }

  /** False once the browser is ending or has ended. */
  get isUsable(): boolean {
    return !this.#isEnding;
  }

  /** Settles once no process and no file of the browser is left. */
  get gone(): Promise<void> {
    return this.#browser.gone;
  }

  /** Number of renders that were started. */
  get renders(): number {
    return this.#renders;
  }

  /** True when the browser held too much memory after its last render to be used again. */
  get isOutgrown(): boolean {
    return (this.#memory?.bytes ?? 0) > WORN_MEMORY_SHARE * this.#memoryLimitBytes;
  }

  /**
   * Leaves the document in the page: call {@link clean} before the next render.
   * @throws as {@link Page.render}; AppError `render_failed` when the browser exceeds its memory limit, which ends it;
   * AppError `unavailable` when the disk has too little room for a picture; BrowserSpent when a new browser may have it; BrowserHung when
   * the idle page did not become blank
   */
  async render(job: RenderJob, options: { signal: AbortSignal; stamp: Stamp }): Promise<Screenshot> {
    this.#renders++;
    clearTimeout(this.#idleTimer);
    // An idle page that could not be blanked ends its browser. This document is not the cause: the browser has not seen it.
    if ((await this.#blanking) === false) throw new BrowserHung("The idle page did not become blank.");
    await this.#requireRoom(job);
    this.#isFinished = false;
    this.#memory?.begin(this.#memoryLimitBytes, () => this.#endOutgrown());
    this.#hang?.begin(() => this.#endHung());
    try {
      const screenshot = await this.#page.render(job, options);
      this.#last = job;
      this.#isFinished = true;
      return screenshot;
    } catch (error) {
      // A browser may lose a document and still draw blank pages, so that `clean` would find nothing wrong with it.
      this.#hasFailed = error instanceof BrowserLost;
      throw error;
    } finally {
      this.#memory?.end();
      this.#hang?.end();
    }
  }

  /**
   * Makes the page ready for another render. An untrusted document is removed now; a composed one is removed when the page
   * has been idle for a while. False when the page does not become blank in time, or when the browser has failed or grown
   * too large: then it must be killed.
   */
  async clean(): Promise<boolean> {
    if (this.#isEnding || this.#hasFailed || this.isOutgrown) return false;
    if (!this.#page.isReplaceable) return await this.#blank();
    this.#idleTimer = setTimeout(() => void this.#blankIdle(), IDLE_PAGE_MS);
    this.#idleTimer.unref();
    return true;
  }

  async #blank(): Promise<boolean> {
    const timeoutMs = this.#isFinished && this.#hang ? FINISHED_RECOVERY_TIMEOUT_MS : RECOVERY_TIMEOUT_MS;
    this.#hang?.begin(() => this.#endHung());
    try {
      await this.#page.blank(AbortSignal.timeout(timeoutMs));
      return !this.#isEnding;
    } catch {
      return false;
    } finally {
      this.#hang?.end();
    }
  }

  async #blankIdle(): Promise<void> {
    this.#blanking = this.#blank();
    if (!(await this.#blanking)) this.kill();
    this.#blanking = undefined;
  }

  /** Ends the browser at once. */
  kill(): void {
    this.#isEnding = true;
    clearTimeout(this.#idleTimer);
    this.#browser.kill();
  }

  /** Asks the browser to end, and resolves once it is gone. */
  async close(): Promise<void> {
    this.#isEnding = true;
    clearTimeout(this.#idleTimer);
    await this.#browser.close();
  }

  async #requireRoom(job: RenderJob): Promise<void> {
    const { needsRoomIn } = this.#browser;
    if (!needsRoomIn) return;
    try {
      requireRoom(needsRoomIn.own, BROWSER_DISK_BYTES);
      requireRoom(needsRoomIn.memory, pictureRoom(job, this.#last));
    } catch (error) {
      // The next browser may share its memory in another folder.
      this.#hasFailed = true;
      const fault = drawingUnavailable(error);
      if (!this.#last) throw fault;
      // The next one cannot start before this one has given back the room.
      this.kill();
      await this.gone;
      throw new BrowserSpent("The browser leaves too little room for the next picture.", { cause: fault });
    }
  }

  #endHung(): void {
    if (this.#isEnding) return;
    log().warn({ pid: this.pid }, "The browser hangs and is being replaced.");
    this.#browser.connection.close(new BrowserHung("The browser hangs."));
  }

  #endOutgrown(): void {
    const megabytes = Math.round(this.#memoryLimitBytes / BYTES_PER_MB);
    const message = `The picture took more than ${megabytes} MB of memory to draw.`;
    // Closed first, with this reason, because the exit of the browser alone would cause a retry of the render.
    this.#browser.connection.close(new AppError("render_failed", message));
  }
}
