import { loginPath } from "../page/local-path.ts";
import { ApiFailure, networkFailure, readFailure } from "./api-failure.ts";

export type Method = "GET" | "POST" | "PATCH" | "DELETE";

type SendOptions = {
  signal?: AbortSignal | undefined;
  /** A 401 is thrown to the caller, and does not lead to the sign-in page. */
  staysOn401?: boolean;
};

const LOGIN = "/api/service/login";

/** The event of the window before a page is left for the sign-in page, which leads back to the address that it then has. */
export const BEFORE_SIGN_IN = "platen:before-sign-in";

/** The id of the user whom the header names. The page keeps it while another user signs in with the same browser, in another tab. */
export function pageUser(): string | undefined {
  return document.querySelector<HTMLElement>("[data-user]")?.dataset.user;
}

/** The only `fetch` of the pages. @throws ApiFailure, or the reason of the signal when that has aborted */
async function request(path: string, init: RequestInit, staysOn401 = false): Promise<Response> {
  const response = await fetch(path, init).catch((error: unknown) => {
    throw init.signal?.aborted ? error : networkFailure(error);
  });
  if (response.ok) return response;
  // The session has ended since the page was rendered, or is another user's. A signed-in user is led back, to a page of their own.
  if (response.status === 401 && !staysOn401) {
    window.dispatchEvent(new Event(BEFORE_SIGN_IN));
    window.location.assign(loginPath(window.location.pathname + window.location.search));
  }
  throw await readFailure(response);
}

/** A response of something before the service, such as the sign-in page of a proxy, which has the status 200. */
function notOurs({ status }: Response, wanted: string): ApiFailure {
  return new ApiFailure({ status, code: "unexpected", message: `Got a response that is not ${wanted}. Try again.` });
}

function jsonInit(method: Method, body: unknown, signal: AbortSignal | undefined): RequestInit {
  const user = pageUser();
  return {
    method,
    cache: "no-store",
    ...(body !== undefined && { body: JSON.stringify(body) }),
    // The server compares it with the session, so that nothing is saved for another user.
    headers: {
      ...(user !== undefined && { "X-Page-User": user }),
      ...(body !== undefined && { "Content-Type": "application/json" }),
    },
    ...(signal && { signal }),
  };
}

/**
 * Sends a request to a JSON route of this service, such as `send<User>("PATCH", "/api/service/account", { name })`.
 * `T` is the type that the route declares as `returns`; the server has validated its response against it.
 * @throws ApiFailure, or the reason of the signal when that has aborted
 */
export async function send<T>(method: Method, path: string, body?: unknown, options: SendOptions = {}): Promise<T> {
  const { signal, staysOn401 = path === LOGIN } = options;
  const response = await request(path, jsonInit(method, body, signal), staysOn401);
  try {
    return (await response.json()) as T;
  } catch (error) {
    if (signal?.aborted) throw error;
    throw notOurs(response, "JSON");
  }
}

export type RenderCall = { template: string; variant?: string; data?: Record<string, unknown> };

export type Rendered = {
  png: Blob;
  /** From the request to the last byte of the response, in milliseconds. */
  ms: number;
  /** The response headers, such as `X-Render-Warnings` and `Server-Timing`. */
  headers: Headers;
};

/** Renders one picture. @throws ApiFailure, or the reason of the signal when that has aborted */
export async function renderPng(call: RenderCall, { signal }: SendOptions = {}): Promise<Rendered> {
  const startedAt = performance.now();
  const response = await request("/api/service/images/render", jsonInit("POST", call, signal));
  if (!response.headers.get("content-type")?.startsWith("image/")) throw notOurs(response, "a picture");
  const png = await response.blob().catch((error: unknown) => {
    throw signal?.aborted ? error : networkFailure(error);
  });
  return { png, ms: performance.now() - startedAt, headers: response.headers };
}
