import { accessEnabled, VERSION } from "#lib/config.ts";
import { type ErrorCode, STATUS_OF_CODE } from "#lib/errors.ts";
import type { Who } from "#lib/http/identity/auth.ts";
import type { Operation, ReferringSchema, Tag } from "#lib/http/route/operation.ts";
import { ErrorAnswer } from "#lib/schemas/error.ts";
import { PAYLOAD_CHARS } from "#lib/schemas/link-limits.ts";
import { queryParameters, referringSchema } from "./schemas.ts";

const BODY_ERRORS: ErrorCode[] = [
  "invalid_json",
  "invalid_request",
  "request_timeout",
  "payload_too_large",
  "unsupported_media_type",
];

/** Any operation may return these: an internal fault, a dependency that does not answer, a faulty configuration. */
const SERVICE_ERRORS: ErrorCode[] = ["internal", "unavailable", "misconfigured"];

const SECURITY_SCHEMES = {
  session: {
    type: "apiKey",
    in: "cookie",
    name: "service_session",
    description:
      "Set by a login. A request that changes something also needs an Origin header with the service's own origin.",
  },
  token: { type: "http", scheme: "bearer", description: "An API token, for rendering only." },
};

/** The security schemes that authorise a request, by who may act. */
const SCHEMES: Record<Who, (keyof typeof SECURITY_SCHEMES)[]> = {
  anyone: [],
  user: ["session"],
  "user or token": ["token", "session"],
  administrator: ["session"],
};

const PATH_PARAMETERS: Record<string, unknown> = {
  id: { description: "The id of a user, a token or a session.", schema: { type: "string", format: "uuid" } },
  keyId: { description: "The id of the key that signed the link.", schema: { type: "string" } },
  signature: {
    description: "HMAC-SHA-256 over `<key id>/<payload>` with the key's secret, in unpadded base64url.",
    schema: { type: "string", pattern: "^[A-Za-z0-9_-]{43}$" },
  },
  payload: {
    description:
      "Canonical JSON (RFC 8785) in unpadded base64url: `template`, and optionally `variant`, `data`, `expires` and `fallback`.",
    schema: { type: "string", pattern: "^[A-Za-z0-9_-]+$", maxLength: PAYLOAD_CHARS },
  },
  slug: { description: "The template's slug. Its slashes are sent as they are.", schema: { type: "string" } },
};

function schemesOf({ auth }: Operation): string[] {
  return accessEnabled() ? SCHEMES[auth.who] : [];
}

/** Every code that the operation can answer with, beside those of every path (`not_found`, `method_not_allowed`). */
function errorsOf(operation: Operation): ErrorCode[] {
  const { auth, method, query, body, errors = [] } = operation;
  const isGuarded = schemesOf(operation).length > 0;
  const implied: [unknown, ErrorCode[]][] = [
    [isGuarded, ["unauthorized"]],
    [method !== "GET" && (isGuarded || auth.sameOrigin || auth.ownSite), ["origin_mismatch"]],
    [isGuarded && auth.who === "administrator", ["forbidden"]],
    [!accessEnabled(), ["misdirected_request"]],
    [query, ["invalid_request"]],
    [body, BODY_ERRORS],
  ];
  return [...implied.flatMap(([applies, codes]) => (applies ? codes : [])), ...errors, ...SERVICE_ERRORS];
}

/** Registers the components of a schema, and returns the JSON Schema that refers to them. */
type Refer = (schema: ReferringSchema) => unknown;

function errorResponses(codes: ErrorCode[], refer: Refer): Record<string, unknown> {
  const byStatus = Map.groupBy(new Set(codes), (code) => STATUS_OF_CODE[code]);
  const content = { "application/json": { schema: refer(referringSchema(ErrorAnswer, "output")) } };
  return Object.fromEntries(
    [...byStatus].map(([status, names]) => [status, { description: names.join(", "), content }]),
  );
}

function successResponses(operation: Operation, refer: Refer): Record<string, unknown> {
  const { status = 200, success = "Done.", returns, contentType = "", headers, isConditional } = operation;
  // OpenAPI 3.1 describes bytes by their media type alone. Generated clients know them by the format of 3.0.
  const bytesOf = (type: string) => [type, { schema: { type: "string", format: "binary", contentMediaType: type } }];
  const content = returns
    ? { "application/json": { schema: refer(referringSchema(returns, "output")) } }
    : Object.fromEntries([contentType].flat().map(bytesOf));
  return {
    [status]: { description: success, ...(headers && { headers }), content },
    ...(isConditional && { 304: { description: "`If-None-Match` names the picture." } }),
  };
}

function parametersOf({ path, query, parameters = [] }: Operation): unknown[] {
  const ofPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => {
    return { name, in: "path", required: true, ...(PATH_PARAMETERS[name] as object) };
  });
  return [...ofPath, ...(query ? queryParameters(query) : []), ...parameters];
}

async function describe(operation: Operation, refer: Refer): Promise<unknown> {
  const { operationId, summary, tag, body, bodyOptional, exactBody } = operation;
  const parameters = parametersOf(operation);
  const sent = exactBody ? await exactBody() : body && referringSchema(body, "input");
  return {
    tags: [tag?.name],
    operationId,
    summary,
    security: schemesOf(operation).map((scheme) => ({ [scheme]: [] })),
    ...(parameters.length > 0 && { parameters }),
    ...(sent && { requestBody: { required: !bodyOptional, content: { "application/json": { schema: refer(sent) } } } }),
    responses: { ...successResponses(operation, refer), ...errorResponses(errorsOf(operation), refer) },
  };
}

function tagsOf(operations: Operation[]): Tag[] {
  return [...new Set(operations.flatMap(({ tag }) => tag ?? []))];
}

/** Without an origin, the paths are those of the server that the document comes from. */
function serverOf(origin: string | undefined): { url: string; description: string } {
  return origin
    ? { url: origin, description: "This service." }
    : { url: "/", description: "The server of this document." };
}

/**
 * The OpenAPI 3.1 document of those operations that are served now and have a tag.
 * @param origin the public origin of the service, if it has one
 */
export async function openApiDocument(
  operations: readonly Operation[],
  origin?: string,
): Promise<Record<string, unknown>> {
  const served = operations.filter(({ tag, isServed }) => tag !== null && isServed());
  const schemas: Record<string, unknown> = {};
  const refer: Refer = ({ schema, components }) => {
    Object.assign(schemas, components);
    return schema;
  };
  const paths: Record<string, Record<string, unknown>> = {};
  for (const operation of served) {
    paths[operation.path] ??= {};
    Object.assign(paths[operation.path] ?? {}, { [operation.method.toLowerCase()]: await describe(operation, refer) });
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Platen",
      version: VERSION,
      description: "Turns a named template and a few field edits into a PNG.",
    },
    servers: [serverOf(origin)],
    tags: tagsOf(served),
    paths,
    components: { schemas, ...(accessEnabled() && { securitySchemes: SECURITY_SCHEMES }) },
  };
}
