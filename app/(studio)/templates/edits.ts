import type { TemplateDetail } from "#lib/schemas/template.ts";
import type { FieldDeclaration } from "#lib/templates/fields/field-types.ts";
import type { SnippetValue } from "./snippets/snippet.ts";

/** An image from the reader's machine. */
export type PickedImage = {
  /** What the file is called there. */
  file: string;
  mediaType: string;
  /** Of the file. */
  bytes: number;
  width: number;
  height: number;
  /** The whole file as a `data:` URL. */
  url: string;
};

/** What a field is set to. An empty text leaves the field out of the picture. */
export type EditValue = string | number | boolean | PickedImage;

/** Field → what it was set to, in whatever variant that was. */
export type Edits = Record<string, EditValue>;

/** A template as its page knows it. */
export type StudioTemplate = Omit<TemplateDetail, "fields"> & { fields: Record<string, FieldDeclaration> };

/** What a field shows without an edit. */
export type Base = {
  value: EditValue | undefined;
  /** An image of the template's own, which no request could send. */
  isOwnImage: boolean;
};

export function isPicked(value: EditValue | undefined): value is PickedImage {
  return typeof value === "object";
}

function toValue(value: unknown): EditValue | undefined {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? value : undefined;
}

/** What a field of a variant shows by itself: the variant's value, else the declared default. */
export function baseOf(template: StudioTemplate, variant: string, name: string): Base {
  const isOwnImage = template.ownImages[variant]?.includes(name) ?? false;
  const value = template.values[variant]?.[name] ?? (isOwnImage ? undefined : template.fields[name]?.default);
  return { value: toValue(value), isOwnImage };
}

/** Whether a value is another than what stands there anyway. An empty field is left out, edited or not. */
function differs(value: EditValue, { value: standing, isOwnImage }: Base): boolean {
  return value !== standing && !(value === "" && standing === undefined && !isOwnImage);
}

/** The edits that change the variant's picture, in the order of the form. */
export function effectiveEdits(template: StudioTemplate, variant: string, edits: Edits): Edits {
  const names = Object.keys(template.fields).filter((name) => Object.hasOwn(edits, name));
  const changed = names.flatMap((name): [string, EditValue][] => {
    const value = edits[name];
    return value !== undefined && differs(value, baseOf(template, variant, name)) ? [[name, value]] : [];
  });
  return Object.fromEntries(changed);
}

function sent(value: EditValue): unknown {
  if (isPicked(value)) return value.url;
  return typeof value === "string" ? value.toWellFormed() : value;
}

/** The `data` of a render request. */
export function requestData(edits: Edits): Record<string, unknown> {
  return Object.fromEntries(Object.entries(edits).map(([name, value]) => [name, sent(value)]));
}

/** The same for code, which reads images from their files. */
export function snippetData(edits: Edits): Record<string, SnippetValue> {
  const entries = Object.entries(edits).map(([name, value]): [string, SnippetValue] => [
    name,
    isPicked(value) ? { file: value.file, mediaType: value.mediaType } : value,
  ]);
  return Object.fromEntries(entries);
}
