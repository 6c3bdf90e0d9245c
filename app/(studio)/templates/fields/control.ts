import type { ComponentType } from "react";
import type { FieldDeclaration } from "#lib/templates/fields/field-types.ts";
import type { FieldProps } from "../../../ui/form/field.tsx";
import type { Base, EditValue } from "../edits.ts";

/** The props of every control. */
export type ControlProps<D> = {
  declaration: D;
  /** The edit, otherwise the base value. */
  value: EditValue | undefined;
  base: Base;
  onChange: (value: EditValue) => void;
  /** The props of the frame. `counter` is shown at the end of the line of the label. */
  frame: FieldProps;
  /** Whether an image can be given by its address. */
  acceptsAddresses: boolean;
  /** How many bytes are left for an image beside the others. */
  availableBytes: number;
};

export type DeclarationOf<T extends FieldDeclaration["type"]> = Extract<FieldDeclaration, { type: T }>;

export type Control<T extends FieldDeclaration["type"]> = ComponentType<ControlProps<DeclarationOf<T>>>;

/** A value as the text of an input. */
export function asText(value: EditValue | null | undefined): string {
  return value === undefined || value === null || typeof value === "object" ? "" : String(value);
}

/** The placeholder of an empty input. */
export function emptyPlaceholder({ required }: { required: boolean }): string {
  return required ? "Required" : "Not shown in the picture";
}
