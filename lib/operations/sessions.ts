import { z } from "zod";
import * as login from "#lib/access/login.ts";
import { sameOrigin } from "#lib/http/identity/auth.ts";
import { clearedCookie, sessionCookie } from "#lib/http/identity/cookies.ts";
import { operation } from "#lib/http/route/operation.ts";
import { email, passwordToVerify, User } from "#lib/schemas/user.ts";
import { SET_COOKIE } from "./headers.ts";
import { OK, Ok } from "./ok.ts";
import { PATHS } from "./paths.ts";
import { SIGNING_IN } from "./tags.ts";

const Login = z.strictObject({ email, password: passwordToVerify }).meta({ id: "Login" });

const Logout = z.strictObject({}).meta({ id: "Logout" });

export const logIn = operation({
  method: "POST",
  path: PATHS.login,
  operationId: "logIn",
  summary: "Sign in, replacing the current session",
  tag: SIGNING_IN,
  auth: sameOrigin,
  body: Login,
  returns: User,
  headers: SET_COOKIE,
  errors: ["unauthorized", "rate_limited", "overloaded"],
  handle: async ({ body, sessionSecret, caller, signal, headers }) => {
    const { user, secret } = await login.logIn({ ...body, presented: sessionSecret, caller: caller(), signal });
    headers.append("Set-Cookie", sessionCookie(secret));
    return user;
  },
});

export const logOut = operation({
  method: "POST",
  path: PATHS.logout,
  operationId: "logOut",
  summary: "Sign out",
  tag: SIGNING_IN,
  auth: sameOrigin,
  body: Logout,
  bodyOptional: true,
  returns: Ok,
  headers: SET_COOKIE,
  handle: async ({ sessionSecret, caller, headers }) => {
    // Set first, so that the browser deletes its cookie even while the database is unavailable.
    headers.append("Set-Cookie", clearedCookie());
    await login.logOut({ presented: sessionSecret, caller: caller() });
    return OK;
  },
});
