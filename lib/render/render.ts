import { ConfigError, type RenderConfig, renderConfig } from "#lib/config.ts";
import { AppError } from "#lib/errors.ts";
import { log } from "#lib/log.ts";
import { renderCanary } from "./canary.ts";
import type { Progress } from "./chromium.ts";
import { stopping } from "./faults.ts";
import { DRAIN_TIMEOUT_MS, PROOF_AGE_MS } from "./limits.ts";
import type { RenderJob } from "./page.ts";
import { Pool, type PrepareJob } from "./pool.ts";
import { shared } from "./shared.ts";
import type { Picture } from "./ticket.ts";

export type { RenderJob } from "./page.ts";
export type { Picture } from "./ticket.ts";

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

function pool({ workers }: RenderConfig): Pool {
  const state = shared();
  if (state.stopped) throw stopping();
  state.pool ??= new Pool(workers);
  return state.pool;
}

/**
 * Draws the document that `prepare` makes once the render has its place in the queue; the deadline covers both. Nothing of
 * one render shows in another, and the same document gives the same bytes.
 * @param signal ends the render, waiting or running; its reason is thrown
 * @throws AppError `overloaded` (with `Retry-After`), `render_timeout`, `render_failed`, `unavailable` or `misconfigured`,
 * or whatever `prepare` throws
 */
export async function renderPrepared(prepare: PrepareJob, signal?: AbortSignal): Promise<Picture> {
  const config = requireRenderConfig();
  const picture = await pool(config).render(prepare, { config, signal });
  shared().lastSuccessAt = performance.now();
  return picture;
}

/** Draws a document that is there already. @throws as {@link renderPrepared} */
export async function renderPicture(job: RenderJob, signal?: AbortSignal): Promise<Picture> {
  return await renderPrepared(async () => job, signal);
}

async function prove(): Promise<void> {
  const config = requireRenderConfig();
  await renderCanary(pool(config), config);
  shared().lastSuccessAt = performance.now();
}

/**
 * Unpacks Chromium where needed, removes what dead servers left, starts the browser and draws a first picture. It never
 * throws: a failure is logged, and every later render tries again.
 */
export async function warmUp({ onProgress }: { onProgress?: Progress } = {}): Promise<void> {
  const startedAt = performance.now();
  try {
    const config = requireRenderConfig();
    await pool(config).start(config, onProgress);
    await prove();
    log().info({ ms: Math.round(performance.now() - startedAt) }, "Rendering is ready.");
  } catch (error) {
    // What an error of the domain was caused by is in the log already, from where it happened.
    const line = error instanceof AppError ? { code: error.code, reason: error.message } : { err: error };
    log().error(line, "Rendering is not ready.");
  }
}

async function attemptProof(): Promise<RenderingState> {
  try {
    await prove();
    return { ok: true };
  } catch (error) {
    if (error instanceof AppError) return { ok: false, message: error.message };
    log().error({ err: error }, "The readiness check failed unexpectedly.");
    return { ok: false, message: "The readiness check failed." };
  }
}

/**
 * Ready means that a picture was drawn within the last 15 s. Otherwise one is drawn now, by one caller for all, within 5 s.
 * A bad configuration or a stopping service is never ready.
 */
export async function checkRendering(): Promise<RenderingState> {
  const state = shared();
  const { lastSuccessAt = Number.NEGATIVE_INFINITY, stopped } = state;
  const isProven = performance.now() - lastSuccessAt < PROOF_AGE_MS;
  if (isProven && !stopped && isConfigured()) return { ok: true };
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
  const state = shared();
  state.stopped ??= state.pool?.stop(AbortSignal.timeout(DRAIN_TIMEOUT_MS)) ?? Promise.resolve();
  await state.stopped;
}
