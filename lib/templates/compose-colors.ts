import { composeOver } from "#lib/type/contrast/colors.ts";
import { isHexColor } from "./fields/color.ts";
import type { FieldDeclaration } from "./fields/field-types.ts";
import { imageColorOf } from "./images/color-names.ts";
import { colorsOf, hasColors, type ImageValue } from "./images/image-value.ts";

type Declarations = Record<string, FieldDeclaration>;
type FieldValues = Record<string, unknown>;

function groundNameOf(fields: Declarations, name: string): string | undefined {
  const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
  return field?.type === "color" ? field.over : undefined;
}

/** Says why the `over` of a colour field cannot be used: it names no colour, or leads back to the field itself. */
export function groundFault(fields: Declarations, name: string): string | undefined {
  const ground = groundNameOf(fields, name);
  if (ground === undefined || isHexColor(ground)) return undefined;
  if (!Object.hasOwn(fields, ground) || fields[ground]?.type !== "color")
    return `Got "${ground}", want a hex colour or the name of another color field.`;
  const seen = [name];
  for (let next: string | undefined = ground; next !== undefined; next = groundNameOf(fields, next)) {
    if (seen.includes(next)) return `Got "${ground}", which leads back to "${next}". Want a colour that does not.`;
    seen.push(next);
  }
  return undefined;
}

/**
 * The colour that a field has where nobody gives one: that of an image, or else its default. An image in which no colour was
 * found counts as none, such as the placeholder of one that could not be fetched.
 */
function drawnColor(fields: Declarations, values: FieldValues, name: string): unknown {
  const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
  if (field?.type !== "color" || field.from === undefined) return undefined;
  const { image = "", color } = imageColorOf(field.from) ?? {};
  const value = values[image] as ImageValue | null | undefined;
  const fallback = typeof field.default === "string" ? field.default.toLowerCase() : undefined;
  if (!value || !color) return fallback;
  return hasColors(value) ? colorsOf(value)[color] : (fallback ?? colorsOf(value)[color]);
}

/** Finds the colours of fields, each drawn on the ground that it declares. A colour that others lie over is found once. */
function colorFinder(fields: Declarations, values: FieldValues): (name: string) => string | undefined {
  const known = new Map<string, string | undefined>();
  const find = (name: string): string | undefined => {
    const value = values[name] ?? drawnColor(fields, values, name);
    if (typeof value !== "string") return undefined;
    const ground = groundNameOf(fields, name);
    if (ground === undefined) return value;
    return composeOver(value, isHexColor(ground) ? ground : colorOf(ground));
  };
  const colorOf = (name: string) => {
    if (!known.has(name)) known.set(name, find(name));
    return known.get(name);
  };
  return colorOf;
}

/** Whether the colour that a viewer sees may be another one than the value. */
function isComposed(field: FieldDeclaration | undefined): boolean {
  return field?.type === "color" && (field.over !== undefined || field.from !== undefined);
}

/**
 * Replaces each colour that declares `over` by the opaque colour that a viewer sees, and gives those that declare `from` the
 * colour of their image.
 */
export function composeColors(fields: Declarations, values: FieldValues): FieldValues {
  const names = Object.keys(fields).filter((name) => isComposed(fields[name]));
  const colorOf = colorFinder(fields, values);
  const composed = names.flatMap((name) => {
    const color = colorOf(name);
    return color === undefined ? [] : [[name, color]];
  });
  return { ...values, ...Object.fromEntries(composed) };
}
