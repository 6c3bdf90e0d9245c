import type { z } from "zod";
import type { Actor, Caller } from "#lib/access/actor.ts";
import { BodyShare } from "#lib/http/body/body-budget.ts";
import { readOptionalShape, readShape } from "#lib/http/body/shaped-body.ts";
import { BODY_LIMIT_BYTES } from "#lib/http/http-limits.ts";
import { type AuthPolicy, admit } from "#lib/http/identity/auth.ts";
import { callerOf, fairCaller } from "#lib/http/identity/caller.ts";
import { presentedDevice, presentedSession } from "#lib/http/identity/credentials.ts";
import { answer, jsonListResponse, jsonResponse } from "#lib/http/response/answer.ts";
import { matchesEtag } from "#lib/http/response/conditional-response.ts";
import { type ReceivedRequest, receivedRequest, requestTarget } from "#lib/http/server/request-context.ts";
import type { Facts } from "#lib/http/server/request-log.ts";
import { joinedPath } from "./path.ts";
import { prefersStrict } from "./prefer.ts";
import { readQuery } from "./query.ts";
import { inLine } from "./whole-lists.ts";

type NextParams = Record<string, string | string[] | undefined>;

/** Next's second argument to a route handler. A path without parameters has none. */
type RouteContext = { params: Promise<NextParams | undefined> };

/** Answers one method of one path. It never throws. */
export type Handler = (request: Request, context: RouteContext) => Promise<Response>;

type Parsed<S extends z.ZodType | undefined> = S extends z.ZodType ? z.output<S> : undefined;

/** The parameters that a path such as `/users/{id}` names. */
type PathParams<Path extends string> = string extends Path
  ? Record<string, string>
  : Path extends `${string}{${infer Name}}${infer Rest}`
    ? Record<Name, string> & PathParams<Rest>
    : unknown;

type HandleInput<A extends Actor, Body extends z.ZodType | undefined, Query extends z.ZodType | undefined, Params> = {
  /** As identified by the policy. */
  actor: A;
  body: Parsed<Body>;
  query: Parsed<Query>;
  /** The parameters of the path, decoded once. The segments of a catch-all are joined with slashes. */
  params: Params;
  /** The unverified secret of the session cookie, for operations that begin and end sessions. */
  sessionSecret: string | undefined;
  /** The unverified value of the device cookie, for logins. */
  presentedDevice: string | undefined;
  /** The client's address and browser, for limits, sessions and the audit trail. @throws ConfigError */
  caller: () => Caller;
  /** The request as it was received, before Next adds forwarding headers. */
  received: ReceivedRequest;
  /** The path and query, undecoded. */
  target: string;
  /** Whether the client prefers an error to a response with warnings. Set {@link STRICT_APPLIED} when honouring it. */
  isStrict: boolean;
  /** Whether only the headers of the answer are wanted. */
  isHead: boolean;
  /** Whether `If-None-Match` names an entity tag, which means that the client has this version. */
  matchesEtag: (etag: string) => boolean;
  /** Aborts when the client disconnects, or with an AppError `overloaded` when a large body has to make room for another caller's. */
  signal: AbortSignal;
  /** Adds fields to the request's log line. */
  addToLog: (fields: Facts) => void;
  /** Headers of the answer. They are sent with an error too if they were set before it was thrown. */
  headers: Headers;
};

/** How a request is checked and answered. */
export type Declaration<
  A extends Actor,
  Body extends z.ZodType | undefined,
  Returns extends z.ZodType | undefined,
  Query extends z.ZodType | undefined,
  Path extends string,
> = {
  /** With parameters as `{id}`. */
  path?: Path;
  /** Who may act. There is no default, so that no route is open by omission. */
  auth: AuthPolicy<A>;
  /** The JSON object that the request sends; absent where no body is read. */
  body?: Body;
  /** An empty body counts as `{}`, and needs no content type. */
  bodyOptional?: true;
  bodyLimitBytes?: number;
  /** The query parameters, each a string; absent where none is read. */
  query?: Query;
  /** Whether a query asks for a list of any length. An account gets one such list at a time. */
  isWholeList?: (query: Parsed<Query>) => boolean;
  /** The JSON of a success. Unknown keys are removed; any other mismatch is an `internal` error. Absent where `handle` returns bytes. */
  returns?: Returns;
  /** 200 when absent. */
  status?: number;
  handle: (
    input: HandleInput<A, Body, Query, PathParams<Path>>,
  ) => Returns extends z.ZodType ? z.input<Returns> | Promise<z.input<Returns>> : Response | Promise<Response>;
};

/** Ids that name the actor in the log. None of them is a credential. */
function logFieldsOf(actor: Actor): Facts {
  if (actor.kind === "anonymous") return {};
  return { user: actor.user.id, ...(actor.kind === "token" && { token: actor.tokenId }) };
}

