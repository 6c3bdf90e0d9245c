import { expect } from "vitest";
import { STATUS_OF_CODE } from "#lib/errors.ts";
import type { Handler } from "#lib/http/route/route.ts";
import { ErrorAnswer } from "#lib/schemas/error.ts";

type PostOptions = { body?: BodyInit | null; headers?: Record<string, string>; signal?: AbortSignal };

/** A POST of JSON, unless the headers say otherwise; an empty value leaves a header out. */
export function postRequest({ body = "{}", headers = {}, signal }: PostOptions = {}): Request {
  const given = Object.entries({ "content-type": "application/json", ...headers }).filter(([, value]) => value !== "");
  const init = { method: "POST", body, headers: Object.fromEntries(given), duplex: "half", ...(signal && { signal }) };
  const request = new Request("http://localhost/", init as RequestInit);
  // Request adds a type of its own to a string.
  if (headers["content-type"] === "") request.headers.delete("content-type");
  return request;
}

/** Calls a handler as Next does. */
export function ask(handler: Handler, request: Request, params: Record<string, string | string[]> = {}) {
  return handler(request, { params: Promise.resolve(params) });
}

/** The error of an answer, after checking that it is one of the contract's: code, status, shape, request id and headers. */
export async function errorOf(response: Response): Promise<ErrorAnswer["error"]> {
  const text = await response.text();
  const { error } = ErrorAnswer.parse(JSON.parse(text));
  expect(response.status).toBe(STATUS_OF_CODE[error.code]);
  expect(response.headers.get("x-request-id")).toBe(error.requestId);
  expect(response.headers.get("content-length")).toBe(String(Buffer.byteLength(text)));
  expectSafeHeaders(response);
  return error;
}

/** What every answer of a route carries. Nothing may be kept of it, unless it says what. */
export function expectSafeHeaders({ headers }: Response, { cacheControl = "no-store" } = {}): void {
  expect(headers.get("x-request-id")).toMatch(/^[0-9A-HJKMNP-TV-Z]{26}$/);
  expect(headers.get("x-content-type-options")).toBe("nosniff");
  expect(headers.get("referrer-policy")).toBe("no-referrer");
  expect(headers.get("content-security-policy")).toBe("default-src 'none'; frame-ancestors 'none'");
  expect(headers.get("cross-origin-resource-policy")).toBe("same-origin");
  expect(headers.get("cache-control")).toBe(cacheControl);
  expect(headers.has("x-powered-by")).toBe(false);
  expect([...headers.keys()].filter((name) => name.startsWith("access-control-"))).toEqual([]);
}

/** A body that arrives in pieces, without a length; counts how many bytes were taken. */
export function chunkedBody(chunks: Iterable<Uint8Array>): { body: ReadableStream<Uint8Array>; taken: () => number } {
  const iterator = chunks[Symbol.iterator]();
  let bytes = 0;
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const { done, value } = iterator.next();
        if (done) return controller.close();
        bytes += value.length;
        controller.enqueue(value);
      },
    },
    { highWaterMark: 0 },
  );
  return { body, taken: () => bytes };
}
