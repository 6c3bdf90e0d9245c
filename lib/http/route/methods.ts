import { AppError } from "#lib/errors.ts";
import { answer } from "#lib/http/response/answer.ts";
import type { Operation } from "./operation.ts";
import type { Handler } from "./route.ts";

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const;

type Method = (typeof METHODS)[number];

/** All methods that Next dispatches, so that Next never answers one by itself. */
export type Handlers = Record<Method, Handler>;

/** The headers of GET without its body, as RFC 9110 defines HEAD. */
function headOf(get: Handler): Handler {
  return async (request, context) => {
    const { status, headers } = await get(request, context);
    return new Response(null, { status, headers });
  };
}

function refuse(allowed: string[]): Handler {
  const headers = { Allow: allowed.join(", ") };
  const message = `This method is not allowed here, want ${allowed.join(" or ")}.`;
  return (request) => answer(request, () => Promise.reject(new AppError("method_not_allowed", message, { headers })));
}

function everyMethod(handlerOf: (method: Method) => Handler): Handlers {
  return Object.fromEntries(METHODS.map((method) => [method, handlerOf(method)])) as Handlers;
}

/** The handlers of a path without any operation. */
export const nothingHere = everyMethod(
  () => (request) => answer(request, () => Promise.reject(new AppError("not_found", "There is nothing at this path."))),
);

/**
 * The handlers of a route file: its operations, HEAD where there is GET, and 405 with `Allow` for the rest, OPTIONS included.
 * While none of them is served, every method answers 404.
 */
export function methods(...operations: Operation[]): Handlers {
  const present = new Map<Method, Handler>(operations.map(({ method, handler }) => [method, handler]));
  const get = present.get("GET");
  if (get) present.set("HEAD", headOf(get));
  const refusal = refuse(METHODS.filter((method) => present.has(method)));
  return everyMethod((method) => (request, context) => {
    const isServed = operations.some((operation) => operation.isServed());
    const handler = isServed ? (present.get(method) ?? refusal) : nothingHere[method];
    return handler(request, context);
  });
}
