import type { FieldDeclaration } from "#lib/templates/fields/field-types.ts";
import { BooleanControl } from "./boolean-control.tsx";
import { ColorControl } from "./color-control.tsx";
import type { Control } from "./control.ts";
import { DateControl } from "./date-control.tsx";
import { ImageControl } from "./image-control.tsx";
import { NumberControl } from "./number-control.tsx";
import { SelectControl } from "./select-control.tsx";
import { TextControl } from "./text-control.tsx";

/** The control of every type of field. A new type is a file beside this one and a line here, which the compiler asks for. */
export const CONTROLS: { [T in FieldDeclaration["type"]]: Control<T> } = {
  text: TextControl,
  number: NumberControl,
  boolean: BooleanControl,
  select: SelectControl,
  color: ColorControl,
  image: ImageControl,
  date: DateControl,
  qr: TextControl,
};

/** The longest text that half a row has room for, in characters. */
const SHORT_TEXT_CHARS = 24;

/** Whether two such fields stand side by side. */
export function isShort(declaration: FieldDeclaration): boolean {
  if (declaration.type === "image" || declaration.type === "qr") return false;
  return declaration.type !== "text" || (declaration.maxLength <= SHORT_TEXT_CHARS && !declaration.multiline);
}
