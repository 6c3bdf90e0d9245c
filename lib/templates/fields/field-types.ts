import { z } from "zod";
import { barcodeDeclaration, barcodeField } from "./barcode.ts";
import { booleanDeclaration, booleanField } from "./boolean.ts";
import { colorDeclaration, colorField } from "./color.ts";
import { dateDeclaration, dateField } from "./date.ts";
import type { FieldType } from "./field-type.ts";
import { imageDeclaration, imageField } from "./image.ts";
import { languageDeclaration, languageField } from "./language.ts";
import { numberDeclaration, numberField } from "./number.ts";
import { qrDeclaration, qrField } from "./qr.ts";
import { selectDeclaration, selectField } from "./select.ts";
import { textDeclaration, textField } from "./text.ts";

/** Every type of field, by its name in `template.json`. */
const FIELD_TYPES = {
  text: textField,
  number: numberField,
  boolean: booleanField,
  select: selectField,
  color: colorField,
  image: imageField,
  date: dateField,
  qr: qrField,
  barcode: barcodeField,
  language: languageField,
};

/** The schema of one field in `template.json`. */
export const fieldDeclaration = z.discriminatedUnion("type", [
  textDeclaration,
  numberDeclaration,
  booleanDeclaration,
  selectDeclaration,
  colorDeclaration,
  imageDeclaration,
  dateDeclaration,
  qrDeclaration,
  barcodeDeclaration,
  languageDeclaration,
]);

export type FieldDeclaration = z.infer<typeof fieldDeclaration>;

/** Types whose value is shown or left out. The other types are settings, which always have a value. */
export const CONTENT_TYPES: FieldDeclaration["type"][] = ["text", "image", "date", "qr", "barcode"];

/** Returns the type of a declaration. Call its functions with the same declaration. */
export function fieldType(declaration: FieldDeclaration): FieldType<FieldDeclaration, unknown> {
  // Each type is stored under the literal that its declaration carries. TypeScript cannot follow that through a union.
  return FIELD_TYPES[declaration.type] as unknown as FieldType<FieldDeclaration, unknown>;
}
