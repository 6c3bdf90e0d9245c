import type { z } from "zod";
import { AppError, type ErrorCode } from "#lib/errors.ts";
import type { Handler } from "#lib/http/route.ts";
import type { ErrorAnswer } from "#lib/schemas/error.ts";

type CallOptions<S extends z.ZodType> = {
  returns: S;
  params?: Record<string, string | string[]>;
  /** The headers of the page's request, for its credentials. */
  headers?: Headers;
};

/** Only a path is ever read of it: no connection is made. */
const IN_PROCESS_URL = "http://in-process/";

/**
 * Asks a GET handler from a page, in process, with the page's own credentials and through every check of the route.
 * @throws AppError with the code that the route answered
 */
export async function call<S extends z.ZodType>(get: Handler, options: CallOptions<S>): Promise<z.output<S>> {
  const { returns, params = {}, headers = new Headers() } = options;
  const response = await get(new Request(IN_PROCESS_URL, { headers }), { params: Promise.resolve(params) });
  const value: unknown = await response.json();
  if (response.ok) return returns.parse(value);
  const { code, message } = (value as ErrorAnswer).error;
  throw new AppError(code as ErrorCode, message);
}