/** Next leaves out a catch-all that matches no segment; it is an empty string here. */
async function readParams({ params }: RouteContext, path: string): Promise<Record<string, string>> {
  const given = (await params) ?? {};
  const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
  return Object.fromEntries([...named, ...Object.keys(given)].map((name) => [name, joinedPath(given[name])]));
}

async function toResponse(
  result: unknown,
  { returns, status }: { returns: z.ZodType | undefined; status: number },
): Promise<Response> {
  if (returns && Array.isArray(result)) return await jsonListResponse({ list: result, schema: returns, status });
  if (returns) return jsonResponse({ value: returns.parse(result), status });
  if (result instanceof Response) return result;
  throw new TypeError("A route without `returns` must answer with a Response.");
}

/**
 * Each request, for as long as its signal is used: once a `Request` is garbage collected, its signal never aborts. The stream of an
 * answer outlives the handler that held the request.
 */
const requestOfSignal = new WeakMap<AbortSignal, Request>();

/** Aborts when the client disconnects, also when nothing else holds the request any more. */
function disconnectSignal(request: Request): AbortSignal {
  requestOfSignal.set(request.signal, request);
  return request.signal;
}

/** Aborts when the client disconnects, and when the body of the request has to make room for another caller's. */
function endSignal(request: Request, share: BodyShare): AbortSignal {
  const end = new AbortController();
  for (const signal of [disconnectSignal(request), share.signal]) {
    if (signal.aborted) end.abort(signal.reason);
    signal.addEventListener("abort", () => end.abort(signal.reason), { once: true });
  }
  requestOfSignal.set(end.signal, request);
  return end.signal;
}

/** The state of one request until its response. `share` is there once the caller is known. */
type Held = { share?: BodyShare; headers: Headers; logFields: Facts };

/**
 * One method of one path. The order of checks is the contract's: mode and method come first ({@link methods}), then
 * credentials, origin and role (`auth`), query, content type and encoding, size, JSON, shape, act.
 */
export function route<
  A extends Actor,
  Body extends z.ZodType | undefined = undefined,
  Returns extends z.ZodType | undefined = undefined,
  Query extends z.ZodType | undefined = undefined,
  Path extends string = string,
>(declaration: Declaration<A, Body, Returns, Query, Path>): Handler {
  const {
    path = "",
    auth,
    body,
    bodyLimitBytes = BODY_LIMIT_BYTES,
    query,
    returns,
    status = 200,
    isWholeList,
    handle,
  } = declaration;
  const read = declaration.bodyOptional ? readOptionalShape : readShape;
  // Other bodies are small, and what they change must not be broken off.
  const canBreakOff = bodyLimitBytes > BODY_LIMIT_BYTES;
  const act = async (request: Request, context: RouteContext, held: Held) => {
    const { headers, logFields } = held;
    const actor = await admit(auth, request);
    const addToLog = (fields: Facts) => void Object.assign(logFields, fields);
    addToLog(logFieldsOf(actor));
    const parsedQuery = query && readQuery(request, query);
    const share = body && new BodyShare(fairCaller(actor, callerOf(request)));
    if (share) held.share = share;
    const parsedBody = body && share && (await read(request, { schema: body, limitBytes: bodyLimitBytes, share }));
    if (!canBreakOff) share?.keep();
    const input: HandleInput<A, Body, Query, PathParams<Path>> = {
      actor,
      body: parsedBody as Parsed<Body>,
      query: parsedQuery as Parsed<Query>,
      params: (await readParams(context, path)) as PathParams<Path>,
      sessionSecret: presentedSession(request),
      presentedDevice: presentedDevice(request),
      caller: () => callerOf(request),
      received: receivedRequest(request),
      target: requestTarget(request),
      isStrict: prefersStrict(request),
      isHead: request.method === "HEAD",
      matchesEtag: (etag) => matchesEtag(request, etag),
      signal: share && canBreakOff ? endSignal(request, share) : disconnectSignal(request),
      addToLog,
      headers,
    };
    const respond = async (as: A) => await toResponse(await handle({ ...input, actor: as }), { returns, status });
    if (actor.kind === "anonymous" || !isWholeList?.(input.query)) return await respond(actor);
    return await inLine(actor.user.id, input.signal, async () => await respond(await admit(auth, request)));
  };
  return async (request, context) => {
    const held: Held = { headers: new Headers(), logFields: {} };
    try {
      const response = await answer(request, () => act(request, context, held), held.logFields);
      for (const [name, value] of held.headers) response.headers.append(name, value);
      return response;
    } finally {
      held.share?.release();
    }
  };
}
