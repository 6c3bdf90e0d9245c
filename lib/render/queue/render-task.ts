import { abortable } from "#lib/abortable.ts";
import { onlySender, type Senders } from "#lib/addresses/senders.ts";
import type { RenderConfig } from "#lib/config.ts";
import { AppError } from "#lib/errors.ts";
import { RenderImages } from "#lib/images/render-images.ts";
import type { RenderJob } from "#lib/render/render-job.ts";
import { currentSpan } from "#lib/tracing.ts";

export type Picture = {
  png: Buffer;
  /** Value of the job's `measure`. */
  measured: unknown;
  /** Value of the job's `examine`. */
  examined: unknown;
  /** The picture after the job's `recolor`. It is compressed for speed. */
  recolored?: Buffer | undefined;
  /** Addresses that the document tried to load and that were blocked: at most 100, cut at 300 characters. */
  blockedRequests: string[];
  /** Milliseconds by stage: queue, compose, load (measuring included), capture, encode. */
  timings: Record<string, number>;
};

/** Makes the document to render. It may stop early when `signal` aborts, because its result is then unused. */
export type PrepareJob = (signal: AbortSignal) => Promise<RenderJob>;

export type RenderOptions = {
  /** Ends the render, whether it waits or runs. The reason of the signal is thrown. */
  signal?: AbortSignal | undefined;
  /** Callers take turns and share the queue. All renders without a caller count as one caller's. */
  caller?: string | undefined;
  /** Who asks, where a caller stands for many. The senders of a caller take turns within its share. */
  sender?: string | undefined;
  /** All who wait for the picture, where several share it. Otherwise `sender` alone. */
  senders?: Senders | undefined;
  /** For renders that fetch images: they are prepared beside those that do not, which would wait for slow servers otherwise. */
  fetches?: boolean | undefined;
  /** For renders that take long: where there are several browsers, such renders never take the last one. */
  leavesBrowser?: boolean | undefined;
};

export type PoolRequest = RenderOptions & { config: RenderConfig; caller: string };

/** One shared reason: without a reason, every `abort()` would create an exception with a stack. */
const OVER = new Error("The render is over.");

/** The names of stages in traces. */
const SPANS: Record<string, string> = {
  queue: "wait",
  compose: "compose",
  load: "draw",
  capture: "capture",
  encode: "encode",
};

/** One render from its arrival to its answer. Its deadline starts at its arrival, so the wait in the queue counts. */
export class RenderTask {
  readonly config: RenderConfig;
  readonly caller: string;
  /** See `RenderOptions`. One with an empty name where the caller is the only one. */
  readonly senders: Senders;
  /** See `RenderOptions`. */
  readonly fetches: boolean;
  /** See `RenderOptions`. */
  readonly leavesBrowser: boolean;
  readonly prepare: PrepareJob;
  readonly timings: Record<string, number> = {};
  readonly images: RenderImages;
  /** How long browsers have worked on it, in milliseconds. */
  browserMs = 0;
  /** How many browsers have tried to render it. */
  attempts = 0;
  /** How many of them hung, or had no room left. */
  hangs = 0;
  /** The span of its own request: stages end in the contexts of other requests. */
  readonly #span = currentSpan();
  readonly #end = new AbortController();
  readonly #answer = Promise.withResolvers<Picture>();
  /** When its remote browser was lost, on the clock of `performance.now()`. */
  #lostAt = Number.NEGATIVE_INFINITY;
  readonly #startedAt = performance.now();
  #stageStartedAt = this.#startedAt;

  constructor({ config, caller, leavesBrowser = false, prepare, ...asked }: PoolRequest & { prepare: PrepareJob }) {
    this.config = config;
    this.caller = caller;
    this.senders = asked.senders ?? onlySender(asked.sender);
    this.fetches = asked.fetches ?? false;
    this.leavesBrowser = leavesBrowser;
    this.prepare = prepare;
    this.images = new RenderImages(caller, (error) => this.reject(error), this.senders);
  }

  /** Aborts once the task is over: answered, past its deadline, or its client has disconnected. */
  get signal(): AbortSignal {
    return this.#end.signal;
  }

  /** The milliseconds until its deadline. */
  get remainingMs(): number {
    return this.#startedAt + this.config.timeoutMs - performance.now();
  }

  get isOver(): boolean {
    return this.#end.signal.aborted;
  }

  /** Resolves once the task is over. */
  get settled(): Promise<void> {
    if (this.isOver) return Promise.resolve();
    return new Promise((resolve) => this.signal.addEventListener("abort", () => resolve()));
  }

  /**
   * Its browser was lost. Connections to a remote browser are often lost all at once, and the others are noticed a moment later: the
   * next attempt waits for one that is opened after this.
   */
  noteLoss(): void {
    if (this.config.browserWs) this.#lostAt = performance.now();
  }

  /** Lets it use any browser again. */
  forgetLoss(): void {
    this.#lostAt = Number.NEGATIVE_INFINITY;
  }

  mayUse({ startedAt }: { startedAt: number }): boolean {
    return startedAt >= this.#lostAt;
  }

  /** Adds the milliseconds since the last stage to this one. A retry adds to the first attempt. */
  stamp(stage: string): void {
    const now = performance.now();
    this.timings[stage] = (this.timings[stage] ?? 0) + now - this.#stageStartedAt;
    this.#span?.child(SPANS[stage] ?? stage, { startedAt: this.#stageStartedAt }).end({ endedAt: now });
    this.#stageStartedAt = now;
  }

  resolve(picture: Picture): void {
    this.#answer.resolve(picture);
  }

  reject(error: unknown): void {
    this.#answer.reject(error);
  }

  /**
   * Waits for {@link resolve} or {@link reject}, at most until the deadline.
   * @param signal the client's; its reason is thrown unchanged
   * @throws AppError `render_timeout`, or what the task was rejected with
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
