import { performance } from "node:perf_hooks";
import { AppError, type ErrorCode } from "#lib/errors.ts";
import { currentExchange } from "#lib/http/exchange.ts";
import { loggedPath } from "#lib/http/logged-path.ts";
import { noteRefusal } from "#lib/http/metrics.ts";
import { newRequestId } from "#lib/http/request-id.ts";
import { log } from "#lib/log.ts";
import type { ErrorAnswer } from "#lib/schemas/error.ts";

/** On every answer that is not a page: nothing of ours is a document, a frame or somebody else's resource. What a browser may keep says so itself. */
export const ANSWER_HEADERS: Record<string, string> = {
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
  "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Cache-Control": "no-store",
};

const INTERNAL = new AppError("internal", "Something went wrong on our side. The request id finds it in the log.");
const MISCONFIGURED = new AppError("misconfigured", "The service's configuration is faulty; its log says how.");

/** What a client may know of a thrown value. */
export function publicError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  return error instanceof Error && error.name === "ConfigError" ? MISCONFIGURED : INTERNAL;
}

/** The body of an error. */
export function errorBody(error: AppError, requestId: string): ErrorAnswer {
  const { code, message, issues } = error;
  return { error: { code, message, requestId, ...(issues.length > 0 && { issues }) } };
}

type JsonOptions = { value: unknown; status: number; headers?: Record<string, string> };

/** JSON with the length that it has. */
export function jsonResponse({ value, status, headers = {} }: JsonOptions): Response {
  const text = JSON.stringify(value);
  return new Response(text, {
    status,
    headers: {
      ...headers,
      "Content-Type": "application/json; charset=utf-8",
      "Content-Length": String(Buffer.byteLength(text)),
    },
  });
}

type BytesOptions = { bytes: Buffer; headers: Record<string, string> };

/**
 * Bytes with the length that they have. Our own server sends them itself: on their way through a `Response` and Next they
 * would be copied twice, and large copies are what makes the garbage collector run.
 */
export function bytesResponse({ bytes, headers }: BytesOptions): Response {
  const options = { headers: { ...headers, "Content-Length": String(bytes.length) } };
  const send = currentExchange()?.sendBytes;
  if (!send) return new Response(new Uint8Array(bytes.buffer as ArrayBuffer, bytes.byteOffset, bytes.length), options);
  send(bytes);
  return new Response(null, options);
}

function errorResponse(error: AppError, requestId: string): Response {
  return jsonResponse({ value: errorBody(error, requestId), status: error.status, headers: error.headers });
}

/** What a request's one line in the log says beside the usual: names, ids and numbers, never what a client has sent. */
export type Facts = Record<string, string | number>;

type LogOptions = {
  request: Request;
  response: Response;
  requestId: string;
  startedAt: number;
  facts: Facts;
  failure?: Failure;
};

type Failure = { code: ErrorCode; error: unknown };

/** Only these are logged with a stack. Any other refusal is the service at work: its reason says all, and there may be a flood of them. */
const BUGS: ErrorCode[] = ["internal", "render_failed"];

/** Refused with a sentence that says nothing, while the operator has to find out what a proxy does wrong. */
const GENERIC: ErrorCode[] = ["origin_mismatch"];

/** For the operator, and so with what a bad variable or header holds. */
function reasonOf({ code, error }: Failure): string {
  const told = GENERIC.includes(code) && error instanceof Error ? error.cause : error;
  return told instanceof Error ? told.message : String(told);
}

function logAnswer({ request, response, requestId, startedAt, facts, failure }: LogOptions): void {
  const line = {
    requestId,
    method: currentExchange()?.method ?? request.method,
    path: loggedPath(new URL(request.url).pathname),
    status: response.status,
    ms: Math.round(performance.now() - startedAt),
    ...(failure && { code: failure.code }),
    ...facts,
  };
  // Nobody reads this answer, and its reason is no fault of ours.
  if (request.signal.aborted) log().info({ ...line, status: undefined, code: undefined }, "the client went away");
  else if (failure && BUGS.includes(failure.code)) log().error({ ...line, err: failure.error }, "failed");
  else if (failure && response.status >= 500) log().warn({ ...line, reason: reasonOf(failure) }, "refused");
  else if (failure && GENERIC.includes(failure.code)) log().info({ ...line, reason: reasonOf(failure) }, "refused");
  else log().info(line, "answered");
}

/**
 * Runs what makes an answer, turns what it throws into one, and completes either. The only edge between the domain and HTTP.
 * @param facts what is known when the answer is given is logged with it
 */
export async function answer(request: Request, act: () => Promise<Response>, facts: Facts = {}): Promise<Response> {
  const exchange = currentExchange();
  const requestId = exchange?.requestId ?? newRequestId();
  const startedAt = performance.now();
  let failure: Failure | undefined;
  const response = await act().catch((error: unknown) => {
    const known = publicError(error);
    failure = { code: known.code, error };
    noteRefusal(known.code);
    exchange?.sendBytes?.(undefined);
    return errorResponse(known, requestId);
  });
  const isKept = response.headers.has("Cache-Control");
  for (const [name, value] of Object.entries(ANSWER_HEADERS))
    if (name !== "Cache-Control" || !isKept) response.headers.set(name, value);
  response.headers.set("X-Request-Id", requestId);
  const length = response.headers.get("Content-Length");
  if (exchange && length !== null) exchange.contentLength = Number(length);
  logAnswer({ request, response, requestId, startedAt, facts, ...(failure && { failure }) });
  return response;
}
