import { TextField } from "../../../ui/text-field.tsx";
import { asText, type ControlProps, type DeclarationOf } from "./control.ts";

export function DateControl({ declaration, value, onChange, frame }: ControlProps<DeclarationOf<"date">>) {
  return (
    <TextField
      {...frame}
      type={declaration.time ? "datetime-local" : "date"}
      // Without it a browser lets years of six digits be typed.
      max={declaration.time ? "9999-12-31T23:59" : "9999-12-31"}
      value={asText(value)}
      aria-required={declaration.required}
      onChange={({ target }) => onChange(target.value.slice(0, 16))}
    />
  );
}
