import { isObject } from "#lib/json-kinds.ts";
import { findReplaced, STAND_IN } from "#lib/type/text/stand-ins.ts";
import type { FieldDeclaration } from "../fields/field-types.ts";
import type { FieldValues, Template } from "../template.ts";
import { leavesOf, withValue } from "./leaf-fields.ts";

/** Types whose values hold texts that a picture shows with glyphs. The texts of others are encoded in codes or formatted. */
const TEXT_TYPES: FieldDeclaration["type"][] = ["text", "emphasis", "code", "series"];

function mapTexts(value: unknown, map: (text: string) => string): unknown {
  if (typeof value === "string") return map(value);
  if (Array.isArray(value)) return value.map((each) => mapTexts(each, map));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, mapTexts(each, map)]));
}

/**
 * The values with boxes for characters that no font has, where there are many: the picture shows boxes in any case, and is drawn
 * faster. What is said about a picture should name the characters of the original values.
 * @throws Error when no fonts are built
 */
export function withStandIns({ fields, glyphs }: Template, values: FieldValues): FieldValues {
  const leaves = leavesOf(fields, values).filter(
    ({ declaration, value }) => value && TEXT_TYPES.includes(declaration.type),
  );
  const texts: string[] = [];
  for (const { value } of leaves) mapTexts(value, (text) => String(texts.push(text)));
  const replaced = findReplaced(texts, glyphs);
  if (replaced.size === 0) return values;
  const replace = (text: string) =>
    text.replaceAll(/[^\0-\xff]/gu, (character) => (replaced.has(character) ? STAND_IN : character));
  return leaves.reduce((all, leaf) => withValue(all, leaf, mapTexts(leaf.value, replace)), values);
}
