import type { IncomingMessage, ServerResponse } from "node:http";
import { type ErrorCode, STATUS_OF_CODE } from "#lib/errors.ts";
import { counter, histogram, readMetrics } from "#lib/metrics.ts";

/** In seconds: a probe takes 1 ms, a render up to its deadline of 30 s. */
const DURATION_BUCKETS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

type CountedPath = { route: string; matches: RegExp };

/** Set once at start, so that requests are counted under these names and no others. */
let countedPaths: CountedPath[] = [];

/** `{slug}`, `{other}` and `{file}` may span several segments, other parameters one. `{page}` and the slash before it may be missing. */
function toPattern(path: string): RegExp {
  const pattern = path
    .replaceAll(".", "\\.")
    .replace("{page}", "(?:/.+)?")
    .replace(/\{(?:slug|other|file)\}/, ".+")
    .replaceAll(/\{\w+\}/g, "[^/]+");
  return new RegExp(`^${pattern}/?$`);
}

/** Sets the paths that requests are counted under, with parameters as `{id}`. A path without parameters comes before one with. */
export function countUnder(paths: readonly string[]): void {
  const hasParameters = (path: string) => Number(path.includes("{"));
  const sorted = paths.toSorted((a, b) => hasParameters(a) - hasParameters(b) || b.length - a.length);
  countedPaths = sorted.map((route) => ({ route, matches: toPattern(route) }));
}

/** The label of all other paths: pages, and requests for pages that do not exist. */
const PAGE = "page";

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

const requests = counter({
  name: "platen_http_requests_total",
  help: "Requests by route, method, and class of the answer's status; aborted where the client did not wait for it.",
  labels: ["route", "method", "status"],
});

const duration = histogram({
  name: "platen_http_request_duration_seconds",
  help: "From the head of a request to the last byte of its answer.",
  labels: ["route"],
  buckets: DURATION_BUCKETS,
});

const refusals = counter({
  name: "platen_refusals_total",
  help: "Requests that were answered with an error, by its code.",
  labels: ["code"],
  zeros: Object.keys(STATUS_OF_CODE).map((code) => ({ code })),
});

/** The name that a path is counted under: one of {@link countUnder}, or `page`. */
export function routeOf(path: string): string {
  const [pathname = ""] = path.split("?");
  return countedPaths.find(({ matches }) => matches.test(pathname))?.route ?? PAGE;
}

/** Counts a request once its response is sent or its connection is closed. */
export function noteRequest({ url = "", method = "" }: IncomingMessage, response: ServerResponse): void {
  const startedAt = performance.now();
  const route = routeOf(url);
  response.once("close", () => {
    const status = response.writableFinished ? `${Math.floor(response.statusCode / 100)}xx` : "aborted";
    requests.inc({ route, method: METHODS.includes(method) ? method : "other", status });
    duration.observe({ route }, (performance.now() - startedAt) / 1_000);
  });
}

/** Counts an error response. */
export function noteRefusal(code: ErrorCode): void {
  refusals.inc({ code });
}

/** All metrics of the process, as Prometheus reads them. */
export async function metricsResponse(): Promise<Response> {
  const { text, contentType } = await readMetrics();
  const headers = { "Content-Type": contentType, "Content-Length": String(Buffer.byteLength(text)) };
  return new Response(text, { headers });
}
