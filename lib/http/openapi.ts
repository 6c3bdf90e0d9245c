import { z } from "zod";
import { STATUS_OF_CODE } from "#lib/errors.ts";
import { ErrorAnswer } from "#lib/schemas/error.ts";
import { TemplateDetail, TemplateSummary } from "#lib/schemas/template.ts";
import type { JsonSchema } from "#lib/templates/fields/field-type.ts";
import { type FieldDeclaration, fieldType } from "#lib/templates/fields/field-types.ts";
import { getRegistry } from "#lib/templates/registry.ts";
import type { Template } from "#lib/templates/template.ts";

function schemaOf(schema: z.ZodType): JsonSchema {
  const { $schema: _, id: __, ...rest } = z.toJSONSchema(schema, { io: "output" }) as JsonSchema;
  return rest;
}

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

const jsonContent = (name: string) => ({ "application/json": { schema: { $ref: `#/components/schemas/${name}` } } });

/** The answers that an operation can give beside its success, by status. */
function errorResponses(...codes: (keyof typeof STATUS_OF_CODE)[]): Record<string, unknown> {
  const statuses = [...new Set(codes.map((code) => STATUS_OF_CODE[code]))].toSorted();
  return Object.fromEntries(
    statuses.map((status) => {
      const description = codes.filter((code) => STATUS_OF_CODE[code] === status).join(", ");
      return [status, { description, content: jsonContent("Error") }];
    }),
  );
}

function renderOperation(templates: Template[]): unknown {
  const oneOf = templates.map(({ slug }) => ({ $ref: `#/components/schemas/${componentName(slug)}` }));
  return {
    operationId: "renderImage",
    summary: "Render a template to a PNG",
    requestBody: {
      required: true,
      content: { "application/json": { schema: oneOf.length > 0 ? { oneOf } : { not: {} } } },
    },
    responses: {
      200: {
        description: "The picture, at exactly the template's width and height.",
        content: { "image/png": { schema: { type: "string", contentMediaType: "image/png" } } },
      },
      ...errorResponses(
        ...(["invalid_json", "invalid_request", "payload_too_large", "unsupported_media_type"] as const),
        ...([
          "unknown_template",
          "unknown_variant",
          "invalid_data",
          "image_rejected",
          "internal",
          "render_failed",
        ] as const),
        ...(["overloaded", "unavailable", "misconfigured", "render_timeout"] as const),
      ),
    },
  };
}

const slugParameter = {
  name: "slug",
  in: "path",
  required: true,
  description: "The template's slug. Its slashes are sent as they are.",
  schema: { type: "string" },
};

function discoveryPaths(): Record<string, unknown> {
  const list = {
    "application/json": { schema: { type: "array", items: { $ref: "#/components/schemas/TemplateSummary" } } },
  };
  return {
    "/api/service/templates": {
      get: {
        operationId: "listTemplates",
        summary: "List the templates",
        responses: {
          200: { description: "Every template.", content: list },
          ...errorResponses("unavailable", "misconfigured"),
        },
      },
    },
    "/api/service/templates/{slug}": {
      get: {
        operationId: "describeTemplate",
        summary: "Describe a template, with each variant's values",
        parameters: [slugParameter],
        responses: {
          200: { description: "The template.", content: jsonContent("TemplateDetail") },
          ...errorResponses("not_found", "unavailable", "misconfigured"),
        },
      },
    },
  };
}

/** The OpenAPI 3.1 document of the service, with the exact `data` of each template that is served now. */
export async function openApiDocument(): Promise<Record<string, unknown>> {
  const { templates } = await getRegistry();
  return {
    openapi: "3.1.0",
    info: { title: "Platen", version: "1", description: "Turns a named template and a few field edits into a PNG." },
    paths: { "/api/service/images/render": { post: renderOperation(templates) }, ...discoveryPaths() },
    components: {
      schemas: {
        Error: schemaOf(ErrorAnswer),
        TemplateSummary: schemaOf(TemplateSummary),
        TemplateDetail: schemaOf(TemplateDetail),
        ...Object.fromEntries(templates.map((template) => [componentName(template.slug), requestSchema(template)])),
      },
    },
  };
}
