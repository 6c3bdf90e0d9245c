import type { JsonSchema } from "#lib/templates/fields/field-type.ts";
import type { OpenApi, Sources } from "../sources.ts";
import { RENDER_COMPONENT } from "./api-operation.ts";
import { exampleOf } from "./schema-example.ts";
import { referred, schemaRows } from "./schema-rows.ts";
import { example, parts, table } from "./table.ts";

/** The components of request bodies. */
function sentComponents({ paths }: OpenApi): Set<string> {
  const operations = Object.values(paths).flatMap((item) => Object.values(item));
  const schemas = operations.map(({ requestBody }) => requestBody?.content["application/json"]?.schema);
  return new Set(schemas.flatMap((schema) => (schema && referred(schema)) ?? []));
}

function schemaPart(name: string, schema: JsonSchema, document: OpenApi): string {
  const direction = sentComponents(document).has(name) ? "sent" : "answered";
  const rows = schemaRows(schema, direction);
  if (rows.length === 0) return parts(`### ${name}`, "An object without any keys.");
  return parts(
    `### ${name}`,
    table(["key", "type", "about"], rows),
    direction === "answered" && example(name, exampleOf(schema, document.components.schemas)),
  );
}

const INTRODUCTION = `The JSON of requests and answers in the [API reference](/docs/api). A dot leads into an object, \`[]\` into every item of an
array, and \`.*\` into every value of an object whose keys are names.`;

/** Every schema, with an example of each answer. The schemas of templates have their own pages. */
export async function writeSchemas({ document }: Sources): Promise<string> {
  const described = await document();
  const schemas = Object.entries(described.components.schemas).filter(([name]) => !name.startsWith(RENDER_COMPONENT));
  return parts(
    INTRODUCTION,
    "## Schemas by name",
    ...schemas.map(([name, schema]) => schemaPart(name, schema, described)),
  );
}
