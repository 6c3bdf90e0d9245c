import type { FieldProps } from "./field.tsx";

/** Parts the props of a field's frame from those of the control inside it. */
export function splitField<P extends FieldProps>(props: P): { frame: FieldProps; control: Omit<P, keyof FieldProps> } {
  const { label, help, error, warning, counter, isOptional, hidesLabel, disabled, name, className, ...control } = props;
  return {
    frame: { label, help, error, warning, counter, isOptional, hidesLabel, disabled, name, className },
    control,
  };
}
