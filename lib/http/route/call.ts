import type { z } from "zod";
import { AppError, type ErrorCode } from "#lib/errors.ts";
import {
  currentRequestContext,
  newRequestId,
  type RequestContext,
  runInRequestContext,
} from "#lib/http/server/request-context.ts";
import type { ErrorAnswer } from "#lib/schemas/error.ts";
import { inSlices } from "#lib/slices.ts";
import type { Handler } from "./route.ts";

type CallOptions<S extends z.ZodType> = {
  returns: S;
  /** The headers of the page's request, for its credentials. */
  headers?: Headers;
  /** The dynamic segments of the route's path, decoded. */
  params?: Record<string, string | string[]>;
  /** The query; undefined leaves a key out. */
  query?: Record<string, string | undefined>;
};

/** Only the query is read; nothing connects to it. */
const IN_PROCESS_URL = "http://in-process/";

function inProcessUrl(query: NonNullable<CallOptions<z.ZodType>["query"]>): URL {
  const url = new URL(IN_PROCESS_URL);
  for (const [key, value] of Object.entries(query)) if (value !== undefined) url.searchParams.append(key, value);
  return url;
}

/** Checks the JSON of an answer: of a list some items at a time, so that other requests get a turn between them. */
async function checked<S extends z.ZodType>(value: unknown, schema: S): Promise<z.output<S>> {
  if (!Array.isArray(value)) return schema.parse(value);
  const list: unknown[] = [];
  for await (const slice of inSlices(value)) list.push(...(schema.parse(slice) as unknown[]));
  return list as z.output<S>;
}

/** Like {@link call}, with the headers of the answer. */
export async function callWithHeaders<S extends z.ZodType>(
  get: Handler,
  options: CallOptions<S>,
): Promise<{ value: z.output<S>; headers: Headers }> {
  const { returns, headers = new Headers(), params = {}, query = {} } = options;
  const request = new Request(inProcessUrl(query), { headers });
  // The call has its own context, because its response has its own length. The request data are those of the page.
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
  if (response.ok) return { value: await checked(value, returns), headers: response.headers };
  const { code, message, issues } = (value as ErrorAnswer).error;
  const retryAfter = response.headers.get("Retry-After");
  throw new AppError(code as ErrorCode, message, {
    ...(issues && { issues }),
    ...(retryAfter !== null && { headers: { "Retry-After": retryAfter } }),
    cause: inner.thrown,
  });
}

/**
 * Calls a GET handler in process for a page, with the page's credentials and every check of the route.
 * @throws AppError with the code, issues and `Retry-After` of the route's answer; its cause is the error that the route threw
 */
export async function call<S extends z.ZodType>(get: Handler, options: CallOptions<S>): Promise<z.output<S>> {
  return (await callWithHeaders(get, options)).value;
}
