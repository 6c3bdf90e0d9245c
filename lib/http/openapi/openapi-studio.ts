import type { ErrorCode } from "#lib/errors.ts";
import { ScriptsQuery, StatusReport } from "#lib/schemas/status-report.ts";
import { ThumbnailQuery } from "#lib/schemas/thumbnail.ts";
import {
  errorResponses,
  jsonContent,
  parametersOf,
  pathParameter,
  SERVICE_ERRORS,
  schemaOf,
} from "./openapi-operations.ts";

/** What an operation asks for, and how it refuses. */
type Guarded = { security: unknown[]; errors: ErrorCode[] };

/** What goes wrong with a picture that nobody has edited. */
const DRAWING_ERRORS: ErrorCode[] = ["render_failed", "overloaded", "render_timeout", ...SERVICE_ERRORS];

/** Who may see templates and who may look inside, with the errors of an operation beside those of not being let in. */
type Guards = Record<"viewer" | "inspector", (own: ErrorCode[]) => Guarded>;

function keptImage(type: string, description: string): Record<string, unknown> {
  return {
    200: {
      description,
      headers: {
        ETag: { description: "Names everything that the picture was made of.", schema: { type: "string" } },
        "Cache-Control": { description: "`private`: for whoever was let in.", schema: { type: "string" } },
      },
      content: { [type]: { schema: { type: "string", contentMediaType: type } } },
    },
    304: { description: "`If-None-Match` names the picture." },
  };
}

function thumbnailOperation(guards: Guards): unknown {
  const { security, errors } = guards.viewer([
    "invalid_request",
    "unknown_template",
    "unknown_variant",
    ...DRAWING_ERRORS,
  ]);
  return {
    operationId: "getThumbnail",
    summary: "A small picture of a template's variant, from its own content",
    security,
    parameters: [
      pathParameter("slug", "The template's slug. Its slashes are sent as they are.", { type: "string" }),
      ...parametersOf(ThumbnailQuery),
    ],
    responses: { ...keptImage("image/webp", "The picture."), ...errorResponses(errors) },
  };
}

function statusOperation(guards: Guards): unknown {
  const { security, errors } = guards.inspector(SERVICE_ERRORS);
  return {
    operationId: "getStatus",
    summary: "What the service stands on, and what to do where something is wrong",
    security,
    responses: {
      200: { description: "The report, whatever it says.", content: jsonContent("StatusReport") },
      ...errorResponses(errors),
    },
  };
}

function scriptsOperation(guards: Guards): unknown {
  const { security, errors } = guards.inspector(["invalid_request", ...DRAWING_ERRORS]);
  return {
    operationId: "getScriptSamples",
    summary: "A few words in every script, as the browser draws them",
    security,
    parameters: parametersOf(ScriptsQuery),
    responses: { ...keptImage("image/png", "The picture."), ...errorResponses(errors) },
  };
}

/** What those operations answer, by component name. */
export function studioSchemas(): Record<string, unknown> {
  return { StatusReport: schemaOf(StatusReport) };
}

/** What the service's own pages ask beside what everyone does. */
export function studioPaths(guards: Guards): Record<string, Record<string, unknown>> {
  return {
    "/api/service/thumbnails/{slug}": { get: thumbnailOperation(guards) },
    "/api/service/status": { get: statusOperation(guards) },
    "/api/service/status/scripts": { get: scriptsOperation(guards) },
  };
}
