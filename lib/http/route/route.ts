import type { z } from "zod";
import type { Actor, Caller } from "#lib/access/actor.ts";
import { BodyShare } from "#lib/http/body/body-budget.ts";
import { readOptionalShape, readShape } from "#lib/http/body/shaped-body.ts";
import { BODY_LIMIT_BYTES } from "#lib/http/http-limits.ts";
import { admit, type Policy } from "#lib/http/identity/auth.ts";
import { callerOf } from "#lib/http/identity/caller.ts";
import { presentedSession } from "#lib/http/identity/credentials.ts";
import { answer, jsonResponse } from "#lib/http/response/answer.ts";
import { matchesEtag } from "#lib/http/response/conditional-response.ts";
import { type ReceivedRequest, receivedRequest } from "#lib/http/server/request-context.ts";
import type { Facts } from "#lib/http/server/request-log.ts";
import { prefersStrict } from "./prefer.ts";
import { readQuery } from "./query.ts";

/** What Next gives beside the request. */
type RouteContext = { params: Promise<Record<string, string | string[] | undefined>> };

/** Answers one method of one path. It never throws. */
export type Handler = (request: Request, context: RouteContext) => Promise<Response>;

type Parsed<S extends z.ZodType | undefined> = S extends z.ZodType ? z.output<S> : undefined;

type HandleInput<A extends Actor, Body extends z.ZodType | undefined, Query extends z.ZodType | undefined> = {
  /** Who asks, as the policy has found. */
  actor: A;
  body: Parsed<Body>;
  query: Parsed<Query>;
  /** The dynamic segments of the path, decoded once. */
  params: Record<string, string | string[] | undefined>;
  /** The secret that came as the session cookie, whatever it is worth: for whoever begins and ends sessions. */
  presented: string | undefined;
  /** Where the request comes from. @throws ConfigError */
  caller: () => Caller;
  /** How the request came in, before anything was filled in. */
  received: ReceivedRequest;
  /** Whether the client prefers a refusal to an answer with warnings. Who honours it says so with {@link STRICT_APPLIED}. */
  isStrict: boolean;
  /** Whether the client says that it has what an entity tag names. */
  matchesEtag: (etag: string) => boolean;
  /** Aborts when the client is gone. */
  signal: AbortSignal;
  /** Adds to the request's line in the log. */
  tell: (facts: Facts) => void;
  /** What the answer carries beside its own headers, even when it becomes a refusal after they were set. */
  headers: Headers;
};

type Declaration<
  A extends Actor,
  Body extends z.ZodType | undefined,
  Returns extends z.ZodType | undefined,
  Query extends z.ZodType | undefined,
> = {
  /** Who may act. There is no default, so that nothing is open by omission. */
  auth: Policy<A>;
  /** The JSON object that is wanted; absent where none is read. */
  body?: Body;
  /** An empty body counts as `{}`, and needs no content type. */
  bodyOptional?: true;
  bodyLimitBytes?: number;
  /** The parameters of the address, each a text; absent where none is read. */
  query?: Query;
  /** What an answer may hold: anything else is left out, or is a fault of ours. Absent where `handle` answers with bytes. */
  returns?: Returns;
  /** 200 when absent. */
  status?: number;
  handle: (
    input: HandleInput<A, Body, Query>,
  ) => Returns extends z.ZodType ? z.input<Returns> | Promise<z.input<Returns>> : Response | Promise<Response>;
};

/** Ids say who it was, and nothing of it can be signed in with. */
function factsOf(actor: Actor): Facts {
  if (actor.kind === "anonymous") return {};
  return { user: actor.user.id, ...(actor.kind === "token" && { token: actor.tokenId }) };
}

type Kept = { share: BodyShare; headers: Headers; facts: Facts };

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
  A extends Actor,
  Body extends z.ZodType | undefined = undefined,
  Returns extends z.ZodType | undefined = undefined,
  Query extends z.ZodType | undefined = undefined,
>(declaration: Declaration<A, Body, Returns, Query>): Handler {
  const {
    auth,
    body,
    bodyOptional,
    bodyLimitBytes = BODY_LIMIT_BYTES,
    query,
    returns,
    status = 200,
    handle,
  } = declaration;
  const read = bodyOptional ? readOptionalShape : readShape;
  const act = async (request: Request, context: RouteContext, kept: Kept) => {
    const actor = await admit(auth, request);
    const tell = (facts: Facts) => void Object.assign(kept.facts, facts);
    tell(factsOf(actor));
    const asked = query && readQuery(request, query);
    const parsed = body && (await read(request, { schema: body, limitBytes: bodyLimitBytes, share: kept.share }));
    const result = await handle({
      actor,
      body: parsed as Parsed<Body>,
      query: asked as Parsed<Query>,
      params: await context.params,
      presented: presentedSession(request),
      caller: () => callerOf(request),
      received: receivedRequest(request),
      isStrict: prefersStrict(request),
      matchesEtag: (etag) => matchesEtag(request, etag),
      signal: request.signal,
      tell,
      headers: kept.headers,
    });
    return toResponse(result, { returns, status });
  };
  return async (request, context) => {
    const kept: Kept = { share: new BodyShare(), headers: new Headers(), facts: {} };
    try {
      const response = await answer(request, () => act(request, context, kept), kept.facts);
      for (const [name, value] of kept.headers) response.headers.append(name, value);
      return response;
    } finally {
      kept.share.release();
    }
  };
}
