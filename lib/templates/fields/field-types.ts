import { z } from "zod";
import type { Fit } from "#lib/type/fit/fit-rule.ts";
import { readEmphasis } from "#lib/type/text/emphasis.ts";
import { imageDeclaration } from "../images/image-declaration.ts";
import { barcodeDeclaration, barcodeField } from "./barcode.ts";
import { booleanDeclaration, booleanField } from "./boolean.ts";
import { codeDeclaration, codeField } from "./code.ts";
import { colorDeclaration, colorField } from "./color.ts";
import { dateDeclaration, dateField } from "./date.ts";
import { emphasisDeclaration, emphasisField } from "./emphasis.ts";
import type { FieldType } from "./field-type.ts";
import { imageField } from "./image.ts";
import { languageDeclaration, languageField } from "./language.ts";
import { listDeclarationOf, listFieldOf } from "./list.ts";
import { moneyDeclaration, moneyField } from "./money.ts";
import { numberDeclaration, numberField } from "./number.ts";
import { progressDeclaration, progressField } from "./progress.ts";
import { qrDeclaration, qrField } from "./qr.ts";
import { rangeDeclaration, rangeField } from "./range.ts";
import { ratingDeclaration, ratingField } from "./rating.ts";
import { selectDeclaration, selectField } from "./select.ts";
import { seriesDeclaration, seriesField } from "./series.ts";
import { textDeclaration, textField } from "./text.ts";

/** Every type of field with one value, by its name in `template.json`. */
const FIELD_TYPES = {
  text: textField,
  emphasis: emphasisField,
  number: numberField,
  money: moneyField,
  range: rangeField,
  rating: ratingField,
  progress: progressField,
  boolean: booleanField,
  select: selectField,
  color: colorField,
  image: imageField,
  date: dateField,
  qr: qrField,
  barcode: barcodeField,
  code: codeField,
  series: seriesField,
  language: languageField,
};

const simpleDeclaration = z.discriminatedUnion("type", [
  textDeclaration,
  emphasisDeclaration,
  numberDeclaration,
  moneyDeclaration,
  rangeDeclaration,
  ratingDeclaration,
  progressDeclaration,
  booleanDeclaration,
  selectDeclaration,
  colorDeclaration,
  imageDeclaration,
  dateDeclaration,
  qrDeclaration,
  barcodeDeclaration,
  codeDeclaration,
  seriesDeclaration,
  languageDeclaration,
]);

const listDeclaration = listDeclarationOf(simpleDeclaration);

/** The schema of one field in `template.json`. */
export const fieldDeclaration = z.discriminatedUnion("type", [...simpleDeclaration.options, listDeclaration]);

/** A field with one value: of a template, or of an item of a list. */
export type SimpleDeclaration = z.infer<typeof simpleDeclaration>;

export type ListDeclaration = z.infer<typeof listDeclaration>;

export type FieldDeclaration = SimpleDeclaration | ListDeclaration;

/** Types whose value is shown or left out. The other types are settings, which always have a value. */
export const CONTENT_TYPES: FieldDeclaration["type"][] = [
  ...(["text", "emphasis", "money", "range", "date", "rating", "progress"] as const),
  ...(["image", "qr", "barcode", "code", "series", "list"] as const),
];

/** The text that a field shows, if its values are texts. */
export function textOf({ type }: FieldDeclaration, value: unknown): string | undefined {
  if (typeof value !== "string") return undefined;
  if (type === "emphasis") return readEmphasis(value).text;
  return type === "text" ? value : undefined;
}

/** How the element of a field is fitted. Undefined where the field declares no `fit`. */
export function fitOf(declaration: FieldDeclaration | undefined): Fit | undefined {
  return declaration && "fit" in declaration && typeof declaration.fit === "object" ? declaration.fit : undefined;
}

function simpleType(declaration: SimpleDeclaration): FieldType<SimpleDeclaration, unknown> {
  // Each type is stored under the literal that its declaration carries. TypeScript cannot follow that through a union.
  return FIELD_TYPES[declaration.type] as unknown as FieldType<SimpleDeclaration, unknown>;
}

const listField = listFieldOf(simpleType);

/** Returns the type of a declaration. Call its functions with the same declaration. */
export function fieldType<D extends FieldDeclaration>(declaration: D): FieldType<D, unknown> {
  const type: unknown = declaration.type === "list" ? listField : simpleType(declaration);
  return type as FieldType<D, unknown>;
}
