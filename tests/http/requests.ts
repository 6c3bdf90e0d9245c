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
  // Request adds a content type to a string.
  if (headers["content-type"] === "") request.headers.delete("content-type");
  return request;
}

/** Calls a handler as Next does. */
export function ask(handler: Handler, request: Request, params: Record<string, string | string[]> = {}) {
  return handler(request, { params: Promise.resolve(params) });
}

/** The error of a response, after checking it against the contract: code, status, shape, request id and headers. */
export async function errorOf(response: Response): Promise<ErrorAnswer["error"]> {
  const text = await response.text();
  const { error } = ErrorAnswer.parse(JSON.parse(text));
  expect(response.status).toBe(STATUS_OF_CODE[error.code]);
  expect(response.headers.get("x-request-id")).toBe(error.requestId);
  expect(response.headers.get("content-length")).toBe(String(Buffer.byteLength(text)));
  expectSafeHeaders(response);
  return error;
}

/** Checks the headers that every response of a route has. It is not cacheable and only for own pages unless the options say so. */
export function expectSafeHeaders(
  { headers }: Response,
  { cacheControl = "no-store", shownBy = "same-origin" } = {},
): void {
  expect(headers.get("x-request-id")).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(headers.get("x-content-type-options")).toBe("nosniff");
  expect(headers.get("referrer-policy")).toBe("no-referrer");
  expect(headers.get("x-robots-tag")).toBe("noindex");
  expect(headers.get("content-security-policy")).toBe("default-src 'none'; frame-ancestors 'none'");
  expect(headers.get("cross-origin-resource-policy")).toBe(shownBy);
  expect(headers.get("cache-control")).toBe(cacheControl);
  expect(headers.has("x-powered-by")).toBe(false);
  expect([...headers.keys()].filter((name) => name.startsWith("access-control-"))).toEqual([]);
}

/** A body of chunks without a length. `taken` counts the bytes that were read. */
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
