import { readMetric } from "#lib/metrics.ts";
import { treeBytes } from "#lib/render/chromium/memory-watch.ts";
import { displayPictures } from "#lib/render/display-pictures.ts";
import { rendering } from "#lib/render/render.ts";
import { requireRenderConfig } from "#lib/render/render-config.ts";
import type { StatusDetail } from "#lib/schemas/status-report.ts";
import { count, detail, type Finding, grouped } from "./finding.ts";

/** Above this share of its places, the queue counts as full: new renders may be refused. */
const FULL_SHARE = 0.8;

/** Browsers replaced for these reasons ended before their time. */
const UNTIMELY = ["failed", "ended", "memory"];

async function sumOf(name: `platen_${string}`, where: Record<string, string> = {}): Promise<number> {
  const readings = await readMetric(name);
  const matching = readings.filter(({ labels }) =>
    Object.entries(where).every(([key, value]) => labels[key] === value),
  );
  return matching.reduce((sum, { value }) => sum + value, 0);
}

function browserDetails(): StatusDetail[] {
  const now = performance.now();
  return rendering
    .get()
    .state.browsers.flatMap(({ pid, renders, startedAt }, index) =>
      grouped(`Browser ${index + 1}`, [
        detail("Serves for", (now - startedAt) / 1_000, "seconds"),
        detail("Renders", renders),
        ...(pid === undefined ? [] : [detail("Memory", treeBytes(pid), "bytes")]),
      ]),
    );
}

/** The browsers that serve, and those that were replaced. */
export async function lookAtWorkers(): Promise<Finding> {
  const { workers: wanted, rendersPerBrowser, workerBytes } = requireRenderConfig();
  const { browsers, failing } = rendering.get().state;
  const serving = browsers.length;
  const untimely = (
    await Promise.all(UNTIMELY.map((reason) => sumOf("platen_browser_restarts_total", { reason })))
  ).reduce((sum, one) => sum + one, 0);
  const details = [
    detail("Browsers at most", wanted),
    detail("Replaced after renders", rendersPerBrowser),
    detail("Memory of one at most", workerBytes, "bytes"),
    detail("Replaced in time", (await sumOf("platen_browser_restarts_total")) - untimely),
    detail("Ended before their time", untimely),
    detail("Failed starts", await sumOf("platen_browser_launch_failures_total")),
    ...browserDetails(),
  ];
  const summary = `${count(serving, "browser")} of ${wanted} ${serving === 1 ? "serves" : "serve"}.`;
  // Browsers start on demand: fewer than allowed is a fault only when others failed to start.
  if (serving > 0 && failing === 0) return { state: "ok", summary, details };
  const remedy = `The server's log says why ${serving > 0 ? "others do not start" : "none starts"}. SERVICE_DATA_DIR must be writable and have room.`;
  return { state: serving > 0 ? "warning" : "error", summary, remedy, details };
}

/** Mean time and count of a stage of rendered pictures. */
async function stage(name: string): Promise<{ meanMs: number; count: number }> {
  const readings = (await readMetric("platen_render_stage_seconds")).filter(({ labels }) => labels.stage === name);
  const read = (part: string) => readings.find((reading) => reading.part === part)?.value ?? 0;
  const rendered = read("count");
  return { meanMs: rendered === 0 ? 0 : (read("sum") / rendered) * 1_000, count: rendered };
}

/** How many renders wait, and how long they waited so far. */
export async function lookAtQueue(): Promise<Finding> {
  const { queueLimit, timeoutMs } = requireRenderConfig();
  const { waiting, placesTaken, rendering: rendered } = rendering.get().state;
  const { meanMs, count: drawn } = await stage("queue");
  const details = [
    detail("Waiting", placesTaken),
    detail("Pictures of the pages that wait", waiting - placesTaken),
    detail("Rendering now", rendered),
    detail("May wait at most", queueLimit),
    detail("Rendered since the start", drawn),
    detail("Mean wait since the start", meanMs, "milliseconds"),
    detail("Refused since the start", await sumOf("platen_refusals_total", { code: "overloaded" })),
    detail("Deadline of a render", timeoutMs, "milliseconds"),
  ];
  const summary =
    placesTaken === 0 ? "No render waits." : `${count(placesTaken, "render")} of at most ${queueLimit} wait.`;
  if (queueLimit === 0 || placesTaken < FULL_SHARE * queueLimit) return { state: "ok", summary, details };
  const remedy =
    "Add cores and raise SERVICE_RENDER_WORKERS to render faster. Raise SERVICE_RENDER_QUEUE to let more renders wait instead of being refused.";
  return { state: "warning", summary, remedy, details };
}

/** The pictures kept for repeated requests, and for the service's own pages. */
export async function lookAtCache(): Promise<Finding> {
  const { cacheBytes } = requireRenderConfig();
  const { pictures, bytes } = rendering.get().pictures.kept;
  const page = displayPictures.get().kept;
  const of = async (outcome: string) => await sumOf("platen_renders_total", { outcome });
  const [hits, joined, drawn] = await Promise.all([of("cache"), of("shared"), of("drawn")]);
  const details = [
    detail("Pictures kept", pictures),
    detail("They take", bytes, "bytes"),
    detail("They may take", cacheBytes, "bytes"),
    detail("Answered from memory", hits),
    detail("Shared with one under way", joined),
    detail("Drawn", drawn),
    ...grouped("Pages", [
      detail("Pictures kept", page.pictures),
      detail("They take in memory", page.memoryBytes, "bytes"),
      detail("They take on disk", page.diskBytes ?? null, "bytes"),
    ]),
  ];
  if (cacheBytes === 0) {
    const remedy = "Set SERVICE_RENDER_CACHE_MB to some megabytes, unless requests never repeat.";
    return { state: "warning", summary: "No picture is kept: every request is rendered.", remedy, details };
  }
  const asked = hits + joined + drawn;
  const share = asked === 0 ? "" : ` ${Math.round(((hits + joined) / asked) * 100)} % of requests needed no render.`;
  return { state: "ok", summary: `${count(pictures, "picture")} kept in memory.${share}`, details };
}
