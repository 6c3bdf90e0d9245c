import { accessEnabled } from "#lib/config.ts";
import { AppError } from "#lib/errors.ts";
import { requireOwnHost } from "#lib/http/identity/host.ts";
import { answer } from "#lib/http/response/answer.ts";
import { currentRequestContext, receivedRequest } from "#lib/http/server/request-context.ts";
import type { Operation } from "./operation.ts";
import { NOTHING_HERE } from "./path.ts";
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
  return (request) => {
    // Next gets OPTIONS for methods that it does not know.
    const method = currentRequestContext()?.method ?? request.method;
    const message = `Got the method ${method}, want ${allowed.join(" or ")}.`;
    return answer(request, () => Promise.reject(new AppError("method_not_allowed", message, { headers })));
  };
}

function everyMethod(handlerOf: (method: Method) => Handler): Handlers {
  return Object.fromEntries(METHODS.map((method) => [method, handlerOf(method)])) as Handlers;
}

/** The handlers of a path without any operation. */
export const nothingHere = everyMethod(
  () => (request) => answer(request, () => Promise.reject(new AppError("not_found", NOTHING_HERE))),
);

/** Checks the host, as the operations of a path want it, before anything else. */
function withHostCheck(handler: Handler, operations: Operation[]): Handler {
  return async (request, context) => {
    const isChecked = operations.some(({ hostCheck }) => hostCheck === "always" || (!hostCheck && !accessEnabled()));
    if (!isChecked) return await handler(request, context);
    try {
      requireOwnHost(receivedRequest(request));
    } catch (error) {
      return await answer(request, () => Promise.reject(error));
    }
    return await handler(request, context);
  };
}

/**
 * The handlers of a route file: its operations, HEAD where there is GET, and 405 with `Allow` for the rest, OPTIONS included.
 * While none of them is served, every method answers 404. The order is the contract's: mode, host, method.
 */
export function methods(...operations: Operation[]): Handlers {
  const present = new Map<Method, Handler>(operations.map(({ method, handler }) => [method, handler]));
  const get = present.get("GET");
  if (get) present.set("HEAD", headOf(get));
  const refusal = refuse(METHODS.filter((method) => present.has(method)));
  return everyMethod((method) => (request, context) => {
    const isServed = operations.some((operation) => operation.isServed());
    const handler = present.get(method) ?? refusal;
    return (isServed ? withHostCheck(handler, operations) : nothingHere[method])(request, context);
  });
}
