import { z } from "zod";
import { booleanDeclaration, booleanField } from "./boolean.ts";
import { colorDeclaration, colorField } from "./color.ts";
import { dateDeclaration, dateField } from "./date.ts";
import type { FieldType } from "./field-type.ts";
import { imageDeclaration, imageField } from "./image.ts";
import { numberDeclaration, numberField } from "./number.ts";
import { qrDeclaration, qrField } from "./qr.ts";
import { selectDeclaration, selectField } from "./select.ts";
import { textDeclaration, textField } from "./text.ts";

/** Every type a field can have. */
const FIELD_TYPES = {
  text: textField,
  number: numberField,
  boolean: booleanField,
  select: selectField,
  color: colorField,
  image: imageField,
  date: dateField,
  qr: qrField,
};

/** A field as `template.json` declares it. */
export const fieldDeclaration = z.discriminatedUnion("type", [
  textDeclaration,
  numberDeclaration,
  booleanDeclaration,
  selectDeclaration,
  colorDeclaration,
  imageDeclaration,
  dateDeclaration,
  qrDeclaration,
]);

export type FieldDeclaration = z.infer<typeof fieldDeclaration>;

/** What a picture shows or does without. The other types are settings: there always is one, and it may rightly change nothing. */
export const CONTENT_TYPES: FieldDeclaration["type"][] = ["text", "image", "date", "qr"];

/** The type of a declaration, to be called with that declaration. */
export function fieldType(declaration: FieldDeclaration): FieldType<FieldDeclaration, unknown> {
  // Each type is keyed by the literal that its declaration carries, a link that TypeScript cannot follow through a union.
  return FIELD_TYPES[declaration.type] as unknown as FieldType<FieldDeclaration, unknown>;
}
