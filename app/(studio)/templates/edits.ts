import type { TemplateDetail } from "#lib/schemas/template.ts";
import type { FieldDeclaration } from "#lib/templates/fields/field-types.ts";
import type { SnippetValue } from "./snippets/snippet.ts";

/** An image file that the reader has chosen. */
export type PickedImage = {
  /** The name of the file. */
  file: string;
  mediaType: string;
  /** The size of the file. */
  bytes: number;
  width: number;
  height: number;
  /** The whole file as a `data:` URL. */
  url: string;
};

/** An object of JSON, such as a sum of money. */
export type JsonObject = { [key: string]: JsonValue | null };

type JsonValue = string | number | boolean | JsonObject | (JsonValue | null)[];

/** The value of a field. An empty text leaves the field out of the picture. */
export type EditValue = JsonValue | PickedImage;

/** Field name → value. Edits are kept when the variant changes. */
export type Edits = Record<string, EditValue>;

/** A template with typed field declarations. */
export type StudioTemplate = Omit<TemplateDetail, "fields"> & { fields: Record<string, FieldDeclaration> };

/** The value of a field without an edit. */
export type Base = {
  value: EditValue | undefined;
  /** The value is an image file of the template, which a request cannot send. */
  isOwnImage: boolean;
};

export function isPicked(value: EditValue | null | undefined): value is PickedImage {
  return typeof value === "object" && value !== null && "url" in value && "mediaType" in value;
}

/** A value as an object of JSON; empty for any other value. */
export function asObject(value: EditValue | null | undefined): JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !isPicked(value) ? value : {};
}

function toValue(value: unknown): EditValue | undefined {
  return value === null || value === undefined ? undefined : (value as EditValue);
}

/** Whether two values are the same JSON. The order of keys does not count. */
function isSame(a: unknown, b: unknown): boolean {
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return a === b;
  const [own, other] = [Object.entries(a), Object.entries(b)];
  if (Array.isArray(a) !== Array.isArray(b) || own.length !== other.length) return false;
  return own.every(([key, value]) => Object.hasOwn(b, key) && isSame(value, (b as Record<string, unknown>)[key]));
}

/** The value of a field without an edit: that of the variant, otherwise the declared default. */
export function baseOf(template: StudioTemplate, variant: string, name: string): Base {
  const isOwnImage = template.ownImages[variant]?.includes(name) ?? false;
  const value = template.values[variant]?.[name] ?? (isOwnImage ? undefined : template.fields[name]?.default);
  return { value: toValue(value), isOwnImage };
}

/** Whether an edit changes the picture. Clearing a field that is empty anyway does not. */
function differs(value: EditValue, { value: baseValue, isOwnImage }: Base): boolean {
  return !isSame(value, baseValue) && !(value === "" && baseValue === undefined && !isOwnImage);
}

/** The edits that change the picture of a variant, in the order of the form. */
export function effectiveEdits(template: StudioTemplate, variant: string, edits: Edits): Edits {
  const names = Object.keys(template.fields).filter((name) => Object.hasOwn(edits, name));
  const changed = names.flatMap((name): [string, EditValue][] => {
    const value = edits[name];
    return value !== undefined && differs(value, baseOf(template, variant, name)) ? [[name, value]] : [];
  });
  return Object.fromEntries(changed);
}

function requestValue(value: EditValue | null): unknown {
  if (value === null) return null;
  if (isPicked(value)) return value.url;
  if (typeof value === "string") return value.toWellFormed();
  if (Array.isArray(value)) return value.map(requestValue);
  return typeof value === "object" ? requestData(value) : value;
}

/** The `data` of a render request. */
export function requestData(edits: Edits | JsonObject): Record<string, unknown> {
  return Object.fromEntries(Object.entries(edits).map(([name, value]) => [name, requestValue(value)]));
}

/** The `data` for code snippets, which read images from files. */
export function snippetData(edits: Edits): Record<string, SnippetValue> {
  const entries = Object.entries(edits).map(([name, value]): [string, SnippetValue] => [
    name,
    isPicked(value) ? { file: value.file, mediaType: value.mediaType } : value,
  ]);
  return Object.fromEntries(entries);
}
