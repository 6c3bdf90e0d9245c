import type { IncomingMessage, ServerResponse } from "node:http";
import { runInTrace, startRequestSpan, type TraceParent } from "#lib/tracing.ts";
import type { RequestContext } from "./request-context.ts";
import { routeOf } from "./request-metrics.ts";

/** @see https://www.w3.org/TR/trace-context/#traceparent-header */
const VERSION_0 = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

/** Later versions begin as this one does. Version ff does not exist. */
const LATER_VERSION = /^(?!00|ff)[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:-.*)?$/;

/** Reads the header `traceparent`. Undefined for one that is not valid. */
export function readTraceParent(header: string | undefined): TraceParent | undefined {
  const [, traceId = "", spanId = "", flags = ""] =
    VERSION_0.exec(header ?? "") ?? LATER_VERSION.exec(header ?? "") ?? [];
  if (/^0*$/.test(traceId) || /^0*$/.test(spanId)) return undefined;
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) };
}

type Exchange = { request: IncomingMessage; response: ServerResponse; context: RequestContext };

/** Handles a request in the trace of its caller. Its log lines have the trace's id, also while tracing is off. */
export function traceRequest<T>({ request, response, context }: Exchange, act: () => T): T {
  const header = request.headers.traceparent;
  const parent = readTraceParent(Array.isArray(header) ? undefined : header);
  const route = routeOf(request.url ?? "");
  const span = startRequestSpan(`${context.method} ${route}`, {
    parent,
    attributes: {
      "http.request.method": context.method,
      "http.route": route,
      "url.path": context.path ?? "",
      "platen.request_id": context.requestId,
    },
  });
  if (!span) return parent ? runInTrace({ traceId: parent.traceId }, act) : act();
  response.once("close", () => {
    const status = response.statusCode;
    const error = status >= 500 ? new Error(`Answered with ${status}.`) : undefined;
    span.end({
      attributes: { "http.response.status_code": status, "platen.aborted": !response.writableFinished },
      error,
    });
  });
  return runInTrace({ traceId: span.traceId, span }, act);
}
