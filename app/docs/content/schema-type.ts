import type { JsonSchema } from "#lib/templates/fields/field-type.ts";
import { code } from "./table.ts";

const REFERENCE = "#/components/schemas/";

/** The component that a schema refers to; undefined where it is no reference. */
export function referred(schema: JsonSchema): string | undefined {
  const { $ref } = schema;
  return typeof $ref === "string" && $ref.startsWith(REFERENCE) ? $ref.slice(REFERENCE.length) : undefined;
}

const isNull = ({ type }: JsonSchema) => type === "null";

/** What empties a field that is not required. */
const isEmptying = (schema: JsonSchema) => JSON.stringify(schema.enum) === '[null,""]';

/** The alternatives of a schema that are worth a word, and whether the others are `null`, or `null` and `""`. */
export function alternatives(schema: JsonSchema): { wanted: JsonSchema[]; isNullable: boolean; isEmptied: boolean } {
  const all = (schema.anyOf ?? schema.oneOf ?? [schema]) as JsonSchema[];
  const wanted = all.filter((one) => !isNull(one) && !isEmptying(one));
  return { wanted, isNullable: all.some(isNull), isEmptied: all.some(isEmptying) };
}

/** What zod calls a beginning, which a pattern beside it tells. */
const UNSPEAKING_FORMAT = "starts_with";

function plainType(schema: JsonSchema): string {
  const { type, format, contentMediaType } = schema;
  const name = Array.isArray(type) ? type.join(" or ") : String(type ?? "any value");
  const kind = contentMediaType ?? (format === UNSPEAKING_FORMAT ? undefined : format);
  return kind === undefined ? name : `${name} (${kind})`;
}

/** The type of a value, as Markdown of a few words. */
export function typeOf(schema: JsonSchema): string {
  const { wanted, isNullable } = alternatives(schema);
  const [only = schema, ...others] = wanted;
  if (isNullable || others.length > 0) return [...wanted.map(typeOf), ...(isNullable ? ["null"] : [])].join(" or ");
  const name = referred(only);
  if (name !== undefined) return `[${name}](/docs/schemas#${name.toLowerCase()})`;
  if (only.const !== undefined) return code(JSON.stringify(only.const));
  if (Array.isArray(only.enum)) return only.enum.map((value) => code(JSON.stringify(value))).join(", ");
  if (only.type === "array") return `array of ${typeOf((only.items ?? {}) as JsonSchema)}`;
  return plainType(only);
}
