import type { Actor, SessionActor, TokenActor } from "#lib/access/actor.ts";
import { isAdministrator, isSignedIn, mayRender } from "#lib/access/policies.ts";
import { findSession } from "#lib/access/sessions.ts";
import { findToken, type RefusedToken } from "#lib/access/tokens.ts";
import { accessConfig, accessEnabled } from "#lib/config.ts";
import { AppError } from "#lib/errors.ts";
import { type ReceivedRequest, receivedRequest } from "#lib/http/server/request-context.ts";
import { type Credentials, credentialsOf } from "./credentials.ts";
import { originForDeveloper } from "./developer.ts";
import { foreignSiteFault } from "./host.ts";
import { originFault } from "./origin.ts";

type Anonymous = Extract<Actor, { kind: "anonymous" }>;

/** Who may use an operation while the access layer is on. Only rendering takes API tokens. */
export type Who = "anyone" | "user" | "user or token" | "administrator";

/** Who may act on a route. {@link admit} checks in the contract's order: credentials, origin, role. */
export type AuthPolicy<A extends Actor> = {
  who: Who;
  /** The operation exists only while the access layer is on; otherwise its path answers 404. */
  accessLayerOnly?: true;
  /** Checks the origin of anonymous mutations too. Cookie-authenticated mutations always check the origin. */
  sameOrigin?: true;
  /** Refuses mutations that a foreign site sends in open mode, where no credentials keep it out. */
  ownSite?: true;
  /** Turns credentials into an actor. @throws AppError `unauthorized` where the operation needs an actor and there is none */
  identify: (credentials: Credentials) => A | Promise<A>;
  /** Whether the actor's role suffices. Every identified actor is permitted when this is absent. */
  permits?: (actor: A) => boolean;
};

const ANONYMOUS: Anonymous = { kind: "anonymous" };

/** The actor of a session cookie, otherwise anonymous. @throws AppError `unavailable` */
async function sessionActor({ kind, secret }: Credentials): Promise<Actor> {
  return (kind === "cookie" && secret !== undefined && (await findSession(secret))) || ANONYMOUS;
}

async function requireSession(credentials: Credentials): Promise<SessionActor> {
  const actor = await sessionActor(credentials);
  if (!isSignedIn(actor)) throw new AppError("unauthorized", "This needs a session: sign in.");
  return actor;
}

function noRenderer(message: string): AppError {
  return new AppError("unauthorized", message, { headers: { "WWW-Authenticate": "Bearer" } });
}

/** None of them says whether a part of a secret is right. */
const TOKEN_FAULTS: Record<RefusedToken["reason"], string> = {
  malformed:
    "Got a text that is not an API token: it is mistyped or cut. Tokens begin with `svc_` and have 40 characters.",
  unknown: 'This API token gives no access. Create one under "Tokens", or ask an administrator.',
  revoked: 'This API token was revoked. Create another one under "Tokens".',
};

async function requireToken(secret: string | undefined): Promise<TokenActor> {
  if (secret === undefined)
    throw noRenderer("Got an `Authorization` header of another form, want `Authorization: Bearer <token>`.");
  const found = await findToken(secret);
  if (found.kind === "token") return found;
  throw noRenderer(TOKEN_FAULTS[found.reason]);
}

async function requireRenderer(credentials: Credentials): Promise<Actor> {
  if (credentials.kind === "authorization") return await requireToken(credentials.secret);
  const actor = await sessionActor(credentials);
  if (mayRender(actor)) return actor;
  throw noRenderer("Send `Authorization: Bearer <token>`, or sign in.");
}

/** No credentials, in both modes: probes. */
export const anyone: AuthPolicy<Anonymous> = { who: "anyone", identify: () => ANONYMOUS };

/** No credentials, but a request from the service's own pages: login and logout. */
export const sameOrigin: AuthPolicy<Anonymous> = { ...anyone, accessLayerOnly: true, sameOrigin: true };

/** A session. */
export const signedIn: AuthPolicy<SessionActor> = { who: "user", accessLayerOnly: true, identify: requireSession };

/** The session of an administrator. */
export const administrator: AuthPolicy<SessionActor> = {
  ...signedIn,
  who: "administrator",
  permits: isAdministrator,
};

/** Rendering: no credentials in open mode, otherwise a session or an API token. */
export const renderer: AuthPolicy<Actor> = {
  who: "user or token",
  identify: (credentials) => (accessEnabled() ? requireRenderer(credentials) : ANONYMOUS),
};

/** Templates and documentation: no credentials in open mode, otherwise a session. */
export const viewer: AuthPolicy<Anonymous | SessionActor> = {
  who: "user",
  ownSite: true,
  identify: (credentials) => (accessEnabled() ? requireSession(credentials) : ANONYMOUS),
};

/** The service's status: no credentials in open mode, otherwise the session of an administrator. */
export const inspector: AuthPolicy<Anonymous | SessionActor> = {
  ...viewer,
  who: "administrator",
  permits: (actor) => !accessEnabled() || isAdministrator(actor),
};

const SAFE_METHODS = ["GET", "HEAD"];

type OriginRule = Pick<AuthPolicy<Actor>, "sameOrigin" | "ownSite">;

/** The reason why the origin of a mutation is refused. */
function faultOfOrigin({ sameOrigin, ownSite }: OriginRule, actor: Actor, request: Request): string | undefined {
  const received = receivedRequest(request);
  if (sameOrigin || actor.kind === "session") return originFault(received, accessConfig());
  return ownSite && !accessEnabled() ? foreignSiteFault(received) : undefined;
}

/** The response does not name the reason, because that would help an attacker. The log names it, and a developer is told the origin. */
function originMismatch(fault: string, received: ReceivedRequest): AppError {
  const wanted = originForDeveloper(received);
  const hint = wanted === undefined ? "" : ` Want the header "Origin: ${wanted}".`;
  return new AppError("origin_mismatch", `This request does not come from one of this service's own pages.${hint}`, {
    cause: new Error(fault),
  });
}

/**
 * The user whose page sends a request, where it says so. Another one may have signed in meanwhile, in another tab. Without this
 * header, what is filled in for the first would be saved for the second.
 */
const PAGE_USER_HEADER = "x-page-user";

/** @throws AppError `unauthorized` for a page of another user */
function requireOwnPage(actor: Actor, { headers }: Request): void {
  const user = headers.get(PAGE_USER_HEADER);
  if (user === null || actor.kind !== "session" || actor.user.id === user) return;
  throw new AppError(
    "unauthorized",
    "Somebody else has signed in with this browser since the page was opened. Reload it.",
  );
}

/** Authorises a request and returns its actor. @throws AppError `unauthorized`, `origin_mismatch`, `forbidden`, `unavailable` */
export async function admit<A extends Actor>(policy: AuthPolicy<A>, request: Request): Promise<A> {
  const actor = await policy.identify(credentialsOf(request));
  requireOwnPage(actor, request);
  const fault = SAFE_METHODS.includes(request.method) ? undefined : faultOfOrigin(policy, actor, request);
  if (fault !== undefined) throw originMismatch(fault, receivedRequest(request));
  if (policy.permits && !policy.permits(actor)) throw new AppError("forbidden", "Only an administrator may do this.");
  return actor;
}
