import { type RenderConfig, renderConfig } from "#lib/config.ts";
import { ConfigError } from "#lib/environment/config-error.ts";
import { AppError, type ErrorCode } from "#lib/errors.ts";
import { log } from "#lib/log.ts";
import { renderCanary } from "./canary.ts";
import type { Progress } from "./chromium/install.ts";
import type { RenderJob } from "./chromium/page.ts";
import { Pool } from "./queue/render-pool.ts";
import type { Picture, PrepareJob } from "./queue/render-task.ts";
import { isProven, markUnproven, noteSuccess } from "./readiness.ts";
import { stopping } from "./render-faults.ts";
import { CANARY_TIMEOUT_MS, DRAIN_TIMEOUT_MS, WARM_UP_TIMEOUT_MS } from "./render-limits.ts";
import { noteStages } from "./render-metrics.ts";
import { shared } from "./shared.ts";

export type { RenderJob } from "./chromium/page.ts";
export type { Picture } from "./queue/render-task.ts";

export type RenderOptions = {
  /** Ends the render, waiting or running; its reason is thrown. */
  signal?: AbortSignal | undefined;
  /** Names whoever asks. Callers take turns and share the queue; all who are not named count as one. */
  caller?: string | undefined;
};

/** Whether a picture can be drawn now. `message` holds nothing that a probe may not see. */
export type RenderingState = { ok: true } | { ok: false; message: string };

/** Names variables and what they want; what they hold stays between the operator and the log. */
function misconfigured(error: ConfigError): AppError {
  const wants = error.faults.map(
    ({ variable, message }) => `${variable}: ${message.slice(Math.max(0, message.lastIndexOf("want ")))}`,
  );
  return new AppError("misconfigured", `The service is not configured to render. ${wants.join("; ")}.`);
}

/** What renders depend on. @throws AppError `misconfigured`, with every variable that is wrong and what it wants */
export function requireRenderConfig(): RenderConfig {
  try {
    return renderConfig();
  } catch (error) {
    throw error instanceof ConfigError ? misconfigured(error) : error;
  }
}

/** Failures that an input may have caused, or a browser that no longer works: the next readiness probe finds out. */
const BROKEN: readonly ErrorCode[] = ["render_failed", "render_timeout", "unavailable"];

function pool({ workers }: RenderConfig): Pool {
  const state = shared.get();
  if (state.stopped) throw stopping();
  state.pool ??= new Pool(workers);
  return state.pool;
}

/**
 * Draws the document that `prepare` makes once the render has its place in the queue; the deadline covers both. Nothing of
 * one render shows in another, and the same document gives the same bytes.
 * @throws AppError `overloaded` (with `Retry-After`), `render_timeout`, `render_failed`, `unavailable` or `misconfigured`,
 * or whatever `prepare` throws
 */
export async function renderPrepared(prepare: PrepareJob, options: RenderOptions = {}): Promise<Picture> {
  const { signal, caller = "" } = options;
  const config = requireRenderConfig();
  try {
    const picture = await pool(config).render(prepare, { config, signal, caller });
    noteSuccess();
    noteStages(picture.timings);
    return picture;
  } catch (error) {
    if (error instanceof AppError && BROKEN.includes(error.code)) markUnproven();
    throw error;
  }
}

/** Draws a document that is there already. @throws as {@link renderPrepared} */
export async function renderPicture(job: RenderJob, options?: RenderOptions): Promise<Picture> {
  return await renderPrepared(async () => job, options);
}

async function prove(timeoutMs: number): Promise<void> {
  const config = requireRenderConfig();
  await renderCanary(pool(config), { ...config, timeoutMs });
  noteSuccess();
}

/**
 * Unpacks Chromium where needed, removes what dead servers left, starts the browser and draws a first picture. It never
 * throws: a failure is logged, and every later render tries again.
 */
export async function warmUp({ onProgress }: { onProgress?: Progress } = {}): Promise<void> {
  const startedAt = performance.now();
  try {
    const config = requireRenderConfig();
    pool(config).start(config, onProgress);
    await prove(WARM_UP_TIMEOUT_MS);
    log().info({ ms: Math.round(performance.now() - startedAt) }, "Rendering is ready.");
  } catch (error) {
    // What an error of the domain was caused by is in the log already, from where it happened.
    const line = error instanceof AppError ? { code: error.code, reason: error.message } : { err: error };
    log().error(line, "Rendering is not ready.");
  }
}

async function attemptProof(): Promise<RenderingState> {
  try {
    await prove(Math.min(requireRenderConfig().timeoutMs, CANARY_TIMEOUT_MS));
    return { ok: true };
  } catch (error) {
    if (error instanceof AppError) return { ok: false, message: error.message };
    log().error({ err: error }, "The readiness check failed unexpectedly.");
    return { ok: false, message: "The readiness check failed." };
  }
}

/**
 * Ready means that a browser runs, that a picture was drawn within the last 4 s, and that nothing failed since that may mean
 * that no other will be. Otherwise one is drawn now, by one caller for all, within 5 s. A bad configuration or a stopping
 * service is never ready.
 */
export async function checkRendering(): Promise<RenderingState> {
  const state = shared.get();
  const browsers = state.pool?.state.workers ?? [];
  if (isProven() && browsers.length > 0 && !state.stopped && isConfigured()) return { ok: true };
  state.proof ??= attemptProof().finally(() => {
    state.proof = undefined;
  });
  return await state.proof;
}

function isConfigured(): boolean {
  try {
    requireRenderConfig();
    return true;
  } catch {
    return false;
  }
}

/**
 * Ends rendering for good: new renders are refused, accepted ones may finish within 20 s, then every browser ends and its
 * files are removed. A second call waits for the first.
 */
export async function shutDown(): Promise<void> {
  const state = shared.get();
  state.stopped ??= state.pool?.stop(AbortSignal.timeout(DRAIN_TIMEOUT_MS)) ?? Promise.resolve();
  await state.stopped;
}
