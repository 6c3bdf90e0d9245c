import { performance } from "node:perf_hooks";
import { AppError } from "#lib/errors.ts";
import { type Facts, type Failure, isBug, logAnswer } from "#lib/http/server/log-answer.ts";
import { loggedPath } from "#lib/http/server/logged-path.ts";
import { currentRequestContext } from "#lib/http/server/request-context.ts";
import { newRequestId } from "#lib/http/server/request-id.ts";
import { noteRefusal } from "#lib/http/server/request-metrics.ts";
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
  const send = currentRequestContext()?.sendBytes;
  if (!send) return new Response(new Uint8Array(bytes.buffer as ArrayBuffer, bytes.byteOffset, bytes.length), options);
  send(bytes);
  return new Response(null, options);
}

function errorResponse(error: AppError, requestId: string): Response {
  return jsonResponse({ value: errorBody(error, requestId), status: error.status, headers: error.headers });
}

type Done = { request: Request; response: Response; requestId: string; startedAt: number; facts: Facts };

function noteAnswer({ request, response, requestId, startedAt, facts }: Done, failure?: Failure): void {
  const context = currentRequestContext();
  // Of a call from inside only what went wrong in it is worth a line: who asked may have an answer all the same.
  if (context?.inner && !(failure && isBug(failure))) return;
  const line = {
    requestId,
    method: context?.method ?? request.method,
    path: context?.path ?? loggedPath(new URL(request.url).pathname),
    status: response.status,
    ms: Math.round(performance.now() - startedAt),
    ...facts,
  };
  // Nobody reads this answer, and its reason is no fault of ours.
  if (request.signal.aborted) log().info({ ...line, status: undefined }, "the client went away");
  else logAnswer(line, failure);
}

/**
 * Runs what makes an answer, turns what it throws into one, and completes either. The only edge between the domain and HTTP.
 * @param facts what is known when the answer is given is logged with it
 */
export async function answer(request: Request, act: () => Promise<Response>, facts: Facts = {}): Promise<Response> {
  const context = currentRequestContext();
  const requestId = context?.requestId ?? newRequestId();
  const startedAt = performance.now();
  let failure: Failure | undefined;
  const response = await act().catch((error: unknown) => {
    const known = publicError(error);
    failure = { code: known.code, error };
    if (context?.inner) context.inner.thrown = error;
    // Who has gone is not refused, and whoever watches for errors of ours is not to hear of them.
    else if (!request.signal.aborted) noteRefusal(known.code);
    context?.sendBytes?.(undefined);
    return errorResponse(known, requestId);
  });
  const isKept = response.headers.has("Cache-Control");
  for (const [name, value] of Object.entries(ANSWER_HEADERS))
    if (name !== "Cache-Control" || !isKept) response.headers.set(name, value);
  response.headers.set("X-Request-Id", requestId);
  const length = response.headers.get("Content-Length");
  if (context && length !== null) context.contentLength = Number(length);
  noteAnswer({ request, response, requestId, startedAt, facts }, failure);
  return response;
}
