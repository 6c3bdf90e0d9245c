import type { z } from "zod";
import type { Actor, Policy } from "#lib/access/policy.ts";
import { answer, jsonResponse } from "#lib/http/answer.ts";
import { readBody } from "#lib/http/body.ts";
import { BodyShare } from "#lib/http/body-budget.ts";
import { parseJsonObject } from "#lib/http/json.ts";
import { BODY_LIMIT_BYTES } from "#lib/http/limits.ts";
import { requireJson } from "#lib/http/media-type.ts";
import { requireShape } from "#lib/http/shape.ts";

/** What Next gives beside the request. */
type RouteContext = { params: Promise<Record<string, string | string[] | undefined>> };

/** Answers one method of one path. It never throws. */
export type Handler = (request: Request, context: RouteContext) => Promise<Response>;

type Parsed<S extends z.ZodType | undefined> = S extends z.ZodType ? z.output<S> : undefined;

type HandleInput<Body extends z.ZodType | undefined> = {
  actor: Actor;
  body: Parsed<Body>;
  /** The dynamic segments of the path, decoded once. */
  params: Record<string, string | string[] | undefined>;
  /** Aborts when the client is gone. */
  signal: AbortSignal;
};

type Declaration<Body extends z.ZodType | undefined, Returns extends z.ZodType | undefined> = {
  /** Who may act. There is no default, so that nothing is open by omission. */
  auth: Policy;
  /** The JSON object that is wanted; absent where none is read. */
  body?: Body;
  bodyLimitBytes?: number;
  /** What an answer may hold: anything else is left out, or is a fault of ours. Absent where `handle` answers with bytes. */
  returns?: Returns;
  /** 200 when absent. */
  status?: number;
  handle: (
    input: HandleInput<Body>,
  ) => Returns extends z.ZodType ? z.input<Returns> | Promise<z.input<Returns>> : Response | Promise<Response>;
};

type BodyOptions = { schema: z.ZodType; limitBytes: number; share: BodyShare };

async function parseBody(request: Request, { schema, ...allowance }: BodyOptions): Promise<unknown> {
  requireJson(request.headers);
  const value = parseJsonObject(await readBody(request, allowance));
  return requireShape({ schema, value, name: "The body" });
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
  Returns extends z.ZodType | undefined = undefined,
>(declaration: Declaration<Body, Returns>): Handler {
  const { auth, body, bodyLimitBytes = BODY_LIMIT_BYTES, returns, status = 200, handle } = declaration;
  const act = async (request: Request, context: RouteContext, share: BodyShare) => {
    const actor = await auth(request);
    const parsed = body && (await parseBody(request, { schema: body, limitBytes: bodyLimitBytes, share }));
    const params = await context.params;
    const result = await handle({ actor, body: parsed as Parsed<Body>, params, signal: request.signal });
    return toResponse(result, { returns, status });
  };
  return (request, context) => {
    const share = new BodyShare();
    return answer(request, () => act(request, context, share)).finally(() => share.release());
  };
}
