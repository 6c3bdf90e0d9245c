import { z } from "zod";
import * as login from "#lib/access/login.ts";
import { sameOrigin } from "#lib/http/identity/auth.ts";
import { clearedCookie, deviceCookie, sessionCookie } from "#lib/http/identity/cookies.ts";
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
  handle: async ({ body, sessionSecret, presentedDevice, caller, signal, headers }) => {
    const presented = { presented: sessionSecret, deviceCookie: presentedDevice };
    const signedIn = await login.logIn({ ...body, ...presented, caller: caller(), signal });
    headers.append("Set-Cookie", sessionCookie(signedIn.secret));
    headers.append("Set-Cookie", deviceCookie(signedIn.deviceCookie));
    return signedIn.user;
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
