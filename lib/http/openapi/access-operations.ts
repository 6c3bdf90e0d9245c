import type { z } from "zod";
import type { ErrorCode } from "#lib/errors.ts";
import { TOTAL_HEADER } from "#lib/http/route/query.ts";
import { AuditQuery } from "#lib/schemas/audit.ts";
import { UsersQuery } from "#lib/schemas/user.ts";

/** An operation of the access layer, as the document describes it. */
export type Operation = {
  operationId: string;
  summary: string;
  /** What the query string may hold. */
  query?: z.ZodType;
  /** A component that is sent; optional where the name ends in `?`. */
  body?: string;
  /** A component that is answered, or an array of it where the name ends in `[]`. */
  returns: string;
  status?: number;
  who: "anyone" | "user" | "administrator";
  errors?: ErrorCode[];
  /** Those of the answer, beside what every answer has. */
  headers?: Record<string, unknown>;
};

const SETS_COOKIE = { "Set-Cookie": { description: "The session, or its end.", schema: { type: "string" } } };

const TOTAL = {
  [TOTAL_HEADER]: { description: "How many users there are on all pages.", schema: { type: "integer", minimum: 0 } },
};

/** What there is with the access layer on, as method and path below `/api/service`. */
export const OPERATIONS: Record<string, Operation> = {
  "POST /login": {
    operationId: "logIn",
    summary: "Sign in, in place of the session that is presented",
    body: "Login",
    returns: "User",
    who: "anyone",
    errors: ["unauthorized", "rate_limited", "overloaded"],
    headers: SETS_COOKIE,
  },
  "POST /logout": {
    operationId: "logOut",
    summary: "Sign out",
    body: "Logout?",
    returns: "Ok",
    who: "anyone",
    headers: SETS_COOKIE,
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
    headers: SETS_COOKIE,
  },
  "GET /account/sessions": {
    operationId: "listSessions",
    summary: "List one's own live sessions, this one first and then those seen last, at most 500",
    returns: "Session[]",
    who: "user",
  },
  "DELETE /account/sessions": {
    operationId: "endOtherSessions",
    summary: "End all of one's own sessions but this one",
    returns: "Ok",
    who: "user",
  },
  "DELETE /account/sessions/{id}": {
    operationId: "endSession",
    summary: "End one of one's own sessions; if it is this one, its cookie is cleared",
    returns: "Ok",
    who: "user",
    errors: ["not_found"],
    headers: SETS_COOKIE,
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
  "GET /tokens/usage": {
    operationId: "listTokenUsage",
    summary: "What one's own tokens rendered in the last 30 days; those that rendered nothing are left out",
    returns: "TokenUsage[]",
    who: "user",
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
    summary: "List the users, all of them or a page",
    query: UsersQuery,
    returns: "User[]",
    who: "administrator",
    headers: TOTAL,
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
  "GET /users/{id}": {
    operationId: "getUser",
    summary: "One user",
    returns: "User",
    who: "administrator",
    errors: ["not_found"],
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
  "GET /users/{id}/tokens/usage": {
    operationId: "listTokenUsageOf",
    summary: "What a user's tokens rendered in the last 30 days: as that user, or as an administrator",
    returns: "TokenUsage[]",
    who: "user",
    errors: ["not_found"],
  },
  "GET /audit": {
    operationId: "readAuditTrail",
    summary: "What happened, the newest first, a page at a time",
    query: AuditQuery,
    returns: "AuditPage",
    who: "administrator",
  },
};
