import { TextField } from "../../../ui/form/text-field.tsx";
import { asText, type ControlProps, type DeclarationOf, emptyPlaceholder } from "./control.ts";

const HINTS: Record<DeclarationOf<"barcode">["symbology"], string> = {
  "ean-13": "13 digits, or 12 without the check digit",
  "upc-a": "12 digits, or 11 without the check digit",
  "code-128": "Letters, digits and signs of ASCII",
  "data-matrix": "Any text",
};

export function BarcodeControl({ declaration, value, onChange, frame }: ControlProps<DeclarationOf<"barcode">>) {
  const { symbology, required } = declaration;
  const isNumber = symbology === "ean-13" || symbology === "upc-a";
  return (
    <TextField
      {...frame}
      help={frame.help ?? HINTS[symbology]}
      value={asText(value)}
      dir="ltr"
      inputMode={isNumber ? "numeric" : "text"}
      placeholder={emptyPlaceholder(declaration)}
      aria-required={required}
      autoComplete="off"
      spellCheck={false}
      onChange={({ target }) => onChange(target.value)}
    />
  );
}
