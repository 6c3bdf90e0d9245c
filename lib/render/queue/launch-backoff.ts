import { abortable } from "#lib/abortable.ts";
import type { RenderConfig } from "#lib/config.ts";
import { explainFileFault } from "#lib/file-faults.ts";
import { log } from "#lib/log.ts";
import { processState } from "#lib/process-state.ts";
import type { StartOptions } from "#lib/render/chromium/start-worker.ts";
import type { Worker } from "#lib/render/chromium/worker.ts";
import { LAUNCH_BACKOFF_MAX_MS, LAUNCH_BACKOFF_MS, URGENT_BACKOFF_MAX_MS } from "#lib/render/render-limits.ts";

/** The public side of a worker, so that the queue can be tested without a browser. */
export type RenderWorker = Pick<Worker, keyof Worker>;

/** Starts one browser. @throws AppError, or the signal's reason */
export type StartWorker = (config: RenderConfig, options: StartOptions) => Promise<RenderWorker>;

type Dependencies = {
  config: RenderConfig;
  startWorker: StartWorker;
  /** Called after each failed attempt, which is logged here. */
  onFailure: (error: unknown) => void;
};

/** The fault of the file system that was logged last. Every browser of this process has the same. */
const lastFault = processState("launch-fault", (): { reason: string | undefined } => ({ reason: undefined }));

/** Starts browsers of one configuration. Failed attempts are repeated, with pauses that double from 0.1 to 30 s. */
export class LaunchBackoff {
  readonly #dependencies: Dependencies;
  /** Consecutive failures. A finished render resets the count. */
  #failures = 0;
  #isPausing = false;
  #hurry = Promise.withResolvers<void>();

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
  }

  /** True from a failed attempt until the next one begins. */
  get isPausing(): boolean {
    return this.#isPausing;
  }

  /** Shortens the current pause to {@link URGENT_BACKOFF_MAX_MS}: a render waits. */
  hurry(): void {
    this.#hurry.resolve();
  }

  /** Resets the count of failures, because a browser has rendered: the next start needs no pause. */
  reset(): void {
    this.#failures = 0;
    lastFault.get().reason = undefined;
  }

  /** Counts a failed start, or a browser that ended before it rendered anything. */
  noteFailure(): void {
    this.#failures++;
  }

  /** Tries until a browser runs. @throws the signal's reason, and nothing else */
  async launch(options: StartOptions): Promise<RenderWorker> {
    const { config, startWorker, onFailure } = this.#dependencies;
    for (;;) {
      if (this.#failures > 0) await this.#pause(options.signal);
      options.signal.throwIfAborted();
      try {
        return await startWorker(config, options);
      } catch (error) {
        options.signal.throwIfAborted();
        this.noteFailure();
        this.#logFailure(error);
        this.#isPausing = true;
        onFailure(error);
      }
    }
  }

  /** Logs a fault of the file system in one line, and only once while it lasts: it does not go away by itself. */
  #logFailure(error: unknown): void {
    const reason = explainFileFault(error);
    if (reason !== undefined && reason === lastFault.get().reason) return;
    lastFault.get().reason = reason;
    const line = reason === undefined ? { err: error } : { reason };
    log().error({ ...line, failures: this.#failures }, "The browser cannot be started.");
  }

  async #pause(signal: AbortSignal): Promise<void> {
    const pauseMs = Math.min(LAUNCH_BACKOFF_MS * 2 ** (this.#failures - 1), LAUNCH_BACKOFF_MAX_MS);
    const urgentMs = Math.min(pauseMs, URGENT_BACKOFF_MAX_MS);
    this.#isPausing = true;
    this.#hurry = Promise.withResolvers();
    await sleep(urgentMs, signal);
    if (pauseMs > urgentMs) await Promise.race([sleep(pauseMs - urgentMs, signal), this.#hurry.promise]);
    this.#isPausing = false;
  }
}

/** @throws the signal's reason */
async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  timer.unref();
  await abortable(promise, signal).finally(() => clearTimeout(timer));
}
