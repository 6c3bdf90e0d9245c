import type { z } from "zod";
import type { ErrorCode } from "#lib/errors.ts";
import {
  BODY_ERRORS,
  errorResponses,
  jsonContent,
  pathParameter,
  SERVICE_ERRORS,
  schemaOf,
} from "#lib/http/openapi-operations.ts";
import { ChangePassword, UpdateAccount } from "#lib/schemas/account.ts";
import { Login, Logout } from "#lib/schemas/login.ts";
import { Ok } from "#lib/schemas/status.ts";
import { CreatedToken, CreateToken, Token } from "#lib/schemas/token.ts";
import { CreateUser, SetPassword, UpdateUser, User } from "#lib/schemas/user.ts";

/** How requests say who they are from, with the access layer on. */
export const SECURITY_SCHEMES = {
  session: {
    type: "apiKey",
    in: "cookie",
    name: "service_session",
    description: "Set by a login. What changes anything also needs an Origin header with the service's own origin.",
  },
  token: { type: "http", scheme: "bearer", description: "An API token, for rendering only." },
};

const SENT: Record<string, z.ZodType> = {
  Login,
  Logout,
  UpdateAccount,
  ChangePassword,
  CreateToken,
  CreateUser,
  UpdateUser,
  SetPassword,
};

const ANSWERED: Record<string, z.ZodType> = { Ok, User, Token, CreatedToken };

/** What the access operations send and answer, by component name. */
export function accessSchemas(): Record<string, unknown> {
  return Object.fromEntries([
    ...Object.entries(SENT).map(([name, schema]) => [name, schemaOf(schema, "input")]),
    ...Object.entries(ANSWERED).map(([name, schema]) => [name, schemaOf(schema)]),
  ]);
}

type Operation = {
  operationId: string;
  summary: string;
  /** A component of {@link SENT}; optional where it ends in `?`. */
  body?: string;
  /** A component of {@link ANSWERED}, or an array of it where it ends in `[]`. */
  returns: string;
  status?: number;
  who: "anyone" | "user" | "administrator";
  errors?: ErrorCode[];
  setsCookie?: true;
};

const OPERATIONS: Record<string, Operation> = {
  "POST /login": {
    operationId: "logIn",
    summary: "Sign in, in place of the session that is presented",
    body: "Login",
    returns: "User",
    who: "anyone",
    errors: ["unauthorized", "rate_limited", "overloaded"],
    setsCookie: true,
  },
  "POST /logout": {
    operationId: "logOut",
    summary: "Sign out",
    body: "Logout?",
    returns: "Ok",
    who: "anyone",
    setsCookie: true,
  },
  "GET /account": {
    operationId: "getAccount",
    summary: "Who is signed in",
    returns: "User",
    who: "user",
  },
  "PATCH /account": {
    operationId: "updateAccount",
    summary: "Change one's own name or email",
    body: "UpdateAccount",
    returns: "User",
    who: "user",
    errors: ["email_taken"],
  },
  "POST /account/password": {
    operationId: "changePassword",
    summary: "Change one's own password; every other session ends, this one goes on with a new secret",
    body: "ChangePassword",
    returns: "Ok",
    who: "user",
    errors: ["wrong_password", "rate_limited", "overloaded"],
    setsCookie: true,
  },
  "GET /tokens": {
    operationId: "listTokens",
    summary: "List one's own API tokens, revoked ones too",
    returns: "Token[]",
    who: "user",
  },
  "POST /tokens": {
    operationId: "createToken",
    summary: "Make an API token; its secret is in this answer and never again in any",
    body: "CreateToken",
    returns: "CreatedToken",
    status: 201,
    who: "user",
    errors: ["rate_limited"],
  },
  "DELETE /tokens/{id}": {
    operationId: "revokeToken",
    summary: "Revoke an API token, for good",
    returns: "Ok",
    who: "user",
    errors: ["not_found"],
  },
  "GET /users": {
    operationId: "listUsers",
    summary: "List the users",
    returns: "User[]",
    who: "administrator",
  },
  "POST /users": {
    operationId: "createUser",
    summary: "Create a user",
    body: "CreateUser",
    returns: "User",
    status: 201,
    who: "administrator",
    errors: ["email_taken", "overloaded"],
  },
  "PATCH /users/{id}": {
    operationId: "updateUser",
    summary: "Change a user; a deactivated one is signed out everywhere",
    body: "UpdateUser",
    returns: "User",
    who: "administrator",
    errors: ["not_found", "email_taken", "last_admin"],
  },
  "DELETE /users/{id}": {
    operationId: "deleteUser",
    summary: "Delete a user with their sessions and tokens",
    returns: "Ok",
    who: "administrator",
    errors: ["not_found", "last_admin"],
  },
  "POST /users/{id}/password": {
    operationId: "setPassword",
    summary: "Set a user's password, which signs them out everywhere",
    body: "SetPassword",
    returns: "Ok",
    who: "administrator",
    errors: ["not_found", "overloaded"],
  },
  "GET /users/{id}/tokens": {
    operationId: "listTokensOf",
    summary: "List a user's API tokens: as that user, or as an administrator",
    returns: "Token[]",
    who: "user",
    errors: ["not_found"],
  },
};

const idParameter = pathParameter("id", "The id of a user or a token.", { type: "string", format: "uuid" });

const cookieHeader = { "Set-Cookie": { description: "The session, or its end.", schema: { type: "string" } } };

function errorsOf(method: string, { who, body, errors = [] }: Operation): ErrorCode[] {
  return [
    ...(body ? BODY_ERRORS : []),
    ...(who === "anyone" ? [] : (["unauthorized"] as const)),
    ...(who === "administrator" ? (["forbidden"] as const) : []),
    ...(method === "get" ? [] : (["origin_mismatch"] as const)),
    ...errors,
    ...SERVICE_ERRORS,
  ];
}

function describe(method: string, path: string, operation: Operation): unknown {
  const { operationId, summary, body, returns, status = 200, who, setsCookie } = operation;
  return {
    operationId,
    summary,
    security: who === "anyone" ? [] : [{ session: [] }],
    ...(path.includes("{id}") && { parameters: [idParameter] }),
    ...(body && { requestBody: { required: !body.endsWith("?"), content: jsonContent(body.replace("?", "")) } }),
    responses: {
      [status]: { description: "Done.", content: jsonContent(returns), ...(setsCookie && { headers: cookieHeader }) },
      ...errorResponses(errorsOf(method, operation)),
    },
  };
}

/** The operations of the access layer, by path and method. */
export function accessPaths(): Record<string, Record<string, unknown>> {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const [name, operation] of Object.entries(OPERATIONS)) {
    const [verb = "", path = ""] = name.split(" ");
    const method = verb.toLowerCase();
    paths[`/api/service${path}`] = {
      ...paths[`/api/service${path}`],
      [method]: describe(method, path, operation),
    };
  }
  return paths;
}
