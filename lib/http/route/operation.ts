import type { z } from "zod";
import type { Actor } from "#lib/access/actor.ts";
import { accessEnabled } from "#lib/config.ts";
import type { ErrorCode } from "#lib/errors.ts";
import type { AuthPolicy } from "#lib/http/identity/auth.ts";
import type { JsonSchema } from "#lib/templates/fields/field-type.ts";
import { type Declaration, type Handler, route } from "./route.ts";

/** A subject that the documentation groups operations by. */
export type Tag = { name: string; description: string };

/** A JSON Schema, and the components that it refers to as `#/components/schemas/<name>`. */
export type ReferringSchema = { schema: JsonSchema; components: Record<string, JsonSchema> };

/** The documentation of an operation, except for its checks. */
type Description = {
  method: "GET" | "POST" | "PATCH" | "DELETE";
  /** From the root, with parameters as `{id}`. It is also the label of the request metrics. */
  path: string;
  operationId: string;
  summary: string;
  /** Null leaves the operation out of the OpenAPI document: probes and the documentation itself. */
  tag: Tag | null;
  /** Error codes that the declaration does not imply. `auth`, `query` and `body` imply theirs. */
  errors?: ErrorCode[];
  /** Description of a success; `Done.` when absent. */
  success?: string;
  /** The media types of a success that is not JSON. */
  contentType?: string | readonly string[];
  /** `If-None-Match` is honoured with a 304. */
  isConditional?: true;
  /** OpenAPI header objects of a success, by name. Headers of every answer are left out. */
  headers?: Record<string, unknown>;
  /** OpenAPI parameter objects beside those of path and query: request headers. */
  parameters?: unknown[];
  /** The schema of the body that is accepted now, when it is narrower than `body`. */
  exactBody?: () => Promise<ReferringSchema>;
  /**
   * Where the `Host` is checked: in open mode when absent, otherwise in both modes (`always`) or in none (`never`). With the
   * access layer on, cookies and origins decide.
   */
  hostCheck?: "always" | "never";
  /** Whether the path exists; it always does when absent. `auth` covers the access layer. */
  isServed?: () => boolean;
};

/** An operation of the service: everything that its route, the OpenAPI document, the metrics and the documentation say. */
export type Operation = Omit<Description, "isServed"> & {
  auth: Omit<AuthPolicy<Actor>, "identify" | "permits">;
  body?: z.ZodType | undefined;
  bodyOptional?: true;
  query?: z.ZodType | undefined;
  returns?: z.ZodType | undefined;
  status?: number;
  isServed: () => boolean;
  handler: Handler;
};

export function operation<
  A extends Actor,
  Path extends string,
  Body extends z.ZodType | undefined = undefined,
  Returns extends z.ZodType | undefined = undefined,
  Query extends z.ZodType | undefined = undefined,
>(declaration: Description & { path: Path } & Declaration<A, Body, Returns, Query, Path>): Operation {
  const { handle, isServed = () => true, ...described } = declaration;
  const isInMode = () => !declaration.auth.accessLayerOnly || accessEnabled();
  return { ...described, isServed: () => isInMode() && isServed(), handler: route(declaration) };
}
