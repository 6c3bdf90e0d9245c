import { z } from "zod";
import { type ErrorCode, STATUS_OF_CODE } from "#lib/errors.ts";
import type { JsonSchema } from "#lib/templates/fields/field-type.ts";

/** The JSON Schema of what is sent (`input`) or answered (`output`). */
export function schemaOf(schema: z.ZodType, io: "input" | "output" = "output"): JsonSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io }) as JsonSchema;
  return rest;
}

const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` });

/** JSON of a component, or an array of it where the name ends in `[]`. */
export function jsonContent(name: string): Record<string, unknown> {
  const isArray = name.endsWith("[]");
  const schema = isArray ? { type: "array", items: reference(name.slice(0, -2)) } : reference(name);
  return { "application/json": { schema } };
}

/** The errors of every operation with a JSON body. */
export const BODY_ERRORS: ErrorCode[] = [
  "invalid_json",
  "invalid_request",
  "payload_too_large",
  "unsupported_media_type",
];

/** The errors of every operation that asks the database or depends on its configuration. */
export const SERVICE_ERRORS: ErrorCode[] = ["internal", "unavailable", "misconfigured"];

/** The answers that an operation can give beside its success, by status. */
export function errorResponses(codes: ErrorCode[]): Record<string, unknown> {
  const statuses = [...new Set(codes.map((code) => STATUS_OF_CODE[code]))].toSorted();
  return Object.fromEntries(
    statuses.map((status) => {
      const description = codes.filter((code) => STATUS_OF_CODE[code] === status).join(", ");
      return [status, { description, content: jsonContent("Error") }];
    }),
  );
}

/** The parameters that a query's schema wants. */
export function parametersOf(query: z.ZodType): unknown[] {
  const { properties, required } = schemaOf(query, "input") as {
    properties: Record<string, JsonSchema>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: "query",
    required: required?.includes(name) ?? false,
    ...(description !== undefined && { description }),
    schema,
  }));
}

/** A parameter of the path. */
export function pathParameter(name: string, description: string, schema: JsonSchema): unknown {
  return { name, in: "path", required: true, description, schema };
}
