import { AppError, type Issue } from "#lib/errors.ts";
import { counter, gauge, histogram } from "#lib/metrics.ts";
import { treeBytes } from "./chromium/memory-watch.ts";
import type { Worker } from "./chromium/worker.ts";
import type { Source } from "./picture-cache.ts";
import { shared } from "./shared.ts";

/** In seconds. A stage takes 1 to 100 ms, a wait up to the deadline of 30 s. */
const STAGE_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** What stands for every template that there is not: a label must not be what a request says. */
const UNKNOWN_TEMPLATE = "unknown";

const renders = counter({
  name: "platen_renders_total",
  help: "Requests for a picture, by what became of them: drawn, shared, cache, an error code, or gone.",
  labels: ["template", "outcome"],
});

const pictureBytes = counter({
  name: "platen_picture_bytes_total",
  help: "Bytes of the pictures that were given, by how they were come by.",
  labels: ["source"],
});

const duration = histogram({
  name: "platen_render_duration_seconds",
  help: "From the request for a picture to the picture, the wait included, by how it was come by.",
  labels: ["source"],
  buckets: STAGE_BUCKETS,
});

const stages = histogram({
  name: "platen_render_stage_seconds",
  help: "Where the time of pictures that were drawn went. The stage queue is their wait.",
  labels: ["stage"],
  buckets: STAGE_BUCKETS,
});

const warned = counter({
  name: "platen_render_warnings_total",
  help: "Warnings that pictures came with.",
  labels: ["code"],
});

const restarts = counter({
  name: "platen_browser_restarts_total",
  help: "Browsers that were replaced, by why: renders (enough of them), memory, failed, ended (unasked), configuration.",
  labels: ["reason"],
});

const launchFailures = counter({
  name: "platen_browser_launch_failures_total",
  help: "Attempts at starting a browser that failed.",
});

const poolState = () => shared.get().pool?.state ?? { waiting: 0, drawing: 0, workers: [] };

gauge({ name: "platen_render_queue", help: "Renders that wait for a browser.", read: () => poolState().waiting });

gauge({ name: "platen_renders_drawing", help: "Renders that a browser draws.", read: () => poolState().drawing });

gauge({ name: "platen_browsers", help: "Browsers that serve.", read: () => poolState().workers.length });

gauge({
  name: "platen_browsers_memory_bytes",
  help: "Memory in RAM of all processes of the browsers that serve; 0 where there is no /proc, or they run elsewhere.",
  read: () => poolState().workers.reduce((sum, { pid }) => sum + (pid === undefined ? 0 : treeBytes(pid)), 0),
});

gauge({
  name: "platen_browser_memory_max_bytes",
  help: "The same of the largest of them.",
  read: () => Math.max(0, ...poolState().workers.map(({ pid }) => (pid === undefined ? 0 : treeBytes(pid)))),
});

gauge({
  name: "platen_browser_age_max_seconds",
  help: "For how long the oldest browser has served.",
  read: () => {
    const now = performance.now();
    return Math.max(
      0,
      ...poolState().workers.map((worker) => (now - (shared.get().startedAt.get(worker) ?? now)) / 1_000),
    );
  },
});

gauge({ name: "platen_cache_pictures", help: "Pictures that are kept.", read: () => shared.get().cache.kept.pictures });

gauge({ name: "platen_cache_bytes", help: "What they take.", read: () => shared.get().cache.kept.bytes });

/** Why a browser is replaced: it has drawn enough, grown too large, failed, ended unasked, or is of another configuration. */
export type EndReason = "renders" | "memory" | "failed" | "ended" | "configuration";

/** A browser begins to serve. */
export function noteBrowserStart(worker: Worker): void {
  shared.get().startedAt.set(worker, performance.now());
}

/** A browser is replaced. */
export function noteBrowserEnd(reason: EndReason): void {
  restarts.inc({ reason });
}

/** A browser could not be started. */
export function noteLaunchFailure(): void {
  launchFailures.inc();
}

/** A picture was drawn. @param timings milliseconds by stage */
export function noteStages(timings: Record<string, number>): void {
  for (const [stage, ms] of Object.entries(timings)) stages.observe({ stage }, ms / 1_000);
}

type Given = { template: string; source: Source; ms: number; png: Buffer; warnings: Issue[] };

/** A picture was given. @param given.template a slug of the registry */
export function notePicture({ template, source, ms, png, warnings }: Given): void {
  renders.inc({ template, outcome: source });
  duration.observe({ source }, ms / 1_000);
  pictureBytes.inc({ source }, png.length);
  for (const { code } of warnings) warned.inc({ code });
}

/** None was given. @param template a slug of the registry; undefined where the request names none of them */
export function noteNoPicture(template: string | undefined, error: unknown, signal?: AbortSignal): void {
  const outcome = signal?.aborted ? "gone" : error instanceof AppError ? error.code : "internal";
  renders.inc({ template: template ?? UNKNOWN_TEMPLATE, outcome });
}
