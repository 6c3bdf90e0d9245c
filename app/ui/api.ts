import { ApiFailure, failureOf, networkFailure } from "./api-failure.ts";
import { loginPath } from "./local-path.ts";

export type Method = "GET" | "POST" | "PATCH" | "DELETE";

type SendOptions = {
  signal?: AbortSignal | undefined;
  /** The caller says itself what it means that nobody is signed in. */
  staysOn401?: boolean;
};

const LOGIN = "/api/service/login";

/** The only `fetch` of the pages. @throws ApiFailure, and the signal's own reason where that has aborted */
async function ask(path: string, init: RequestInit, staysOn401 = false): Promise<Response> {
  const response = await fetch(path, init).catch((error: unknown) => {
    throw init.signal?.aborted ? error : networkFailure(error);
  });
  if (response.ok) return response;
  // The session has ended since the page was made; a wrong password is for the form to say.
  if (response.status === 401 && !staysOn401) {
    window.location.assign(loginPath(window.location.pathname + window.location.search));
  }
  throw await failureOf(response);
}

function jsonInit(method: Method, body: unknown, signal: AbortSignal | undefined): RequestInit {
  return {
    method,
    cache: "no-store",
    ...(body !== undefined && { body: JSON.stringify(body), headers: { "Content-Type": "application/json" } }),
    ...(signal && { signal }),
  };
}

/**
 * Sends one request to a JSON route of this service, such as `send<User>("PATCH", "/api/service/account", { name })`.
 * `T` is what the route declares as `returns`, which the server has held its answer to.
 * @throws ApiFailure, and the signal's own reason where that has aborted
 */
export async function send<T>(method: Method, path: string, body?: unknown, options: SendOptions = {}): Promise<T> {
  const { signal, staysOn401 = path === LOGIN } = options;
  const response = await ask(path, jsonInit(method, body, signal), staysOn401);
  try {
    return (await response.json()) as T;
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new ApiFailure({ status: response.status, code: "unexpected", message: "Got an answer that is not JSON." });
  }
}

export type RenderCall = { template: string; variant?: string; data?: Record<string, unknown> };

export type Rendered = {
  png: Blob;
  /** From the sending to the last byte, in milliseconds. */
  ms: number;
  /** Of the answer, for `X-Render-Warnings`, `Server-Timing`, `ETag` and the like. */
  headers: Headers;
};

/** Renders one picture. @throws ApiFailure, and the signal's own reason where that has aborted */
export async function renderPng(call: RenderCall, { signal }: SendOptions = {}): Promise<Rendered> {
  const startedAt = performance.now();
  const response = await ask("/api/service/images/render", jsonInit("POST", call, signal));
  const png = await response.blob().catch((error: unknown) => {
    throw signal?.aborted ? error : networkFailure(error);
  });
  return { png, ms: performance.now() - startedAt, headers: response.headers };
}
