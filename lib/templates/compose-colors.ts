import { composeOver } from "#lib/type/contrast/colors.ts";
import { isHexColor } from "./fields/color.ts";
import type { FieldDeclaration } from "./fields/field-types.ts";

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

/** The colour of a field, drawn on the ground that it declares. */
function colorOf(fields: Declarations, values: FieldValues, name: string): string | undefined {
  const value = values[name];
  if (typeof value !== "string") return undefined;
  const ground = groundNameOf(fields, name);
  if (ground === undefined) return value;
  return composeOver(value, isHexColor(ground) ? ground : colorOf(fields, values, ground));
}

/** Replaces each colour that declares `over` by the opaque colour that a viewer sees. */
export function composeColors(fields: Declarations, values: FieldValues): FieldValues {
  const names = Object.keys(fields).filter((name) => groundNameOf(fields, name) !== undefined);
  const composed = names.flatMap((name) => {
    const color = colorOf(fields, values, name);
    return color === undefined ? [] : [[name, color]];
  });
  return { ...values, ...Object.fromEntries(composed) };
}
