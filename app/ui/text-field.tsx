"use client";

import { Field as Base } from "@base-ui/react/field";
import type { ComponentProps } from "react";
import { Field, type FieldProps } from "./field.tsx";
import { splitField } from "./split-field.ts";

type TextFieldProps = FieldProps & Omit<ComponentProps<"input">, keyof FieldProps>;

/** One line of text, of any `type` that is one. */
export function TextField(props: TextFieldProps) {
  const { frame, control } = splitField(props);
  return (
    <Field {...frame}>
      <Base.Control render={<input {...control} className="control" />} />
    </Field>
  );
}
