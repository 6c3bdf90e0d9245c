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

/** The value of a field. An empty text leaves the field out of the picture. */
export type EditValue = string | number | boolean | PickedImage;

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

export function isPicked(value: EditValue | undefined): value is PickedImage {
  return typeof value === "object";
}

function toValue(value: unknown): EditValue | undefined {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? value : undefined;
}

/** The value of a field without an edit: that of the variant, otherwise the declared default. */
export function baseOf(template: StudioTemplate, variant: string, name: string): Base {
  const isOwnImage = template.ownImages[variant]?.includes(name) ?? false;
  const value = template.values[variant]?.[name] ?? (isOwnImage ? undefined : template.fields[name]?.default);
  return { value: toValue(value), isOwnImage };
}

/** Whether an edit changes the picture. Clearing a field that is empty anyway does not. */
function differs(value: EditValue, { value: baseValue, isOwnImage }: Base): boolean {
  return value !== baseValue && !(value === "" && baseValue === undefined && !isOwnImage);
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

function requestValue(value: EditValue): unknown {
  if (isPicked(value)) return value.url;
  return typeof value === "string" ? value.toWellFormed() : value;
}

/** The `data` of a render request. */
export function requestData(edits: Edits): Record<string, unknown> {
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
