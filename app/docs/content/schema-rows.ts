import type { JsonSchema } from "#lib/templates/fields/field-type.ts";
import { code } from "./table.ts";

const REFERENCE = "#/components/schemas/";

/** The component that a schema refers to; undefined where it is not a reference. */
export function referred(schema: JsonSchema): string | undefined {
  const { $ref } = schema;
  return typeof $ref === "string" && $ref.startsWith(REFERENCE) ? $ref.slice(REFERENCE.length) : undefined;
}

const isNull = ({ type }: JsonSchema) => type === "null";

/** The values that empty an optional field. */
const isEmptying = (schema: JsonSchema) => JSON.stringify(schema.enum) === '[null,""]';

/** The alternatives of a schema other than `null` and `""`, and which of these two it accepts. */
export function alternatives(schema: JsonSchema): { wanted: JsonSchema[]; isNullable: boolean; isEmptied: boolean } {
  const all = (schema.anyOf ?? schema.oneOf ?? [schema]) as JsonSchema[];
  const wanted = all.filter((one) => !isNull(one) && !isEmptying(one));
  return { wanted, isNullable: all.some(isNull), isEmptied: all.some(isEmptying) };
}

/** The format that zod writes for `startsWith`. It is left out, because the pattern beside it says more. */
const PREFIX_FORMAT = "starts_with";

function plainType(schema: JsonSchema): string {
  const { type, format, contentMediaType } = schema;
  const name = Array.isArray(type) ? type.join(" or ") : String(type ?? "any value");
  const kind = contentMediaType ?? (format === PREFIX_FORMAT ? undefined : format);
  return kind === undefined ? name : `${name} (${kind})`;
}

/** The type of a value in a few words. Markdown. */
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

/** Whether clients send or receive the value. The words for required and optional keys depend on it. */
export type Direction = "sent" | "answered";

/** Longer patterns are left out, because the description is easier to read. */
const PATTERN_CHARS = 60;

const countable = (count: unknown, one: string) => `${count} ${count === 1 ? one : `${one}s`}`;

function limitsOf(schema: JsonSchema, hasPattern: boolean): string[] {
  const { minLength, maxLength, minimum, maximum, minItems, maxItems, pattern, format } = schema;
  const isSafe = (bound: unknown) => typeof bound === "number" && Math.abs(bound) !== Number.MAX_SAFE_INTEGER;
  return [
    ...(typeof minLength === "number" && minLength > 0 && minLength !== maxLength
      ? [`at least ${countable(minLength, "character")}`]
      : []),
    ...(typeof maxLength === "number"
      ? [`${minLength === maxLength ? "" : "at most "}${countable(maxLength, "character")}`]
      : []),
    ...(isSafe(minimum) ? [`at least ${minimum}`] : []),
    ...(isSafe(maximum) ? [`at most ${maximum}`] : []),
    ...(minItems === undefined ? [] : [`at least ${countable(minItems, "item")}`]),
    ...(maxItems === undefined ? [] : [`at most ${countable(maxItems, "item")}`]),
    ...(hasPattern && typeof pattern === "string" && format === undefined && pattern.length <= PATTERN_CHARS
      ? [`matches ${code(pattern)}`]
      : []),
  ];
}

function sentence(text: string): string {
  const trimmed = text.trim();
  return `${trimmed.charAt(0).toUpperCase()}${trimmed.slice(1)}${/[.!?]$/.test(trimmed) ? "" : "."}`;
}

/**
 * Description, limits and default of a value. Markdown, as OpenAPI says of descriptions.
 * @param hasPattern whether to include the pattern
 */
export function notesOf(schema: JsonSchema, hasPattern = true): string {
  const { wanted, isEmptied } = alternatives(schema);
  const limits = wanted.flatMap((one) => limitsOf(one, hasPattern));
  const { description, default: fallback } = schema;
  return [
    ...(typeof description === "string" ? [sentence(description)] : []),
    ...(limits.length > 0 ? [sentence(limits.join(", "))] : []),
    ...(fallback === undefined ? [] : [`${code(JSON.stringify(fallback))} when absent.`]),
    ...(isEmptied ? ['`""` or `null` empties it.'] : []),
  ].join(" ");
}

type Properties = Record<string, JsonSchema>;

/** The object inside a value, with the prefix of its keys; undefined where its keys are not known. */
function insideOf(schema: JsonSchema, name: string): { schema: JsonSchema; prefix: string } | undefined {
  const [only, ...others] = alternatives(schema).wanted;
  if (only === undefined || others.length > 0) return undefined;
  if (only.properties) return { schema: only, prefix: `${name}.` };
  if (only.type === "array") return insideOf((only.items ?? {}) as JsonSchema, `${name}[]`);
  const { additionalProperties } = only;
  if (typeof additionalProperties === "object" && additionalProperties !== null)
    return insideOf(additionalProperties as JsonSchema, `${name}.*`);
  return undefined;
}

/** A row for every key of an object and of the objects inside it: name, type, notes. */
export function schemaRows(schema: JsonSchema, direction: Direction, prefix = ""): string[][] {
  const required = (schema.required ?? []) as string[];
  return Object.entries((schema.properties ?? {}) as Properties).flatMap(([key, property]) => {
    const name = `${prefix}${key}`;
    const isRequired = required.includes(key);
    const presence = direction === "sent" ? isRequired && "required" : !isRequired && "may be absent";
    const row = [code(name), [typeOf(property), presence].filter(Boolean).join(", "), notesOf(property)];
    const inside = insideOf(property, name);
    return [row, ...(inside ? schemaRows(inside.schema, direction, inside.prefix) : [])];
  });
}
