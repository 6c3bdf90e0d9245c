import { AsyncLocalStorage } from "node:async_hooks";
import { randomFillSync } from "node:crypto";
import { v7 as uuidv7 } from "uuid";
import type { AppError } from "#lib/errors.ts";
import { processState } from "#lib/process-state.ts";

/** A request as it was received, before Next adds forwarding headers of its own. */
export type ReceivedRequest = {
  headers: Headers;
  /** The path and query of the request line, undecoded. Absent under another server than `npm start`. */
  target?: string;
  /** The remote address of the connection, which may be a proxy's. Absent under another server than `npm start`. */
  address?: string;
  /** Whether the connection itself uses TLS. */
  encrypted: boolean;
};

/** State of one request that the server and the route share. */
export type RequestContext = {
  requestId: string;
  /** The method that the client sent. Next gets OPTIONS for methods that it does not know. */
  method: string;
  /** The path without its query, redacted for the log. */
  path?: string;
  received?: ReceivedRequest;
  /** Present in calls from a page to a route, which are not requests: the page's request is logged and counted. */
  inner?: {
    /** The original error of the route. */
    thrown?: unknown;
  };
  /** The error that the page shows. The server responds with its status and headers. */
  pageError?: AppError;
  /** Sends `100 Continue`. Absent unless the client waits for that (`Expect: 100-continue`). */
  sendContinue?: () => void;
  /**
   * Waits for another turn, after the body has arrived. Absent if it was there when the request began, and under another server.
   * Returns false when the client has disconnected meanwhile. @throws AppError `overloaded`
   */
  turnAfterBody?: () => Promise<boolean>;
  /** The nonce of the page's scripts; absent for routes. */
  nonce?: string;
  /** In bytes, set by the route. Next drops the `Content-Length` of a route's `Response`; the server restores it. */
  contentLength?: number | undefined;
  /** Sets the bytes that the server sends as the response's body. Absent under another server. See {@link bytesResponse}. */
  sendBytes?: (bytes: Uint8Array | undefined) => void;
};

const storage = processState("request-context", () => new AsyncLocalStorage<RequestContext>());

const ID_BYTES = 16;

/** Random bytes for the next ids. To ask the system for those of each id takes a twentieth of the time of a kept picture. */
const pool = Buffer.alloc(256 * ID_BYTES);
let used = pool.length;

function nextRandomBytes(): Uint8Array {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += ID_BYTES;
  return pool.subarray(used - ID_BYTES, used);
}

/** A UUIDv7, which sorts by time. It names a request in its response and in the log. */
export function newRequestId(): string {
  return uuidv7({ random: nextRandomBytes() });
}

/** Runs the handling of one request so that {@link currentRequestContext} finds its context. */
export function runInRequestContext<T>(context: RequestContext, act: () => T): T {
  return storage.get().run(context, act);
}

/** The context of the running request. Absent under another server than `npm start`, and outside of requests. */
export function currentRequestContext(): RequestContext | undefined {
  return storage.get().getStore();
}

/** The request as it was received. Under another server than `npm start`, it is built from Next's request. */
export function receivedRequest(request: Request): ReceivedRequest {
  const received = currentRequestContext()?.received;
  return received ?? { headers: request.headers, encrypted: new URL(request.url).protocol === "https:" };
}

/** The path and query that a request names, undecoded, with the question mark of an empty query. */
export function requestTarget(request: Request): string {
  return currentRequestContext()?.received?.target ?? request.url.replace(/^https?:\/\/[^/?#]*/i, "");
}
