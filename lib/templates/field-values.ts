import { type Issue, pointer } from "#lib/errors.ts";
import { MAX_IMAGE_PIXELS } from "#lib/images/image-limits.ts";
import { nearestName } from "#lib/nearest-name.ts";
import type { OpenedValue, ReadContext, ReadResult } from "./fields/field-type.ts";
import { CONTENT_TYPES, type FieldDeclaration, fieldType } from "./fields/field-types.ts";
import type { FieldValues } from "./template.ts";
import { languageField, replacedLanguage } from "./text-settings.ts";
import { translateDefaults } from "./translated-defaults.ts";

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === "string" && value.trim() === "");
}

/** At most this many unknown fields are named, so that thousands of them cost little. */
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

type ReadFields = ReadContext & {
  declarations: Record<string, FieldDeclaration>;
  /** The given values. */
  values: FieldValues;
  /** Checked values for the fields that `values` does not name. Without `base`, the declared defaults are used. */
  base?: FieldValues;
  /** JSON Pointer of the object that holds `values`. */
  path: string;
};

type ReadValues = {
  values: FieldValues;
  issues: Issue[];
  /** Names the fields whose value was replaced by another one. */
  warnings: Issue[];
};

type Read = ReadResult<unknown> | OpenedValue<unknown>;

async function readValue(declaration: FieldDeclaration, given: unknown, context: ReadContext): Promise<Read> {
  if (!isEmpty(given)) return fieldType(declaration).read(given, declaration, context);
  const isFilled = !CONTENT_TYPES.includes(declaration.type) && !isEmpty(declaration.default);
  if (isFilled) return fieldType(declaration).read(declaration.default, declaration, context);
  if (!declaration.required) return { value: null };
  return { fault: { code: "required", message: `Got nothing, want a value for "${declaration.label}".` } };
}

type Field = { name: string; read: Read };

/** Reads the given fields. Images are fetched concurrently and not decoded yet. */
async function readGiven({ declarations, values, base, ...context }: ReadFields): Promise<Field[]> {
  const given = Object.entries(declarations).filter(([name]) => !base || Object.hasOwn(values, name));
  return await Promise.all(
    given.map(async ([name, declaration]) => {
      const value = Object.hasOwn(values, name) ? values[name] : declaration.default;
      return { name, read: await readValue(declaration, value, context) };
    }),
  );
}

/** Counts pixels in the order of the fields, so that the result does not depend on which image arrives first. */
async function finishWithinBudget(fields: Field[]): Promise<{ name: string; read: ReadResult<unknown> }[]> {
  let pixels = 0;
  const budgeted = fields.map(({ name, read }) => {
    if (!("finish" in read)) return { name, read };
    pixels += read.pixels;
    return { name, read: pixels > MAX_IMAGE_PIXELS ? overBudget(pixels) : read.finish() };
  });
  return await Promise.all(budgeted.map(async ({ name, read }) => ({ name, read: await read })));
}

/**
 * Checks values against their declarations and converts them for Liquid: every declared field is present, and an empty
 * one is `null`, so that `{% if field %}` leaves its part out. All faults and warnings are reported at once.
 * @throws the signal's reason
 */
export async function readFields(request: ReadFields): Promise<ReadValues> {
  const { base, declarations, path } = request;
  const kept = Object.keys(declarations).flatMap((name) => (base ? [[name, base[name]]] : []));
  const values: FieldValues = Object.fromEntries(kept);
  const issues = unknownFields(request);
  const warnings: Issue[] = [];
  for (const { name, read } of await finishWithinBudget(await readGiven(request))) {
    const at = pointer(path, name);
    delete values[name];
    if ("fault" in read) {
      issues.push({ path: at, ...read.fault });
      continue;
    }
    values[name] = read.value;
    if (read.warning) warnings.push({ path: at, ...read.warning });
  }
  const language = languageField(declarations);
  // The language that a variant states is that of its own words.
  if (base && language !== undefined && !Object.hasOwn(request.values, language) && values[language] !== null)
    values[language] = replacedLanguage(declarations, base, values) ?? values[language];
  Object.assign(values, translateDefaults(declarations, { given: request.values, values }));
  return { values, issues, warnings };
}

function overBudget(pixels: number): ReadResult<never> {
  const [got, limit] = [pixels, MAX_IMAGE_PIXELS].map((count) => count.toLocaleString("en"));
  const message = `Got ${got} pixels with the images before it, want at most ${limit} in a request.`;
  return { fault: { code: "image_rejected", message } };
}
