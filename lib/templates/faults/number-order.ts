import { type Issue, pointer } from "#lib/errors.ts";
import type { FieldDeclaration } from "../fields/field-types.ts";

type Numbers = {
  fields: Record<string, FieldDeclaration>;
  /** The checked values of a picture. */
  values: Record<string, unknown>;
  /** Those of them that a request or a variant names. The others are those of the variant, or defaults. */
  given: Record<string, unknown>;
  /** Whether they are edits of a variant. */
  isEdit: boolean;
};

/**
 * The faults of numbers above the one that their declaration names with `atMost`, such as page 5 of 3.
 * @param path JSON Pointer of the object that holds the given values
 */
export function numberOrderFaults({ fields, values, given, isEdit }: Numbers, path: string): Issue[] {
  return Object.entries(fields).flatMap(([name, field]): Issue[] => {
    if (field.type !== "number" || field.atMost === undefined) return [];
    const [value, most] = [values[name], values[field.atMost]];
    if (typeof value !== "number" || typeof most !== "number" || value <= most) return [];
    const isOwn = Object.hasOwn(given, name);
    const [at, got, want] = isOwn
      ? [name, value, `at most ${most}, which is "${field.atMost}"`]
      : [field.atMost, most, `at least ${value}, which is "${name}"`];
    const isAlone = isEdit && !(isOwn && Object.hasOwn(given, field.atMost));
    const remedy = isAlone ? " of the variant. Send that one too, or null where it is to be left out." : ".";
    return [{ path: pointer(path, at), code: "out_of_range", message: `Got ${got}, want ${want}${remedy}` }];
  });
}

/** Why the `atMost` of a declaration names no number. Undefined where it does, or where there is none. */
export function atMostFault(field: FieldDeclaration, fields: Record<string, FieldDeclaration>): string | undefined {
  if (field.type !== "number" || field.atMost === undefined || fields[field.atMost]?.type === "number")
    return undefined;
  return `Got "${field.atMost}", want the name of a field of type number, outside of lists`;
}
