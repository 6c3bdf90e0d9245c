import { TextField } from "../../../ui/text-field.tsx";
import { asText, type ControlProps, type DeclarationOf, emptyWords } from "./control.ts";

export function NumberControl({ declaration, value, onChange, frame }: ControlProps<DeclarationOf<"number">>) {
  const { min, max, integer, required } = declaration;
  return (
    <TextField
      {...frame}
      type="number"
      inputMode={integer && min >= 0 ? "numeric" : "decimal"}
      min={min}
      max={max}
      step={integer ? 1 : "any"}
      value={asText(value)}
      placeholder={emptyWords(declaration)}
      aria-required={required}
      autoComplete="off"
      onChange={({ target }) => onChange(target.value === "" ? "" : target.valueAsNumber)}
    />
  );
}
