"use client";

import { Field as Base } from "@base-ui/react/field";
import type { ComponentProps } from "react";
import { Field, type FieldProps } from "./field.tsx";
import { splitField } from "./split-field.ts";

type TextAreaProps = FieldProps & Omit<ComponentProps<"textarea">, keyof FieldProps>;

/** Text of several lines. It grows with what is typed, between its `rows` and half the window. */
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
