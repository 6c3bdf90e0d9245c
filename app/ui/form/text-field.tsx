"use client";

import { Field as Base } from "@base-ui/react/field";
import type { ComponentProps } from "react";
import { Field, type FieldProps, splitField } from "./field.tsx";
import { NumberInput } from "./number-input.tsx";

type TextFieldProps = FieldProps & Omit<ComponentProps<"input">, keyof FieldProps>;

/** An `<input>` that takes text, with its label. */
export function TextField(props: TextFieldProps) {
  const { frame, control } = splitField(props);
  const Input = control.type === "number" ? NumberInput : "input";
  return (
    <Field {...frame}>
      <Base.Control render={<Input {...control} className="control" />} />
    </Field>
  );
}

type TextAreaProps = FieldProps & Omit<ComponentProps<"textarea">, keyof FieldProps>;

/** A `<textarea>` with its label. It grows with its text, from `rows` to half the height of the window. */
export function TextArea(props: TextAreaProps) {
  const { frame, control } = splitField(props);
  return (
    <Field {...frame}>
      <Base.Control
        render={<textarea rows={3} {...control} className="control field-sizing-content max-h-[50vh] resize-y" />}
      />
    </Field>
  );
}
