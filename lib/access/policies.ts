import type { Actor, SessionActor } from "./actor.ts";

/** Signed in with the session cookie. A token can only render. */
export function isSignedIn(actor: Actor): actor is SessionActor {
  return actor.kind === "session";
}

/** Signed in as an administrator, as of this request. */
export function isAdministrator(actor: Actor): boolean {
  return isSignedIn(actor) && actor.user.role === "admin";
}

/** With the access layer on: every signed-in user and every program with a token. */
export function mayRender(actor: Actor): boolean {
  return actor.kind !== "anonymous";
}

/** Whether the actor may see the tokens of a user: that user, or an administrator. */
export function maySeeTokensOf(actor: Actor, userId: string): boolean {
  return isAdministrator(actor) || (isSignedIn(actor) && actor.user.id === userId);
}
