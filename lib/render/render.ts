import type { RenderConfig } from "#lib/config.ts";
import { AppError, type ErrorCode } from "#lib/errors.ts";
import { prepareDecoder, stopDecoders } from "#lib/images/decoder/decoders.ts";
import { log } from "#lib/log.ts";
import { processState } from "#lib/process-state.ts";
import type { Progress } from "./chromium/install.ts";
import { startWorker } from "./chromium/start-worker.ts";
import { PictureCache } from "./picture-cache.ts";
import type { StartWorker } from "./queue/launch-backoff.ts";
import type { RenderPoolState } from "./queue/pool-state.ts";
import { RenderPool } from "./queue/render-pool.ts";
import type { Picture, PrepareJob, RenderOptions } from "./queue/render-task.ts";
import type { ReplaceReason } from "./queue/worker-supervisor.ts";
import { PROBE_CALLER, Readiness } from "./readiness.ts";
import { requireRenderConfig } from "./render-config.ts";
import { stopping } from "./render-faults.ts";
import type { RenderJob } from "./render-job.ts";
import { DRAIN_TIMEOUT_MS, PROBE_TIMEOUT_MS, READY_ANSWER_MS, WARM_UP_TIMEOUT_MS } from "./render-limits.ts";
import { observeStages, registerGauges, watchPool } from "./render-metrics.ts";

/** Whether a picture can be rendered now. `message` holds nothing confidential. */
export type ReadinessResult = { ok: true } | { ok: false; message: string };

/**
 * These failures may mean that rendering no longer works; the next readiness check finds out. A render that has only waited
 * until its deadline tells nothing about browsers: one caller's renders may keep all others' waiting, or its images may be slow.
 */
const DOUBTFUL: readonly ErrorCode[] = ["render_failed", "unavailable"];

/** Browsers are replaced for these reasons although they work. If the next one does not, its failure tells. */
const IN_ORDER: readonly ReplaceReason[] = ["renders", "memory"];

const IDLE: RenderPoolState = { waiting: 0, placesTaken: 0, rendering: 0, browsers: [], failing: 0 };

type Dependencies = {
  startWorker: StartWorker;
  /** A monotonic clock in milliseconds. */
  now: () => number;
};

/**
 * Everything that renders in one process, put together: the browsers and their queue, the pictures kept for repeated
 * requests, and readiness. Metrics and readiness follow the events of the pool.
 */
export class Rendering {
  /** Pictures kept for repeated requests. */
  readonly pictures = new PictureCache();
  readonly readiness: Readiness;
  readonly #startWorker: StartWorker;
  #pool: RenderPool | undefined;
  /** The probe of a readiness check under way. */
  #checking: Promise<void> | undefined;
  #stopped: Promise<void> | undefined;

  constructor({ startWorker, now }: Dependencies) {
    this.#startWorker = startWorker;
    this.readiness = new Readiness(now);
  }

  /** The number of waiting and running renders, and the browsers that serve. */
  get state(): RenderPoolState {
    return this.#pool?.state ?? IDLE;
  }

  /** Process numbers of the browsers that serve. Remote browsers have none. */
  get pids(): number[] {
    return this.state.browsers.flatMap(({ pid }) => pid ?? []);
  }

  /** See {@link renderPrepared}. */
  async render(prepare: PrepareJob, { caller = "", ...options }: RenderOptions): Promise<Picture> {
    const config = requireRenderConfig();
    try {
      const picture = await this.#poolFor(config).render(prepare, { ...options, config, caller });
      this.readiness.markProven();
      observeStages(picture.timings);
      return picture;
    } catch (error) {
      this.#noteFailure(error);
      throw error;
    }
  }

  /** See {@link warmUp}. @throws AppError */
  async start(onProgress?: Progress): Promise<void> {
    const config = requireRenderConfig();
    this.#poolFor(config).start(config, onProgress);
    await this.#probe(WARM_UP_TIMEOUT_MS);
    prepareDecoder();
  }

