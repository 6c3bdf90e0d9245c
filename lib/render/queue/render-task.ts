import { abortable } from "#lib/abortable.ts";
import type { RenderConfig } from "#lib/config.ts";
import { AppError } from "#lib/errors.ts";
import type { RenderJob } from "#lib/render/chromium/page.ts";

export type Picture = {
  png: Buffer;
  /** Value of the job's `measure`. */
  measured: unknown;
  /** What the document tried to load and did not get: at most 100 addresses, cut at 300 characters. */
  blockedRequests: string[];
  /** Milliseconds by stage: queue, compose, load (measuring included), capture, encode. */
  timings: Record<string, number>;
};

/** Makes what is to be drawn. It may stop early when `signal` aborts: nobody waits for it any more. */
export type PrepareJob = (signal: AbortSignal) => Promise<RenderJob>;

const OVER = new Error("The render is over.");

/** A render from its arrival to its answer. Its deadline runs from the start; the wait in the queue counts. */
export class RenderTask {
  readonly config: RenderConfig;
  /** Whose turn it takes. */
  readonly caller: string;
  readonly prepare: PrepareJob;
  readonly timings: Record<string, number> = {};
  /** Browsers that were tried. */
  attempts = 0;
  readonly #end = new AbortController();
  readonly #answer = Promise.withResolvers<Picture>();
  #stageStartedAt = performance.now();

  constructor({ config, caller, prepare }: { config: RenderConfig; caller: string; prepare: PrepareJob }) {
    this.config = config;
    this.caller = caller;
    this.prepare = prepare;
  }

  /** Aborts when nobody waits for the answer any more. */
  get signal(): AbortSignal {
    return this.#end.signal;
  }

  /** Resolves once the answer was given, whatever it is. */
  get settled(): Promise<void> {
    return this.isOver
      ? Promise.resolve()
      : new Promise((resolve) => this.signal.addEventListener("abort", () => resolve()));
  }

  get isOver(): boolean {
    return this.#end.signal.aborted;
  }

  /** Notes the milliseconds since the last stage. A retry adds to the first attempt. */
  stamp(stage: string): void {
    const now = performance.now();
    this.timings[stage] = (this.timings[stage] ?? 0) + now - this.#stageStartedAt;
    this.#stageStartedAt = now;
  }

  resolve(picture: Picture): void {
    this.#answer.resolve(picture);
  }

  reject(error: unknown): void {
    this.#answer.reject(error);
  }

  /**
   * @param signal of the one who asked; its reason is thrown as it is
   * @throws AppError `render_timeout`, or what it was rejected with
   */
  async answer(signal?: AbortSignal): Promise<Picture> {
    const onAbort = () => this.#end.abort(signal?.reason);
    const timer = setTimeout(() => this.#end.abort(timeoutError(this.config)), this.config.timeoutMs);
    signal?.addEventListener("abort", onAbort, { once: true });
    if (signal?.aborted) onAbort();
    try {
      return await abortable(this.#answer.promise, this.signal);
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
      // Node would make an exception, with a stack, for each.
      this.#end.abort(OVER);
    }
  }
}

function timeoutError({ timeoutMs }: RenderConfig): AppError {
  return new AppError(
    "render_timeout",
    `The picture was not finished within ${timeoutMs} ms, the wait for a browser included.`,
  );
}
