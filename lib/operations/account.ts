import { z } from "zod";
import * as accounts from "#lib/access/account.ts";
import * as logins from "#lib/access/login/unknown-logins.ts";
import * as sessions from "#lib/access/own-sessions.ts";
import { signedIn } from "#lib/http/identity/auth.ts";
import { clearedCookie, sessionCookie } from "#lib/http/identity/cookies.ts";
import { operation } from "#lib/http/route/operation.ts";
import { hasKey, NO_KEY } from "#lib/schemas/scalars.ts";
import { Session, UnknownLogin } from "#lib/schemas/session.ts";
import { email, password, passwordToVerify, personName, User } from "#lib/schemas/user.ts";
import { SET_COOKIE } from "./headers.ts";
import { OK, Ok } from "./ok.ts";
import { PATHS } from "./paths.ts";
import { OWN_ACCOUNT } from "./tags.ts";

/** It has no role or status: users do not change their own. */
const UpdateAccount = z
  .strictObject({ name: personName.optional(), email: email.optional() })
  .refine(hasKey, NO_KEY)
  .meta({ id: "UpdateAccount", minProperties: 1 });

const ChangePassword = z
  .strictObject({ currentPassword: passwordToVerify, newPassword: password })
  .meta({ id: "ChangePassword" });

export const getAccount = operation({
  method: "GET",
  path: PATHS.account,
  operationId: "getAccount",
  summary: "Get the signed-in user",
  tag: OWN_ACCOUNT,
  auth: signedIn,
  returns: User,
  handle: ({ actor }) => actor.user,
});

export const updateAccount = operation({
  method: "PATCH",
  path: PATHS.account,
  operationId: "updateAccount",
  summary: "Change your own name or email",
  tag: OWN_ACCOUNT,
  auth: signedIn,
  body: UpdateAccount,
  returns: User,
  errors: ["email_taken", "rate_limited"],
  handle: ({ actor, body, caller }) => accounts.updateAccount({ actor, changes: body, caller: caller() }),
});

export const changePassword = operation({
  method: "POST",
  path: PATHS.ownPassword,
  operationId: "changePassword",
  summary: "Change your own password; every other session ends, this one continues with a new secret",
  tag: OWN_ACCOUNT,
  auth: signedIn,
  body: ChangePassword,
  returns: Ok,
  headers: SET_COOKIE,
  errors: ["wrong_password", "rate_limited", "overloaded"],
  handle: async ({ actor, body, caller, signal, headers }) => {
    const { secret } = await accounts.changePassword({ actor, ...body, caller: caller(), signal });
    headers.append("Set-Cookie", sessionCookie(secret));
    return OK;
  },
});

export const listSessions = operation({
  method: "GET",
  path: PATHS.ownSessions,
  operationId: "listSessions",
  summary: "List your own live sessions, this one first and then by last use, at most 500",
  tag: OWN_ACCOUNT,
  auth: signedIn,
  returns: z.array(Session),
  handle: ({ actor }) => sessions.listOwnSessions(actor),
});

export const endOtherSessions = operation({
  method: "DELETE",
  path: PATHS.ownSessions,
  operationId: "endOtherSessions",
  summary: "End all of your own sessions but this one",
  tag: OWN_ACCOUNT,
  auth: signedIn,
  returns: Ok,
  handle: async ({ actor, caller }) => {
    await sessions.endOtherSessions({ actor, caller: caller() });
    return OK;
  },
});

export const endSession = operation({
  method: "DELETE",
  path: PATHS.ownSession,
  operationId: "endSession",
  summary: "End one of your own sessions; if it is this one, its cookie is cleared",
  tag: OWN_ACCOUNT,
  auth: signedIn,
  returns: Ok,
  headers: SET_COOKIE,
  errors: ["not_found"],
  handle: async ({ actor, params, caller, headers }) => {
    const isThisOne = await sessions.endOwnSession({ actor, id: params.id, caller: caller() });
    if (isThisOne) headers.append("Set-Cookie", clearedCookie());
    return OK;
  },
});

export const listUnknownLogins = operation({
  method: "GET",
  path: PATHS.unknownLogins,
  operationId: "listUnknownLogins",
  summary: "List the logins to your account from unknown browsers that nobody confirmed, newest first, at most 20",
  tag: OWN_ACCOUNT,
  auth: signedIn,
  returns: z.array(UnknownLogin),
  handle: ({ actor }) => logins.listUnknownLogins(actor),
});

export const confirmAllLogins = operation({
  method: "DELETE",
  path: PATHS.unknownLogins,
  operationId: "confirmAllLogins",
  summary: "Confirm all logins from unknown browsers; that of this browser stays listed for your others",
  tag: OWN_ACCOUNT,
  auth: signedIn,
  returns: Ok,
  handle: async ({ actor, caller }) => {
    await logins.confirmAllLogins({ actor, caller: caller() });
    return OK;
  },
});

export const confirmLogin = operation({
  method: "DELETE",
  path: PATHS.unknownLogin,
  operationId: "confirmLogin",
  summary: "Confirm a login from an unknown browser; that of this browser stays listed for your others",
  tag: OWN_ACCOUNT,
  auth: signedIn,
  returns: Ok,
  errors: ["not_found"],
  handle: async ({ actor, params, caller }) => {
    await logins.confirmLogin({ actor, id: params.id, caller: caller() });
    return OK;
  },
});

export const disownLogin = operation({
  method: "DELETE",
  path: PATHS.unknownLoginSession,
  operationId: "disownLogin",
  summary: "Sign out an unknown browser and forget it; the login stays listed until it is confirmed",
  tag: OWN_ACCOUNT,
  auth: signedIn,
  returns: Ok,
  headers: SET_COOKIE,
  errors: ["not_found"],
  handle: async ({ actor, params, caller, headers }) => {
    const isThisOne = await logins.disownLogin({ actor, id: params.id, caller: caller() });
    if (isThisOne) headers.append("Set-Cookie", clearedCookie());
    return OK;
  },
});
