import type { JsonSchema } from "#lib/templates/fields/field-type.ts";
import { alternatives, referred } from "./schema-rows.ts";

/** Values that a reader recognises, by key. */
const BY_NAME: Record<string, unknown> = {
  email: "ada@example.com",
  name: "Ada Lovelace",
  slug: "social/quote",
  template: "social/quote",
  message: "What the service got, and what it wants.",
  requestId: "01KAGD2Z6Q8S5E4K2V9X7B3M1N",
  path: "/data/title",
  tokenPrefix: "svc_1a2B3c4D",
  token: "svc_…",
  address: "192.0.2.7",
};

const BY_FORMAT: Record<string, unknown> = {
  uuid: "0197c3a0-5b1e-7c42-9d3f-2a6b8c1d4e5f",
  "date-time": "2026-05-01T09:30:00.000Z",
  date: "2026-05-01",
  email: "ada@example.com",
  password: "correct horse battery staple",
};

type Components = Record<string, JsonSchema>;

function objectExample(schema: JsonSchema, components: Components): Record<string, unknown> {
  const properties = Object.entries((schema.properties ?? {}) as Components);
  return Object.fromEntries(properties.map(([name, property]) => [name, exampleOf(property, components, name)]));
}

/** A value that the schema accepts. */
export function exampleOf(schema: JsonSchema, components: Components, name = ""): unknown {
  const [only = schema] = alternatives(schema).wanted;
  const component = referred(only);
  if (component !== undefined) return exampleOf(components[component] ?? {}, components, name);
  if (only.const !== undefined) return only.const;
  if (Array.isArray(only.examples)) return only.examples[0];
  if (Array.isArray(only.enum)) return only.enum[0];
  if (only.properties) return objectExample(only, components);
  const type = Array.isArray(only.type) ? only.type[0] : only.type;
  if (type === "array") return [exampleOf((only.items ?? {}) as JsonSchema, components, name)];
  if (type === "object") return {};
  if (type === "integer" || type === "number") return Math.max(1, Number(only.minimum ?? 1));
  if (type === "boolean") return true;
  return BY_FORMAT[String(only.format)] ?? BY_NAME[name] ?? "…";
}
