import { Field as Base } from "@base-ui/react/field";
import { Field } from "../../../ui/field.tsx";
import { asText, type ControlProps, type DeclarationOf, emptyWords } from "./control.ts";
import { pickerColor, withHash } from "./hex-color.ts";

/** The browser's own picker, and the same colour as text, which may be short or see-through. */
export function ColorControl({ declaration, value, onChange, frame }: ControlProps<DeclarationOf<"color">>) {
  const text = asText(value);
  return (
    <Field {...frame}>
      <div className="flex gap-2">
        <input
          type="color"
          aria-label={`Pick: ${declaration.label}`}
          value={pickerColor(text) ?? "#808080"}
          onChange={({ target }) => onChange(target.value)}
          className="h-10 w-11 flex-none cursor-pointer rounded-md border border-edge bg-surface p-1 [&::-moz-color-swatch]:rounded-sm [&::-moz-color-swatch]:border-line [&::-webkit-color-swatch-wrapper]:p-0 [&::-webkit-color-swatch]:rounded-sm [&::-webkit-color-swatch]:border-line"
        />
        <Base.Control
          render={
            <input
              value={text}
              onChange={({ target }) => onChange(target.value)}
              onBlur={({ target }) => {
                const whole = withHash(target.value);
                // Passing by is no edit, which would outlive a change of the variant.
                if (whole !== target.value) onChange(whole);
              }}
              placeholder={emptyWords(declaration)}
              aria-required={declaration.required}
              autoComplete="off"
              spellCheck={false}
              className="control min-w-0 font-mono"
            />
          }
        />
      </div>
    </Field>
  );
}
