import { z } from "zod";
import type { ReferringSchema } from "#lib/http/route/operation.ts";
import type { JsonSchema } from "#lib/templates/fields/field-type.ts";

/** Whether a schema describes a request or a response. They differ by defaults and transformations. */
type Direction = "input" | "output";

/** A schema as JSON Schema, without references. */
export function inlineSchema(schema: z.ZodType, io: Direction = "output"): JsonSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io }) as JsonSchema;
  return rest;
}

/** A schema as JSON Schema, where every schema with an id (`.meta({ id })`) is a reference to a component. */
export function referringSchema(schema: z.ZodType, io: Direction): ReferringSchema {
  // zod never makes the root a reference, so it becomes the item of an array.
  const { items, $defs = {} } = inlineSchema(z.array(schema), io);
  return JSON.parse(
    JSON.stringify({ schema: items, components: $defs }).replaceAll('"#/$defs/', '"#/components/schemas/'),
  );
}

/** The OpenAPI parameters of a query. */
export function queryParameters(query: z.ZodType): unknown[] {
  const { properties, required } = inlineSchema(query, "input") as {
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
