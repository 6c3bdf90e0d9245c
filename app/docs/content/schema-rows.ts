import type { JsonSchema } from "#lib/templates/fields/field-type.ts";
import { alternatives, typeOf } from "./schema-type.ts";
import { code } from "./table.ts";

/** Whether a reader sends what a schema describes, and so has to know what is required, or receives it. */
export type Direction = "sent" | "answered";

/** A pattern that is longer says less than its description. */
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
 * What there is to know of a value beside its type. Descriptions are Markdown, as OpenAPI says.
 * @param hasPattern whether a pattern is told, where words do not say the same
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

/** The values inside a value, with how their names begin; none where it holds none that are known. */
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

/** A row for every property of an object and of those inside it: name, type, notes. */
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
