import { AppError } from "#lib/errors.ts";
import { BrowserLost, drawingUnavailable } from "#lib/render/render-faults.ts";
import { IDLE_PAGE_MS, RECOVERY_TIMEOUT_MS, WORN_MEMORY_SHARE } from "#lib/render/render-limits.ts";
import { requireRoom } from "./disk-space.ts";
import type { Browser } from "./launch.ts";
import { MemoryWatch } from "./memory-watch.ts";
import type { Page, RenderJob, Screenshot, Stamp } from "./page.ts";

const BYTES_PER_MB = 1_000_000;

/** One browser with one page, for one render at a time. */
export class Worker {
  /** What it was started with, see `launchKey`. */
  readonly key: string;
  readonly #browser: Browser;
  readonly #page: Page;
  readonly #memory: MemoryWatch | undefined;
  readonly #memoryLimitBytes: number;
  #renders = 0;
  #idleTimer: NodeJS.Timeout | undefined;
  #blanking: Promise<boolean> | undefined;
  #isEnding = false;
  #hasFailed = false;

  constructor({ browser, page, key, limitBytes }: { browser: Browser; page: Page; key: string; limitBytes: number }) {
    this.key = key;
    this.#browser = browser;
    this.#page = page;
    this.#memory = browser.pid === undefined ? undefined : new MemoryWatch(browser.pid);
    this.#memoryLimitBytes = limitBytes;
    // Whatever has ended it, a crash of the page included: nobody is to ask it any more, and nothing of it is to stay.
    void browser.connection.closed.then(() => this.kill());
  }

  /** Process number of the browser, which leads its process group. Undefined for one that runs elsewhere. */
  get pid(): number | undefined {
    return this.#browser.pid;
  }

  /** False from the moment on in which its end is decided or noticed. */
  get isUsable(): boolean {
    return !this.#isEnding;
  }

  /** Settles once no process and no file of it is left. */
  get gone(): Promise<void> {
    return this.#browser.gone;
  }

  /** How many pictures it was asked for. */
  get renders(): number {
    return this.#renders;
  }

  /** So large that it is not to draw again, as it was seen last. */
  get isOutgrown(): boolean {
    return (this.#memory?.bytes ?? 0) > WORN_MEMORY_SHARE * this.#memoryLimitBytes;
  }

  /**
   * Leaves the page as it is: {@link clean} comes before the next one.
   * @throws as {@link Page.draw}; AppError `render_failed` when it takes more memory than it may, and it ends then;
   * AppError `unavailable` when the disk has no room for the picture
   */
  async render(job: RenderJob, options: { signal: AbortSignal; stamp: Stamp }): Promise<Screenshot> {
    this.#renders++;
    clearTimeout(this.#idleTimer);
    await this.#blanking;
    this.#requireRoom();
    this.#memory?.begin(this.#memoryLimitBytes, () => this.#endOutgrown());
    try {
      return await this.#page.draw(job, options);
    } catch (error) {
      // Alive, perhaps, and blank pages it may still draw: but not what it was asked for.
      this.#hasFailed = error instanceof BrowserLost;
      throw error;
    } finally {
      this.#memory?.end();
    }
  }

  /**
   * Makes the page ready for another render: blank, now or, when only documents of ours stood in it, once nobody has used
   * it for a while. False when it does not become so in time, or when the browser has failed or grown so large that it is
   * not to draw again: then it must be killed.
   */
  async clean(): Promise<boolean> {
    if (this.#isEnding || this.#hasFailed || this.isOutgrown) return false;
    if (!this.#page.isFollowable) return await this.#blank();
    this.#idleTimer = setTimeout(() => void this.#blankIdle(), IDLE_PAGE_MS);
    this.#idleTimer.unref();
    return true;
  }

  async #blank(): Promise<boolean> {
    try {
      await this.#page.blank(AbortSignal.timeout(RECOVERY_TIMEOUT_MS));
      return !this.#isEnding;
    } catch {
      return false;
    }
  }

  async #blankIdle(): Promise<void> {
    this.#blanking = this.#blank();
    if (!(await this.#blanking)) this.kill();
    this.#blanking = undefined;
  }

  /** Ends it at once. */
  kill(): void {
    this.#isEnding = true;
    clearTimeout(this.#idleTimer);
    this.#browser.kill();
  }

  /** Ends it in order, and resolves once it is gone. */
  async close(): Promise<void> {
    this.#isEnding = true;
    clearTimeout(this.#idleTimer);
    await this.#browser.close();
  }

  #requireRoom(): void {
    try {
      this.#browser.needsRoomIn.forEach(requireRoom);
    } catch (error) {
      // The next one may share its memory elsewhere.
      this.#hasFailed = true;
      throw drawingUnavailable(error);
    }
  }

  #endOutgrown(): void {
    const megabytes = Math.round(this.#memoryLimitBytes / BYTES_PER_MB);
    const message = `The picture took more than ${megabytes} MB of memory to draw.`;
    // Said before it is killed: this render is not to be tried again.
    this.#browser.connection.close(new AppError("render_failed", message));
  }
}
