import { Field as Base } from "@base-ui/react/field";
import { Field } from "../../../ui/form/field.tsx";
import { asText, type ControlProps, type DeclarationOf, emptyPlaceholder } from "./control.ts";
import { pickerColor, withHash } from "./hex-color.ts";

/** A native colour picker, and a text input, which also takes short and transparent colours. */
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
                const completed = withHash(target.value);
                // Without a change this must not count as an edit.
                if (completed !== target.value) onChange(completed);
              }}
              placeholder={emptyPlaceholder(declaration)}
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
