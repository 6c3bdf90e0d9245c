import { type Issue, pointer } from "#lib/errors.ts";
import { nearestName } from "#lib/nearest-name.ts";
import type { ReadResult } from "./fields/field-type.ts";
import { type FieldDeclaration, fieldType } from "./fields/field-types.ts";
import { MAX_IMAGE_PIXELS } from "./images.ts";
import type { FieldValues } from "./template.ts";

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === "string" && value.trim() === "");
}

/** How many unknown fields are named: enough to mend a request by hand, and little work for one that has thousands. */
const MAX_UNKNOWN_FIELDS = 100;
const QUOTED_CHARS = 60;

function unknownField(name: string, declarations: Record<string, FieldDeclaration>): string {
  const names = Object.keys(declarations);
  const nearest = nearestName(name, names);
  const shown = `Unknown field "${name.slice(0, QUOTED_CHARS)}".`;
  if (nearest !== undefined) return `${shown} Did you mean "${nearest}"?`;
  return names.length === 0 ? `${shown} This template has no fields.` : `${shown} Want one of ${names.join(", ")}.`;
}

function unknownFields({ declarations, values, path }: ReadFields): Issue[] {
  return Object.keys(values)
    .filter((name) => !Object.hasOwn(declarations, name))
    .slice(0, MAX_UNKNOWN_FIELDS)
    .map((name) => ({
      path: pointer(path, name.slice(0, QUOTED_CHARS)),
      code: "unknown_field",
      message: unknownField(name, declarations),
    }));
}

type ReadFields = {
  declarations: Record<string, FieldDeclaration>;
  /** What was given. */
  values: FieldValues;
  /** Values that are read already and stand where nothing was given; without them the declared defaults do. */
  base?: FieldValues;
  /** JSON Pointer of the object that holds the values. */
  path: string;
  /** Ends the check, whose result nobody waits for any more. */
  signal?: AbortSignal;
};

/** Text, images and dates may be left out of a picture. Of the others there always is one, where the template names a default. */
const OMITTABLE_TYPES: FieldDeclaration["type"][] = ["text", "image", "date"];

async function readValue(
  declaration: FieldDeclaration,
  given: unknown,
  signal?: AbortSignal,
): Promise<ReadResult<unknown>> {
  if (!isEmpty(given)) return fieldType(declaration).read(given, declaration, signal);
  const isFilled = !OMITTABLE_TYPES.includes(declaration.type) && !isEmpty(declaration.default);
  if (isFilled) return fieldType(declaration).read(declaration.default, declaration);
  if (!declaration.required) return { value: null };
  return { fault: { code: "required", message: `Got nothing, want a value for "${declaration.label}".` } };
}

/**
 * Checks values against their declarations and brings them into the form that Liquid gets: every declared field is there,
 * and an empty one is `null`, so that `{% if field %}` leaves its part out.
 * @returns the values, and every fault at once
 * @throws the signal's reason
 */
export async function readFields(request: ReadFields): Promise<{ values: FieldValues; issues: Issue[] }> {
  const { declarations, values, base, path, signal } = request;
  const read: FieldValues = {};
  const issues = unknownFields(request);
  let pixels = 0;
  for (const [name, declaration] of Object.entries(declarations)) {
    const isGiven = Object.hasOwn(values, name);
    if (!isGiven && base) {
      read[name] = base[name];
      continue;
    }
    const at = pointer(path, name);
    const result = await readValue(declaration, isGiven ? values[name] : declaration.default, signal);
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
