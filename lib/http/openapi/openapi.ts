import { accessEnabled } from "#lib/config.ts";
import type { ErrorCode } from "#lib/errors.ts";
import { ErrorAnswer } from "#lib/schemas/error.ts";
import { TemplateDetail, TemplateSummary } from "#lib/schemas/template.ts";
import type { JsonSchema } from "#lib/templates/fields/field-type.ts";
import { type FieldDeclaration, fieldType } from "#lib/templates/fields/field-types.ts";
import { getRegistry } from "#lib/templates/registry.ts";
import type { Template } from "#lib/templates/template.ts";
import { accessPaths, accessSchemas, SECURITY_SCHEMES } from "./openapi-access.ts";
import { PICTURE_HEADERS, PREFER_PARAMETER } from "./openapi-headers.ts";
import {
  BODY_ERRORS,
  errorResponses,
  jsonContent,
  pathParameter,
  SERVICE_ERRORS,
  schemaOf,
} from "./openapi-operations.ts";
import { studioPaths, studioSchemas } from "./openapi-studio.ts";
import { taggedPaths, usedTags } from "./openapi-tags.ts";

/** What a field accepts; an optional one also `null`, which empties it. */
function fieldSchema(declaration: FieldDeclaration): JsonSchema {
  const schema = fieldType(declaration).jsonSchema(declaration);
  const { label, description, required } = declaration;
  return {
    title: label,
    ...(description && { description }),
    ...(required ? schema : { anyOf: [schema, { enum: [null, ""] }] }),
  };
}

function dataSchema({ slug, fields }: Template): JsonSchema {
  const properties = Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, fieldSchema(field)]));
  return { type: "object", description: `Edits for the fields of "${slug}".`, properties, additionalProperties: false };
}

function requestSchema(template: Template): JsonSchema {
  const { slug, title, variants, defaultVariant } = template;
  return {
    title,
    type: "object",
    required: ["template"],
    additionalProperties: false,
    properties: {
      template: { const: slug },
      variant: { enum: Object.keys(variants), default: defaultVariant },
      data: dataSchema(template),
    },
  };
}

function componentName(slug: string): string {
  return `Render.${slug.replaceAll("/", ".")}`;
}

const RENDER_ERRORS: ErrorCode[] = [
  ...BODY_ERRORS,
  "unknown_template",
  "unknown_variant",
  "invalid_data",
  "image_rejected",
  "render_failed",
  "overloaded",
  "render_timeout",
  ...SERVICE_ERRORS,
];

/** What an operation asks for with the access layer on, and how it refuses without. */
type Guard = { security: Record<string, string[]>[]; errors: ErrorCode[] };

const BY_TOKEN_OR_SESSION: Guard = {
  security: [{ token: [] }, { session: [] }],
  errors: ["unauthorized", "origin_mismatch"],
};

const BY_SESSION: Guard = { security: [{ session: [] }], errors: ["unauthorized"] };

const BY_ADMINISTRATOR: Guard = { security: [{ session: [] }], errors: ["unauthorized", "forbidden"] };

function guarded({ security, errors }: Guard, own: ErrorCode[]): { security: unknown[]; errors: ErrorCode[] } {
  return accessEnabled() ? { security, errors: [...errors, ...own] } : { security: [], errors: own };
}

function renderOperation(templates: Template[]): unknown {
  const oneOf = templates.map(({ slug }) => ({ $ref: `#/components/schemas/${componentName(slug)}` }));
  const { security, errors } = guarded(BY_TOKEN_OR_SESSION, RENDER_ERRORS);
  return {
    operationId: "renderImage",
    summary: "Render a template to a PNG",
    security,
    parameters: [PREFER_PARAMETER],
    requestBody: {
      required: true,
      content: { "application/json": { schema: oneOf.length > 0 ? { oneOf } : { not: {} } } },
    },
    responses: {
      200: {
        description: "The picture, at exactly the template's width and height.",
        headers: PICTURE_HEADERS,
        content: { "image/png": { schema: { type: "string", contentMediaType: "image/png" } } },
      },
      ...errorResponses(errors),
    },
  };
}

const slugParameter = pathParameter("slug", "The template's slug. Its slashes are sent as they are.", {
  type: "string",
});

function discoveryPaths(): Record<string, Record<string, unknown>> {
  const list = guarded(BY_SESSION, SERVICE_ERRORS);
  const detail = guarded(BY_SESSION, ["not_found", ...SERVICE_ERRORS]);
  return {
    "/api/service/templates": {
      get: {
        operationId: "listTemplates",
        summary: "List the templates",
        security: list.security,
        responses: {
          200: { description: "Every template.", content: jsonContent("TemplateSummary[]") },
          ...errorResponses(list.errors),
        },
      },
    },
    "/api/service/templates/{slug}": {
      get: {
        operationId: "describeTemplate",
        summary: "Describe a template, with each variant's values",
        security: detail.security,
        parameters: [slugParameter],
        responses: {
          200: { description: "The template.", content: jsonContent("TemplateDetail") },
          ...errorResponses(detail.errors),
        },
      },
    },
  };
}

/**
 * The OpenAPI 3.1 document of the service, with the exact `data` of each template that is served now, and with the access
 * operations where there are any.
 */
export async function openApiDocument(): Promise<Record<string, unknown>> {
  const { templates } = await getRegistry();
  const isGuarded = accessEnabled();
  const paths = {
    "/api/service/images/render": { post: renderOperation(templates) },
    ...discoveryPaths(),
    ...studioPaths({
      viewer: (own) => guarded(BY_SESSION, own),
      inspector: (own) => guarded(BY_ADMINISTRATOR, own),
    }),
    ...(isGuarded && accessPaths()),
  };
  return {
    openapi: "3.1.0",
    info: { title: "Platen", version: "1", description: "Turns a named template and a few field edits into a PNG." },
    tags: usedTags(paths),
    paths: taggedPaths(paths),
    components: {
      schemas: {
        Error: schemaOf(ErrorAnswer),
        TemplateSummary: schemaOf(TemplateSummary),
        TemplateDetail: schemaOf(TemplateDetail),
        ...studioSchemas(),
        ...(isGuarded && accessSchemas()),
        ...Object.fromEntries(templates.map((template) => [componentName(template.slug), requestSchema(template)])),
      },
      ...(isGuarded && { securitySchemes: SECURITY_SCHEMES }),
    },
  };
}