  /** See {@link checkRendering}. */
  async check(): Promise<ReadinessResult> {
    try {
      const { timeoutMs } = requireRenderConfig();
      if (this.readiness.isProven && this.#isServing) return { ok: true };
      this.#checking ??= this.#probe(Math.min(timeoutMs, PROBE_TIMEOUT_MS)).finally(() => {
        this.#checking = undefined;
      });
      // What raised no doubt, or was proven meanwhile, does not count.
      await this.#checking.catch((error) => {
        if (!this.readiness.isUndoubted || this.#stopped) throw error;
      });
      return { ok: true };
    } catch (error) {
      if (error instanceof AppError) return { ok: false, message: error.message };
      log().error({ err: error }, "The readiness check failed unexpectedly.");
      return { ok: false, message: "The readiness check failed." };
    }
  }

  /** See {@link checkRenderingSoon}. */
  async checkSoon(): Promise<ReadinessResult> {
    const late = Promise.withResolvers<ReadinessResult>();
    const timer = setTimeout(() => late.resolve(this.#lastKnown), READY_ANSWER_MS);
    return await Promise.race([this.check(), late.promise]).finally(() => clearTimeout(timer));
  }

  get #isServing(): boolean {
    return this.state.browsers.length > 0 && !this.#stopped;
  }

  /**
   * While a probe waits for a browser, the last success counts unless something has failed since. The browsers may all be drawing, or
   * the only one may be being replaced in order. A recent success counts in any case: otherwise a document that ends browsers, sent again
   * and again, would take a service out of use that draws all others.
   */
  get #lastKnown(): ReadinessResult {
    const { isUndoubted, hasJustSucceeded } = this.readiness;
    if ((isUndoubted || hasJustSucceeded) && !this.#stopped) return { ok: true };
    return { ok: false, message: "A picture is being rendered to find out whether rendering works." };
  }

  /** See {@link shutDown}. */
  async stop(graceMs = DRAIN_TIMEOUT_MS): Promise<void> {
    this.#stopped ??= this.#pool?.stop(AbortSignal.timeout(graceMs)) ?? Promise.resolve();
    await this.#stopped;
    stopDecoders();
  }

  #poolFor({ workers }: RenderConfig): RenderPool {
    if (this.#stopped) throw stopping();
    this.#pool ??= this.#createPool(workers);
    return this.#pool;
  }

  #createPool(size: number): RenderPool {
    const pool = new RenderPool({ size, startWorker: this.#startWorker });
    const onDoubt = () => this.readiness.markUnproven();
    pool.on("browserReplaced", (reason) => {
      if (!IN_ORDER.includes(reason)) onDoubt();
    });
    pool.on("launchFailed", onDoubt).on("renderOverdue", onDoubt);
    watchPool(pool);
    return pool;
  }

  async #probe(timeoutMs: number): Promise<void> {
    const config = { ...requireRenderConfig(), timeoutMs };
    const pool = this.#poolFor(config);
    try {
      await this.readiness.probe((job) => pool.render(async () => job, { config, caller: PROBE_CALLER }));
    } catch (error) {
      if (!this.#hasOnlyWaited(error)) this.readiness.markUnproven();
      throw error;
    }
  }

  /** Whether a probe has waited for a browser until its deadline, on a service that has finished a picture lately. */
  #hasOnlyWaited(error: unknown): boolean {
    const isLate = error instanceof AppError && error.code === "render_timeout";
    return isLate && this.readiness.hasSucceededLately;
  }

  #noteFailure(error: unknown): void {
    if (error instanceof AppError && DOUBTFUL.includes(error.code)) this.readiness.markUnproven();
  }
}

/** The one instance of this process. Tests replace it after {@link shutDown}, which is final. */
export const rendering = processState("rendering", () => new Rendering({ startWorker, now: () => performance.now() }));

registerGauges({ state: () => rendering.get().state, kept: () => rendering.get().pictures.kept });

/**
 * Renders the document that `prepare` makes. `prepare` runs once the render has its place in the queue; the deadline covers
 * both. Nothing of one render shows in another, and the same document gives the same bytes.
 * @throws AppError `overloaded` (with `Retry-After`), `render_timeout`, `render_failed`, `unavailable` or `misconfigured`,
 * or whatever `prepare` throws
 */
export async function renderPrepared(prepare: PrepareJob, options: RenderOptions = {}): Promise<Picture> {
  return await rendering.get().render(prepare, options);
}

/** Renders a document that exists already. @throws as {@link renderPrepared} */
export async function renderPicture(job: RenderJob, options?: RenderOptions): Promise<Picture> {
  return await renderPrepared(async () => job, options);
}

/**
 * Unpacks Chromium if necessary, removes what dead servers left, starts the browsers and renders a first picture. Never
 * throws: a failure is logged, and every later render tries again.
 */
export async function warmUp({ onProgress }: { onProgress?: Progress } = {}): Promise<void> {
  const startedAt = performance.now();
  try {
    await rendering.get().start(onProgress);
    log().info({ ms: Math.round(performance.now() - startedAt) }, "Rendering is ready.");
  } catch (error) {
    // The cause of an AppError was logged where it happened.
    const line = error instanceof AppError ? { code: error.code, reason: error.message } : { err: error };
    log().error(line, "Rendering is not ready.");
  }
}

/**
 * Ready means: a browser runs, a picture was finished within the last 4 s, and no failure since then suggests that
 * rendering no longer works. Otherwise a small picture is rendered now, within 5 s. Concurrent checks share it. A
 * service with a bad configuration, or one that is stopping, is never ready.
 */
export async function checkRendering(): Promise<ReadinessResult> {
  return await rendering.get().check();
}

/** Like {@link checkRendering}, but within 0.3 s: a longer check continues, and what is known without it is returned. */
export async function checkRenderingSoon(): Promise<ReadinessResult> {
  return await rendering.get().checkSoon();
}

/**
 * Ends rendering for good: new renders are refused, accepted ones may finish within 20 s, then every browser ends and its
 * files are removed. A second call waits for the first.
 */
export async function shutDown(): Promise<void> {
  await rendering.get().stop();
}

/** Like {@link shutDown}, but refuses accepted renders too. A server calls it once no request waits for one. */
export async function shutDownNow(): Promise<void> {
  await rendering.get().stop(0);
}
