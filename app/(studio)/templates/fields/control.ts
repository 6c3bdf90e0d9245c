import type { ComponentType } from "react";
import type { FieldDeclaration } from "#lib/templates/fields/field-types.ts";
import type { FieldProps } from "../../../ui/field.tsx";
import type { Base, EditValue } from "../edits.ts";

/** What every control is given. */
export type ControlProps<D> = {
  declaration: D;
  /** What the field shows now: the edit, else what stands there without one. */
  value: EditValue | undefined;
  base: Base;
  onChange: (value: EditValue) => void;
  /** What is around the control; `counter` is what stands at the end of the label's line. */
  frame: FieldProps;
  /** Whether images may be given by their address. */
  acceptsAddresses: boolean;
  /** How many bytes an image may have beside the request's others. */
  roomBytes: number;
};

export type DeclarationOf<T extends FieldDeclaration["type"]> = Extract<FieldDeclaration, { type: T }>;

export type Control<T extends FieldDeclaration["type"]> = ComponentType<ControlProps<DeclarationOf<T>>>;

/** A value as the text of an input. */
export function asText(value: EditValue | undefined): string {
  return value === undefined || typeof value === "object" ? "" : String(value);
}

/** What an input says that nothing is in. */
export function emptyWords({ required }: { required: boolean }): string {
  return required ? "Needs a value" : "Left out of the picture";
}
