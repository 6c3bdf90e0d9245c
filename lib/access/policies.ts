import type { Actor, SessionActor } from "./actor.ts";

/** Signed in with the cookie. A token is for rendering, and signs nobody in. */
export function isSignedIn(actor: Actor): actor is SessionActor {
  return actor.kind === "session";
}

/** Signed in as an administrator, as of this request. */
export function isAdministrator(actor: Actor): boolean {
  return isSignedIn(actor) && actor.user.role === "admin";
}

/** With the access layer on: someone signed in, or a program with a token. */
export function mayRender(actor: Actor): boolean {
  return actor.kind !== "anonymous";
}

/** Whether someone may know which tokens a user has: that user, or an administrator. */
export function maySeeTokensOf(actor: Actor, userId: string): boolean {
  return isAdministrator(actor) || (isSignedIn(actor) && actor.user.id === userId);
}

/** Whoever may see a token may end it. */
export function mayRevoke(actor: Actor, token: { userId: string }): boolean {
  return maySeeTokensOf(actor, token.userId);
}
