import type { z } from "zod";
import { AppError, type ErrorCode } from "#lib/errors.ts";
import {
  currentRequestContext,
  newRequestId,
  type RequestContext,
  runInRequestContext,
} from "#lib/http/server/request-context.ts";
import type { ErrorAnswer } from "#lib/schemas/error.ts";
import type { Handler } from "./route.ts";

type CallOptions<S extends z.ZodType> = {
  returns: S;
  /** The headers of the page's request, for its credentials. */
  headers?: Headers;
  /** The dynamic segments of the route's path, decoded. */
  params?: Record<string, string | string[]>;
  /** What the query string holds; undefined leaves a key out. */
  query?: Record<string, string | undefined>;
};

/** Only a path is ever read of it: no connection is made. */
const IN_PROCESS_URL = "http://in-process/";

function inProcessUrl(query: NonNullable<CallOptions<z.ZodType>["query"]>): URL {
  const url = new URL(IN_PROCESS_URL);
  for (const [key, value] of Object.entries(query)) if (value !== undefined) url.searchParams.append(key, value);
  return url;
}

/** Like {@link call}, with the headers of the answer: a list says in one of them how much of it there is. */
export async function callWithHeaders<S extends z.ZodType>(
  get: Handler,
  options: CallOptions<S>,
): Promise<{ value: z.output<S>; headers: Headers }> {
  const { returns, headers = new Headers(), params = {}, query = {} } = options;
  const request = new Request(inProcessUrl(query), { headers });
  // An context of its own: the length of this answer is not that of the page. It came in as the page did.
  const { requestId = newRequestId(), path, received } = currentRequestContext() ?? {};
  const inner: RequestContext["inner"] = {};
  const context: RequestContext = {
    requestId,
    method: request.method,
    inner,
    ...(path && { path }),
    ...(received && { received }),
  };
  const response = await runInRequestContext(context, () => get(request, { params: Promise.resolve(params) }));
  const value: unknown = await response.json();
  if (response.ok) return { value: returns.parse(value), headers: response.headers };
  const { code, message, issues } = (value as ErrorAnswer).error;
  const retryAfter = response.headers.get("Retry-After");
  throw new AppError(code as ErrorCode, message, {
    ...(issues && { issues }),
    ...(retryAfter !== null && { headers: { "Retry-After": retryAfter } }),
    cause: inner.thrown,
  });
}

/**
 * Asks a GET handler from a page, in process, with the page's own credentials and through every check of the route.
 * @throws AppError with the code, the issues and the `Retry-After` that the route answered, and for the log what it has thrown as its cause
 */
export async function call<S extends z.ZodType>(get: Handler, options: CallOptions<S>): Promise<z.output<S>> {
  return (await callWithHeaders(get, options)).value;
}
