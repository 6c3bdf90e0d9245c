import type { z } from "zod";
import type { Actor, Policy } from "#lib/access/policy.ts";
import { AppError } from "#lib/errors.ts";
import { answer, jsonResponse } from "#lib/http/answer.ts";
import { readBody } from "#lib/http/body.ts";
import { parseJsonObject } from "#lib/http/json.ts";
import { BODY_LIMIT_BYTES } from "#lib/http/limits.ts";
import { requireJson } from "#lib/http/media-type.ts";
import { requireShape } from "#lib/http/shape.ts";

/** What Next gives beside the request. */
type RouteContext = { params: Promise<Record<string, string | string[] | undefined>> };

/** Answers one method of one path. It never throws. */
export type Handler = (request: Request, context: RouteContext) => Promise<Response>;

type Parsed<S extends z.ZodType | undefined> = S extends z.ZodType ? z.output<S> : undefined;

type HandleInput<Body extends z.ZodType | undefined, Query extends z.ZodType | undefined> = {
  actor: Actor;
  body: Parsed<Body>;
  query: Parsed<Query>;
  /** The dynamic segments of the path, decoded once. */
  params: Record<string, string | string[] | undefined>;
  /** Aborts when the client is gone. */
  signal: AbortSignal;
};

type Declaration<
  Body extends z.ZodType | undefined,
  Query extends z.ZodType | undefined,
  Returns extends z.ZodType | undefined,
> = {
  /** Who may act. There is no default, so that nothing is open by omission. */
  auth: Policy;
  /** The JSON object that is wanted; absent where none is read. */
  body?: Body;
  bodyLimitBytes?: number;
  query?: Query;
  /** What an answer may hold: anything else is left out, or is a fault of ours. Absent where `handle` answers with bytes. */
  returns?: Returns;
  /** 200 when absent. */
  status?: number;
  handle: (
    input: HandleInput<Body, Query>,
  ) => Returns extends z.ZodType ? z.input<Returns> | Promise<z.input<Returns>> : Response | Promise<Response>;
};

async function parseBody(request: Request, { schema, limitBytes }: { schema: z.ZodType; limitBytes: number }) {
  requireJson(request.headers);
  const value = parseJsonObject(await readBody(request, limitBytes));
  return requireShape({ schema, value, name: "The body" });
}

function parseQuery(request: Request, schema: z.ZodType) {
  const entries = [...new URL(request.url).searchParams];
  const value = Object.fromEntries(entries);
  if (Object.keys(value).length < entries.length) {
    throw new AppError("invalid_request", "Got a query parameter more than once, want it once.");
  }
  return requireShape({ schema, value, name: "The query" });
}

function toResponse(
  result: unknown,
  { returns, status }: { returns: z.ZodType | undefined; status: number },
): Response {
  if (returns) return jsonResponse({ value: returns.parse(result), status });
  if (result instanceof Response) return result;
  throw new TypeError("A route without `returns` must answer with a Response.");
}

/**
 * One method of one route, as a declaration. The order of checks is the contract's: mode and method come before
 * ({@link methods}), then credentials, origin and role (`auth`), content type and encoding, size, JSON, shape, act.
 */
export function route<
  Body extends z.ZodType | undefined = undefined,
  Query extends z.ZodType | undefined = undefined,
  Returns extends z.ZodType | undefined = undefined,
>(declaration: Declaration<Body, Query, Returns>): Handler {
  const { auth, body, bodyLimitBytes = BODY_LIMIT_BYTES, query, returns, status = 200, handle } = declaration;
  return (request, context) =>
    answer(request, async () => {
      const actor = await auth(request);
      const parsedBody = body && (await parseBody(request, { schema: body, limitBytes: bodyLimitBytes }));
      const parsedQuery = query && parseQuery(request, query);
      const result = await handle({
        actor,
        body: parsedBody as Parsed<Body>,
        query: parsedQuery as Parsed<Query>,
        params: await context.params,
        signal: request.signal,
      });
      return toResponse(result, { returns, status });
    });
}
