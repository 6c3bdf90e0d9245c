import { ulid } from "ulid";
import type { z } from "zod";
import { AppError, type ErrorCode } from "#lib/errors.ts";
import { currentExchange, withExchange } from "#lib/http/exchange.ts";
import type { Handler } from "#lib/http/route.ts";
import type { ErrorAnswer } from "#lib/schemas/error.ts";

type CallOptions<S extends z.ZodType> = {
  returns: S;
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
  const { returns, headers = new Headers() } = options;
  const request = new Request(IN_PROCESS_URL, { headers });
  // An exchange of its own: the length of this answer is not that of the page. It came in as the page did.
  const { requestId = ulid(), arrival } = currentExchange() ?? {};
  const exchange = { requestId, method: request.method, ...(arrival && { arrival }) };
  const response = await withExchange(exchange, () => get(request, { params: Promise.resolve({}) }));
  const value: unknown = await response.json();
  if (response.ok) return returns.parse(value);
  const { code, message } = (value as ErrorAnswer).error;
  throw new AppError(code as ErrorCode, message);
}
