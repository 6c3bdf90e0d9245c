import type { Actor, SessionActor } from "#lib/access/actor.ts";
import { isAdministrator, isSignedIn, mayRender } from "#lib/access/policies.ts";
import { findSession } from "#lib/access/sessions.ts";
import { findToken } from "#lib/access/tokens.ts";
import { accessConfig, accessEnabled } from "#lib/config.ts";
import { AppError } from "#lib/errors.ts";
import { receivedRequest } from "#lib/http/server/request-context.ts";
import { type Credentials, credentialsOf } from "./credentials.ts";
import { originFault } from "./origin.ts";

type Anonymous = Extract<Actor, { kind: "anonymous" }>;

/** Who may act on a route. {@link admit} asks in the contract's order: credentials, origin, role. */
export type Policy<A extends Actor> = {
  /** Whom the credentials name. @throws AppError `unauthorized` where that has to be known and is not */
  identify: (credentials: Credentials) => A | Promise<A>;
  /** Whether a mutation has to come from the service's own pages though nobody is signed in. One by cookie always has to. */
  sameOrigin?: true;
  /** Everyone who is identified, when absent. */
  permits?: (actor: A) => boolean;
};

const ANONYMOUS: Anonymous = { kind: "anonymous" };

const notSignedIn = () => new AppError("unauthorized", "You are not signed in.");

const notARenderer = () =>
  new AppError("unauthorized", "Want an API token as Authorization: Bearer, or a session of this service's pages.", {
    headers: { "WWW-Authenticate": "Bearer" },
  });

/** Whom credentials name; anonymous where they name nobody, or nobody any more. @throws AppError `unavailable` */
async function actorOf(credentials: Credentials): Promise<Actor> {
  const { kind, secret } = credentials;
  if (secret === undefined) return ANONYMOUS;
  return (await (kind === "cookie" ? findSession(secret) : findToken(secret))) ?? ANONYMOUS;
}

async function sessionOf(credentials: Credentials): Promise<SessionActor> {
  const actor = credentials.kind === "cookie" ? await actorOf(credentials) : ANONYMOUS;
  if (!isSignedIn(actor)) throw notSignedIn();
  return actor;
}

/** Probes and answers that are the same for everyone. */
export const anyone: Policy<Anonymous> = { identify: () => ANONYMOUS };

/** Signing in and out: by anyone, from the service's own pages. */
export const sameOrigin: Policy<Anonymous> = { identify: () => ANONYMOUS, sameOrigin: true };

/** Everyone with a session. Bearer tokens are for rendering only. */
export const signedIn: Policy<SessionActor> = { identify: sessionOf };

/** Administrators with a session. */
export const administrator: Policy<SessionActor> = { identify: sessionOf, permits: isAdministrator };

/** Who may render: everyone in open mode, otherwise a session or a token. */
export const renderer: Policy<Actor> = {
  identify: async (credentials) => {
    if (!accessEnabled()) return ANONYMOUS;
    const actor = await actorOf(credentials);
    if (!mayRender(actor)) throw notARenderer();
    return actor;
  },
};

/** Who may see which templates there are: everyone in open mode, otherwise everyone with a session. */
export const viewer: Policy<Anonymous | SessionActor> = {
  identify: (credentials) => (accessEnabled() ? sessionOf(credentials) : ANONYMOUS),
};

/** Who may look inside: everyone in open mode, otherwise administrators with a session. */
export const inspector: Policy<Anonymous | SessionActor> = {
  ...viewer,
  permits: (actor) => !accessEnabled() || isAdministrator(actor),
};

const SAFE_METHODS = ["GET", "HEAD"];

/** The answer does not say why: whoever forges requests would learn from it. The log does. */
function requireOwnOrigin(request: Request): void {
  const fault = originFault(receivedRequest(request), accessConfig());
  if (fault === undefined) return;
  throw new AppError("origin_mismatch", "This request does not come from one of this service's own pages.", {
    cause: new Error(fault),
  });
}

/** Lets a request in, as whom it is known. @throws AppError `unauthorized`, `origin_mismatch`, `forbidden`, `unavailable` */
export async function admit<A extends Actor>(policy: Policy<A>, request: Request): Promise<A> {
  const actor = await policy.identify(credentialsOf(request));
  const needsOrigin = policy.sameOrigin || actor.kind === "session";
  if (needsOrigin && !SAFE_METHODS.includes(request.method)) requireOwnOrigin(request);
  if (policy.permits && !policy.permits(actor)) throw new AppError("forbidden", "Only an administrator may do this.");
  return actor;
}
