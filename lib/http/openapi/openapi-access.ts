import type { z } from "zod";
import type { ErrorCode } from "#lib/errors.ts";
import { ChangePassword, UpdateAccount } from "#lib/schemas/account.ts";
import { AuditPage } from "#lib/schemas/audit.ts";
import { Login, Logout } from "#lib/schemas/login.ts";
import { Session } from "#lib/schemas/session.ts";
import { Ok } from "#lib/schemas/status.ts";
import { CreatedToken, CreateToken, Token } from "#lib/schemas/token.ts";
import { TokenUsage } from "#lib/schemas/usage.ts";
import { CreateUser, SetPassword, UpdateUser, User } from "#lib/schemas/user.ts";
import { OPERATIONS, type Operation } from "./access-operations.ts";
import {
  BODY_ERRORS,
  errorResponses,
  jsonContent,
  parametersOf,
  pathParameter,
  SERVICE_ERRORS,
  schemaOf,
} from "./openapi-operations.ts";

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

const ANSWERED: Record<string, z.ZodType> = { Ok, User, Session, Token, CreatedToken, TokenUsage, AuditPage };

/** What the access operations send and answer, by component name. */
export function accessSchemas(): Record<string, unknown> {
  return Object.fromEntries([
    ...Object.entries(SENT).map(([name, schema]) => [name, schemaOf(schema, "input")]),
    ...Object.entries(ANSWERED).map(([name, schema]) => [name, schemaOf(schema)]),
  ]);
}

const idParameter = pathParameter("id", "The id of a user, a token or a session.", { type: "string", format: "uuid" });

function errorsOf(method: string, { who, query, body, errors = [] }: Operation): ErrorCode[] {
  return [
    ...(query ? (["invalid_request"] as const) : []),
    ...(body ? BODY_ERRORS : []),
    ...(who === "anyone" ? [] : (["unauthorized"] as const)),
    ...(who === "administrator" ? (["forbidden"] as const) : []),
    ...(method === "get" ? [] : (["origin_mismatch"] as const)),
    ...errors,
    ...SERVICE_ERRORS,
  ];
}

function describe(method: string, path: string, operation: Operation): unknown {
  const { operationId, summary, query, body, returns, status = 200, who, headers } = operation;
  const parameters = [...(path.includes("{id}") ? [idParameter] : []), ...(query ? parametersOf(query) : [])];
  return {
    operationId,
    summary,
    security: who === "anyone" ? [] : [{ session: [] }],
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: { required: !body.endsWith("?"), content: jsonContent(body.replace("?", "")) } }),
    responses: {
      [status]: { description: "Done.", content: jsonContent(returns), ...(headers && { headers }) },
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
