import { renderLimits } from "#lib/config.ts";
import { AppError, type Issue } from "#lib/errors.ts";
import { counter, gauge, histogram } from "#lib/metrics.ts";
import { treeBytes } from "./chromium/memory-watch.ts";
import type { Source } from "./picture-cache.ts";
import type { RenderPoolState, ServingBrowser } from "./queue/pool-state.ts";
import type { RenderPool } from "./queue/render-pool.ts";
import { REPLACE_REASONS } from "./queue/worker-supervisor.ts";

/** In seconds. A stage takes 1 to 100 ms, a wait up to the deadline of 30 s. */
const STAGE_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Label for every template that does not exist: a label must not be text of a request. */
const UNKNOWN_TEMPLATE = "unknown";

const renders = counter({
  name: "platen_renders_total",
  help: "Requests for a picture by outcome: drawn, shared, cache, store, an error code, or gone (the client disconnected).",
  labels: ["template", "outcome"],
});

const pictureBytes = counter({
  name: "platen_picture_bytes_total",
  help: "Bytes of the pictures that were answered, by source: drawn, shared, cache or store.",
  labels: ["source"],
});

const duration = histogram({
  name: "platen_render_duration_seconds",
  help: "Time from a request to its picture, the wait in the queue included, by source: drawn, shared, cache or store.",
  labels: ["source"],
  buckets: STAGE_BUCKETS,
});

const stages = histogram({
  name: "platen_render_stage_seconds",
  help: "Time of rendered pictures by stage. The stage queue is their wait.",
  labels: ["stage"],
  buckets: STAGE_BUCKETS,
});

const warned = counter({
  name: "platen_render_warnings_total",
  help: "Warnings about pictures that were answered.",
  labels: ["code"],
});

const restarts = counter({
  name: "platen_browser_restarts_total",
  help: "Browsers that were replaced, by reason: renders (enough of them), memory, failed, ended (unasked), configuration.",
  labels: ["reason"],
  zeros: REPLACE_REASONS.map((reason) => ({ reason })),
});

const launchFailures = counter({
  name: "platen_browser_launch_failures_total",
  help: "Failed attempts to start a browser.",
});

/** Memory of a browser in bytes. 0 for one that runs elsewhere. */
const bytesOf = ({ pid }: ServingBrowser) => (pid === undefined ? 0 : treeBytes(pid));

type Sources = {
  state: () => RenderPoolState;
  /** The pictures kept for repeated requests. */
  kept: () => { pictures: number; bytes: number };
};

/** Registers the metrics whose values are looked up when they are read. */
export function registerGauges({ state, kept }: Sources): void {
  const browsers = () => state().browsers;
  const secondsServed = ({ startedAt }: ServingBrowser) => (performance.now() - startedAt) / 1_000;
  gauge({ name: "platen_render_queue", help: "Renders that wait for a browser.", read: () => state().waiting });
  gauge({
    name: "platen_render_queue_limit",
    help: "Renders that may wait for a browser (SERVICE_RENDER_QUEUE).",
    read: () => renderLimits().queueLimit,
  });
  gauge({ name: "platen_renders_drawing", help: "Renders that a browser works on.", read: () => state().rendering });
  gauge({ name: "platen_browsers", help: "Browsers that serve.", read: () => browsers().length });
  gauge({
    name: "platen_browsers_wanted",
    help: "Browsers that are to serve (SERVICE_RENDER_WORKERS).",
    read: () => renderLimits().workers,
  });
  gauge({
    name: "platen_browsers_memory_bytes",
    help: "Resident memory of all processes of the browsers that serve; 0 without /proc, or for remote browsers.",
    read: () => browsers().reduce((sum, browser) => sum + bytesOf(browser), 0),
  });
  gauge({
    name: "platen_browser_memory_max_bytes",
    help: "Resident memory of the largest browser that serves.",
    read: () => Math.max(0, ...browsers().map(bytesOf)),
  });
  gauge({
    name: "platen_browser_age_max_seconds",
    help: "How long the oldest browser has served.",
    read: () => Math.max(0, ...browsers().map(secondsServed)),
  });
  gauge({ name: "platen_cache_pictures", help: "Pictures kept for repeats.", read: () => kept().pictures });
  gauge({ name: "platen_cache_bytes", help: "Memory that kept pictures take.", read: () => kept().bytes });
}

/** Counts what happens to the browsers of a pool. */
export function watchPool(pool: RenderPool): void {
  pool.on("browserReplaced", (reason) => restarts.inc({ reason }));
  pool.on("launchFailed", () => launchFailures.inc());
}

/** Adds the stages of a picture that was rendered. @param timings milliseconds by stage */
export function observeStages(timings: Record<string, number>): void {
  for (const [stage, ms] of Object.entries(timings)) stages.observe({ stage }, ms / 1_000);
}

type Answered = { template: string; source: Source; ms: number; png: Buffer; warnings: Issue[] };

/** Counts a request that was answered with a picture. @param answered.template a slug of the registry */
export function countPicture({ template, source, ms, png, warnings }: Answered): void {
  renders.inc({ template, outcome: source });
  duration.observe({ source }, ms / 1_000);
  pictureBytes.inc({ source }, png.length);
  for (const { code } of warnings) warned.inc({ code });
}

/** Counts a request that failed. @param template a slug of the registry; undefined when the request names none of them */
export function countFailure(template: string | undefined, error: unknown, signal?: AbortSignal): void {
  const isGone = signal?.aborted && !(signal.reason instanceof AppError);
  const outcome = isGone ? "gone" : error instanceof AppError ? error.code : "internal";
  renders.inc({ template: template ?? UNKNOWN_TEMPLATE, outcome });
}
