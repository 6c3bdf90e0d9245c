import type { ReferringSchema } from "#lib/http/route/operation.ts";
import type { JsonSchema } from "#lib/templates/fields/field-type.ts";
import { type FieldDeclaration, fieldType } from "#lib/templates/fields/field-types.ts";
import { getRegistry } from "#lib/templates/registry.ts";
import type { Template } from "#lib/templates/template.ts";

/** The values of a field. An optional field also takes `null` and `""`, which empty it. */
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

function bodySchema(template: Template): JsonSchema {
  const { slug, title, variants, defaultVariant } = template;
  return {
    title,
    type: "object",
    required: ["template"],
    additionalProperties: false,
    properties: {
      template: { const: slug },
      // Not as `default`: generated clients take a key that has one for required.
      variant: { enum: Object.keys(variants), description: `Without it, "${defaultVariant}".` },
      data: dataSchema(template),
    },
  };
}

/** The bodies that the render operation accepts: one component for each template that is served now. */
export async function renderBody(): Promise<ReferringSchema> {
  const { templates } = await getRegistry();
  const named = templates.map((template) => [`Render.${template.slug.replaceAll("/", ".")}`, template] as const);
  const oneOf = named.map(([name]) => ({ $ref: `#/components/schemas/${name}` }));
  return {
    schema: oneOf.length > 0 ? { oneOf } : { not: {} },
    components: Object.fromEntries(named.map(([name, template]) => [name, bodySchema(template)])),
  };
}
