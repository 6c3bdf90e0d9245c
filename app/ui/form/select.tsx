"use client";

import { Field as Base } from "@base-ui/react/field";
import type { ComponentProps } from "react";
import { Field, type FieldProps, splitField } from "./field.tsx";

type SelectProps = FieldProps &
  Omit<ComponentProps<"select">, keyof FieldProps | "children"> & { options: { value: string; label: string }[] };

/** A native `<select>` with its label. */
export function Select(props: SelectProps) {
  const { frame, control } = splitField(props);
  const { options, ...rest } = control;
  return (
    <Field {...frame}>
      <Base.Control
        render={
          <select autoComplete="off" {...rest} className="control">
            {options.map(({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        }
      />
    </Field>
  );
}
