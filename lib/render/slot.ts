import { setTimeout } from "node:timers/promises";
import { abortable } from "#lib/abortable.ts";
import type { RenderConfig } from "#lib/config.ts";
import { log } from "#lib/log.ts";
import type { Progress } from "./chromium.ts";
import { stopping } from "./faults.ts";
import { LAUNCH_BACKOFF_MAX_MS, LAUNCH_BACKOFF_MS } from "./limits.ts";
import { launchKey, startWorker, type Worker } from "./worker.ts";

/** The place of one worker. Whatever happens to its browser, the slot gets another. */
export class Slot {
  #worker: Worker | undefined;
  #starting: Promise<Worker> | undefined;
  #failures = 0;
  #isClosed = false;

  /** The worker that runs now, if any. */
  get worker(): Worker | undefined {
    return this.#worker?.isGone ? undefined : this.#worker;
  }

  /**
   * A worker that was started with this configuration and whose page is blank. A failed launch delays the next one.
   * @throws AppError `unavailable` or `misconfigured`, or the signal's reason, after which a launch under way goes on
   */
  async ready(
    config: RenderConfig,
    options: { signal?: AbortSignal; onProgress?: Progress | undefined } = {},
  ): Promise<Worker> {
    if (this.#isClosed) throw stopping();
    const { worker } = this;
    if (worker?.key === launchKey(config)) return worker;
    if (worker) await this.#discard(worker);
    this.#starting ??= this.#start(config, options.onProgress).finally(() => {
      this.#starting = undefined;
    });
    const started = await (options.signal ? abortable(this.#starting, options.signal) : this.#starting);
    // Somebody else's launch may have been under way, with another configuration.
    return started.key === launchKey(config) ? started : await this.ready(config, options);
  }

  /** Makes the slot ready for another render: its page blank again, or another worker started. Never throws. */
  async renew(config: RenderConfig): Promise<void> {
    const { worker } = this;
    if (worker && !worker.isWorn && (await worker.clean())) return;
    if (worker) await this.#discard(worker);
    // A failure is logged where it happens, and met again by the next render.
    if (!this.#isClosed) await this.ready(config).catch(() => undefined);
  }

  /** Ends its worker in order, or the one about to start. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#starting?.catch(() => undefined);
    await this.worker?.close();
  }

  async #discard(worker: Worker): Promise<void> {
    this.#worker = undefined;
    worker.kill();
    await worker.gone;
  }

  async #start(config: RenderConfig, onProgress?: Progress): Promise<Worker> {
    if (this.#failures > 0)
      await setTimeout(Math.min(LAUNCH_BACKOFF_MS * 2 ** (this.#failures - 1), LAUNCH_BACKOFF_MAX_MS));
    try {
      const worker = await startWorker(config, onProgress);
      this.#failures = 0;
      this.#worker = worker;
      void worker.gone.then(() => this.#replaceIdle(worker, config));
      return worker;
    } catch (error) {
      this.#failures++;
      log().error({ err: error, failures: this.#failures }, "The browser cannot be started.");
      throw error;
    }
  }

  /** A browser that ends by itself is replaced before somebody needs it. */
  #replaceIdle(worker: Worker, config: RenderConfig): void {
    if (this.#worker !== worker || this.#isClosed) return;
    this.#worker = undefined;
    log().warn({ pid: worker.pid }, "The browser ended unasked and is replaced.");
    void this.ready(config).catch(() => undefined);
  }
}
