import { performance } from "node:perf_hooks";
import type { z } from "zod";
import { ConfigError } from "#lib/environment/config-error.ts";
import { AppError } from "#lib/errors.ts";
import { currentRequestContext, newRequestId } from "#lib/http/server/request-context.ts";
import { type Facts, type Failure, isBug, loggedPath, logRequest } from "#lib/http/server/request-log.ts";
import { noteRefusal } from "#lib/http/server/request-metrics.ts";
import { log } from "#lib/log.ts";
import type { ErrorAnswer } from "#lib/schemas/error.ts";
import { inSlices } from "#lib/slices.ts";

/** Headers of every response that is not a page: not a document, not framed, not embedded by other sites, not indexed, not cached unless it says so. */
export const ANSWER_HEADERS: Record<string, string> = {
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
  "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
  "Cross-Origin-Resource-Policy": "same-origin",
  "X-Robots-Tag": "noindex",
  "Cache-Control": "no-store",
};

/** The headers among them that a route may set otherwise. */
const CHOSEN_BY_ROUTES = ["Cache-Control", "Cross-Origin-Resource-Policy"];

const INTERNAL = new AppError("internal", "The service failed. Search its log for the request id.");
const MISCONFIGURED = new AppError("misconfigured", "The service is misconfigured. Its log says how.");

/** The error that a client may see for a thrown value. */
export function publicError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  return error instanceof ConfigError ? MISCONFIGURED : INTERNAL;
}

/** The JSON body of an error response. */
export function errorBody(error: AppError, requestId: string): ErrorAnswer {
  const { code, message, issues } = error;
  return { error: { code, message, requestId, ...(issues.length > 0 && { issues }) } };
}

const JSON_TYPE = "application/json; charset=utf-8";

type JsonOptions = { value: unknown; status: number; headers?: Record<string, string> };

export function jsonResponse({ value, status, headers = {} }: JsonOptions): Response {
  const text = JSON.stringify(value);
  return new Response(text, {
    status,
    headers: {
      ...headers,
      "Content-Type": JSON_TYPE,
      "Content-Length": String(Buffer.byteLength(text)),
    },
  });
}

type BytesOptions = { bytes: Buffer; headers: Record<string, string>; status?: number };

/**
 * A response of bytes. `npm start` sends them without a copy. Through a `Response` and Next they are copied twice, and large
 * copies make the garbage collector run.
 */
export function bytesResponse({ bytes, headers, status = 200 }: BytesOptions): Response {
  const options = { status, headers: { ...headers, "Content-Length": String(bytes.length) } };
  const send = currentRequestContext()?.sendBytes;
  if (!send) return new Response(new Uint8Array(bytes.buffer as ArrayBuffer, bytes.byteOffset, bytes.length), options);
  send(bytes);
  return new Response(null, options);
}

type ListOptions = {
  list: unknown[];
  /** Of the whole list. It checks items alone, because it gets some of them at a time. */
  schema: z.ZodType;
  status: number;
};

/** A response of a list of any length. It is checked and written in slices, between which other requests get a turn. */
export async function jsonListResponse({ list, schema, status }: ListOptions): Promise<Response> {
  const parts: Buffer[] = [];
  for await (const slice of inSlices(list)) {
    const text = JSON.stringify(schema.parse(slice));
    parts.push(Buffer.from(`${parts.length > 0 ? "," : ""}${text.slice(1, -1)}`));
  }
  const bytes = Buffer.concat([Buffer.from("["), ...parts, Buffer.from("]")]);
  return bytesResponse({ bytes, headers: { "Content-Type": JSON_TYPE }, status });
}

type StreamOptions = { parts: AsyncIterator<string>; headers: Record<string, string> };

function logBreakingOff(requestId: string | undefined, error: unknown): void {
  const { code, message } = publicError(error);
  if (isBug({ code, error })) log().error({ requestId, code, err: error }, "a response broke off");
  else log().warn({ requestId, code, reason: message }, "a response broke off");
}

/**
 * A response that is sent while it is made, at the pace of the client. If making a part fails, the connection is cut, so that the
 * client does not take what it has for the whole.
 */
export function streamedResponse({ parts, headers }: StreamOptions): Response {
  const encoder = new TextEncoder();
  const requestId = currentRequestContext()?.requestId;
  let isCancelled = false;
  const source: UnderlyingDefaultSource<Uint8Array> = {
    async pull(controller) {
      try {
        const { done, value } = await parts.next();
        // The client has left meanwhile. The stream is closed then.
        if (isCancelled) return;
        if (done) controller.close();
        else controller.enqueue(encoder.encode(value));
      } catch (error) {
        if (isCancelled) return;
        logBreakingOff(requestId, error);
        // Next cuts the connection for any error, and prints the stack of all but this one.
        controller.error(new DOMException("The response broke off.", "AbortError"));
      }
    },
    async cancel() {
      isCancelled = true;
      await parts.return?.();
    },
  };
  // Nothing is made before it is read.
  return new Response(new ReadableStream(source, { highWaterMark: 0 }), { headers });
}

type Text = { text: string; contentType: "text/markdown" | "text/plain" };

export function textResponse({ text, contentType }: Text): Response {
  return bytesResponse({ bytes: Buffer.from(text), headers: { "Content-Type": `${contentType}; charset=utf-8` } });
}

function errorResponse(error: AppError, requestId: string): Response {
  return jsonResponse({ value: errorBody(error, requestId), status: error.status, headers: error.headers });
}

type Done = { request: Request; response: Response; requestId: string; startedAt: number; facts: Facts };

function logDone({ request, response, requestId, startedAt, facts }: Done, failure?: Failure): void {
  const context = currentRequestContext();
  // A page logs its own request. Its calls are logged only for a bug, because the page may still succeed.
  if (context?.inner && !(failure && isBug(failure))) return;
  const line = {
    requestId,
    method: context?.method ?? request.method,
    path: context?.path ?? loggedPath(new URL(request.url).pathname),
    status: response.status,
    ms: Math.round(performance.now() - startedAt),
    ...facts,
  };
  // The client is gone, so no response is sent. The error may be nothing but the abort.
  if (request.signal.aborted) log().info({ ...line, status: undefined }, "the client disconnected");
  else logRequest(line, failure);
}

/**
 * Runs a handler, turns what it throws into an error response, completes the headers, and logs the request. This is the only
 * place where errors of the domain become HTTP.
 * @param facts extra fields of the log line, read when the response is ready
 */
export async function answer(request: Request, act: () => Promise<Response>, facts: Facts = {}): Promise<Response> {
  const context = currentRequestContext();
  const requestId = context?.requestId ?? newRequestId();
  const startedAt = performance.now();
  let failure: Failure | undefined;
  const response = await act().catch((error: unknown) => {
    const shown = publicError(error);
    failure = { code: shown.code, error };
    if (context?.inner) context.inner.thrown = error;
    // Client disconnects are not counted as refusals.
    else if (!request.signal.aborted) noteRefusal(shown.code);
    context?.sendBytes?.(undefined);
    return errorResponse(shown, requestId);
  });
  for (const [name, value] of Object.entries(ANSWER_HEADERS))
    if (!CHOSEN_BY_ROUTES.includes(name) || !response.headers.has(name)) response.headers.set(name, value);
  response.headers.set("X-Request-Id", requestId);
  const length = response.headers.get("Content-Length");
  if (context && length !== null) context.contentLength = Number(length);
  logDone({ request, response, requestId, startedAt, facts }, failure);
  return response;
}
