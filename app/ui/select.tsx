"use client";

import { Field as Base } from "@base-ui/react/field";
import type { ComponentProps } from "react";
import { Field, type FieldProps } from "./field.tsx";
import { splitField } from "./split-field.ts";

type SelectProps = FieldProps &
  Omit<ComponentProps<"select">, keyof FieldProps | "children"> & { options: { value: string; label: string }[] };

/** One of a few. The system's own list, which every phone and screen reader knows. */
export function Select(props: SelectProps) {
  const { frame, control } = splitField(props);
  const { options, ...rest } = control;
  return (
    <Field {...frame}>
      <Base.Control
        render={
          <select {...rest} className="control">
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
