import { accessEnabled, metricsEnabled } from "#lib/config.ts";
import { AppError } from "#lib/errors.ts";
import { answer } from "#lib/http/response/answer.ts";
import type { Handler } from "./route.ts";

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const;

type Method = (typeof METHODS)[number];

/** Every method that Next dispatches, so that none of its own answers is ever given. */
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

/** The same answer for every method. */
function everyMethod(handler: Handler): Handlers {
  return Object.fromEntries(METHODS.map((method) => [method, handler])) as Handlers;
}

/** The handlers of a route file: those given, HEAD wherever there is GET, and 405 with `Allow` for the rest, OPTIONS too. */
export function methods(given: Partial<Record<Exclude<Method, "HEAD" | "OPTIONS">, Handler>>): Handlers {
  const present: Partial<Handlers> = given.GET ? { ...given, HEAD: headOf(given.GET) } : { ...given };
  const refusal = refuse(METHODS.filter((method) => present[method] !== undefined));
  return { ...everyMethod(refusal), ...present };
}

/** Where no route is. */
export const nothingHere = everyMethod((request) =>
  answer(request, () => Promise.reject(new AppError("not_found", "There is nothing at this path."))),
);

/** The handlers of a route file whose routes are only there while the configuration says so, whatever the method. */
function methodsWhere(isHere: () => boolean, given: Parameters<typeof methods>[0]): Handlers {
  const present = methods(given);
  const eitherOf = (method: Method): Handler => {
    return (request, context) => (isHere() ? present : nothingHere)[method](request, context);
  };
  return Object.fromEntries(METHODS.map((method) => [method, eitherOf(method)])) as Handlers;
}

/** The handlers of a route file of the access layer. */
export function accessMethods(given: Parameters<typeof methods>[0]): Handlers {
  return methodsWhere(accessEnabled, given);
}

/** The handlers of a route file for whoever watches the service. */
export function metricsMethods(given: Parameters<typeof methods>[0]): Handlers {
  return methodsWhere(metricsEnabled, given);
}
