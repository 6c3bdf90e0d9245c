import leven from "leven";
import { type Issue, pointer } from "#lib/errors.ts";
import type { ReadResult } from "./fields/field-type.ts";
import { type FieldDeclaration, fieldType } from "./fields/field-types.ts";
import { MAX_IMAGE_PIXELS } from "./images.ts";
import type { FieldValues } from "./template.ts";

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === "string" && value.trim() === "");
}

function unknownField(name: string, declarations: Record<string, FieldDeclaration>): string {
  const names = Object.keys(declarations);
  const nearest = names.toSorted((a, b) => leven(a, name.slice(0, 60)) - leven(b, name.slice(0, 60)))[0];
  const close = nearest !== undefined && leven(nearest, name.slice(0, 60)) <= Math.max(2, nearest.length / 3);
  const shown = `Unknown field "${name.slice(0, 60)}".`;
  if (close) return `${shown} Did you mean "${nearest}"?`;
  return names.length === 0 ? `${shown} This template has no fields.` : `${shown} Want one of ${names.join(", ")}.`;
}

type ReadFields = {
  declarations: Record<string, FieldDeclaration>;
  /** What was given. */
  values: FieldValues;
  /** Values that are read already and stand where nothing was given; without them the declared defaults do. */
  base?: FieldValues;
  /** JSON Pointer of the object that holds the values. */
  path: string;
};

/** Text, images and dates may be left out of a picture. Of the others there always is one, where the template names a default. */
const OMITTABLE_TYPES: FieldDeclaration["type"][] = ["text", "image", "date"];

async function readValue(declaration: FieldDeclaration, given: unknown): Promise<ReadResult<unknown>> {
  if (!isEmpty(given)) return fieldType(declaration).read(given, declaration);
  const isFilled = !OMITTABLE_TYPES.includes(declaration.type) && !isEmpty(declaration.default);
  if (isFilled) return fieldType(declaration).read(declaration.default, declaration);
  if (!declaration.required) return { value: null };
  return { fault: { code: "required", message: `Got nothing, want a value for "${declaration.label}".` } };
}

/**
 * Checks values against their declarations and brings them into the form that Liquid gets: every declared field is there,
 * and an empty one is `null`, so that `{% if field %}` leaves its part out.
 * @returns the values, and every fault at once
 */
export async function readFields({
  declarations,
  values,
  base,
  path,
}: ReadFields): Promise<{ values: FieldValues; issues: Issue[] }> {
  const read: FieldValues = {};
  const issues: Issue[] = Object.keys(values)
    .filter((name) => !Object.hasOwn(declarations, name))
    .map((name) => ({ path: pointer(path, name), code: "unknown_field", message: unknownField(name, declarations) }));
  let pixels = 0;
  for (const [name, declaration] of Object.entries(declarations)) {
    const isGiven = Object.hasOwn(values, name);
    if (!isGiven && base) {
      read[name] = base[name];
      continue;
    }
    const at = pointer(path, name);
    const result = await readValue(declaration, isGiven ? values[name] : declaration.default);
    if ("fault" in result) {
      issues.push({ path: at, ...result.fault });
      continue;
    }
    read[name] = result.value;
    pixels += result.pixels ?? 0;
    if (result.pixels && pixels > MAX_IMAGE_PIXELS)
      issues.push({ path: at, code: "image_rejected", message: overBudget(pixels) });
  }
  return { values: read, issues };
}

function overBudget(pixels: number): string {
  const [got, limit] = [pixels, MAX_IMAGE_PIXELS].map((count) => count.toLocaleString("en"));
  return `Got ${got} pixels with the images before it, want at most ${limit} in a request.`;
}
