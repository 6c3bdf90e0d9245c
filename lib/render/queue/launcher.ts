import { setTimeout } from "node:timers/promises";
import { abortable } from "#lib/abortable.ts";
import type { RenderConfig } from "#lib/config.ts";
import { log } from "#lib/log.ts";
import { type StartOptions, startWorker } from "#lib/render/chromium/start-worker.ts";
import type { Worker } from "#lib/render/chromium/worker.ts";
import { LAUNCH_BACKOFF_MAX_MS, LAUNCH_BACKOFF_MS, URGENT_BACKOFF_MAX_MS } from "#lib/render/render-limits.ts";
import { noteLaunchFailure } from "#lib/render/render-metrics.ts";

/** Starts browsers of one configuration, however many attempts it takes. */
export class Launcher {
  readonly #config: RenderConfig;
  /** In a row, with no picture between them. */
  #failures = 0;
  #isPausing = false;
  #urgency = Promise.withResolvers<void>();

  constructor(config: RenderConfig) {
    this.#config = config;
  }

  /** True between a failed attempt and the next one. */
  get isPausing(): boolean {
    return this.#isPausing;
  }

  /** Somebody waits: what is left of a long pause is cut short. */
  hurry(): void {
    this.#urgency.resolve();
  }

  /** A browser of it draws: the next one is started without a pause. */
  noteSuccess(): void {
    this.#failures = 0;
  }

  /** An attempt failed, or gave a browser that ended before it drew anything. */
  noteFailure(): void {
    this.#failures++;
  }

  /**
   * Tries until a browser runs, with pauses that double from 0.1 to 30 s.
   * @param onFailure hears of each attempt that failed, which is logged here
   * @throws the signal's reason only
   */
  async launch({ onFailure, ...options }: StartOptions & { onFailure: (error: unknown) => void }): Promise<Worker> {
    for (;;) {
      if (this.#failures > 0) await this.#pause(options.signal);
      options.signal.throwIfAborted();
      try {
        return await startWorker(this.#config, options);
      } catch (error) {
        options.signal.throwIfAborted();
        this.noteFailure();
        noteLaunchFailure();
        log().error({ err: error, failures: this.#failures }, "The browser cannot be started.");
        this.#isPausing = true;
        onFailure(error);
      }
    }
  }

  async #pause(signal: AbortSignal): Promise<void> {
    const pauseMs = Math.min(LAUNCH_BACKOFF_MS * 2 ** (this.#failures - 1), LAUNCH_BACKOFF_MAX_MS);
    const urgentMs = Math.min(pauseMs, URGENT_BACKOFF_MAX_MS);
    this.#isPausing = true;
    this.#urgency = Promise.withResolvers();
    await setTimeout(urgentMs, undefined, { signal, ref: false });
    const rest = setTimeout(pauseMs - urgentMs, undefined, { signal, ref: false });
    rest.catch(() => undefined);
    await abortable(Promise.race([rest, this.#urgency.promise]), signal);
    this.#isPausing = false;
  }
}
