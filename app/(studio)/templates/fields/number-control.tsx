import { readNumber } from "../../../ui/form/number-text.ts";
import { TextField } from "../../../ui/form/text-field.tsx";
import { asObject, type EditValue } from "../edits.ts";
import { asText, type ControlProps, type DeclarationOf, emptyPlaceholder } from "./control.ts";
import { InputGroup } from "./input-group.tsx";

type NumberKeys = Pick<DeclarationOf<"number">, "format" | "integer" | "unit">;

/** What an arrow key adds. */
export function stepOf({ format, integer }: NumberKeys): number | "any" {
  if (integer) return 1;
  return format === "percent" ? 0.01 : "any";
}

/** How the number of an input reads in the picture. */
export function numberHint({ format, unit }: NumberKeys): string | undefined {
  if (format === "percent") return "A fraction: 0.25 is 25 %.";
  return unit === undefined ? undefined : `In ${unit.replaceAll("-", " ")}.`;
}

export function NumberControl({ declaration, value, onChange, frame }: ControlProps<DeclarationOf<"number">>) {
  const { min, max, required } = declaration;
  return (
    <TextField
      {...frame}
      help={frame.help ?? numberHint(declaration)}
      type="number"
      min={min}
      max={max}
      step={stepOf(declaration)}
      value={asText(value)}
      placeholder={emptyPlaceholder(declaration)}
      aria-required={required}
      autoComplete="off"
      onChange={({ target }) => onChange(readNumber(target.value))}
    />
  );
}

/** A rating in half steps. */
export function RatingControl({ declaration, value, onChange, frame }: ControlProps<DeclarationOf<"rating">>) {
  const { max, required } = declaration;
  return (
    <TextField
      {...frame}
      help={frame.help ?? `Half steps from 0 to ${max}.`}
      type="number"
      min={0}
      max={max}
      step={0.5}
      value={asText(value)}
      placeholder={emptyPlaceholder(declaration)}
      aria-required={required}
      autoComplete="off"
      onChange={({ target }) => onChange(readNumber(target.value))}
    />
  );
}

/** How much is done: of the declared total, of one that is given with it, or as a fraction. */
export function ProgressControl({ declaration, value, onChange, frame }: ControlProps<DeclarationOf<"progress">>) {
  const { total: fixed, required } = declaration;
  const parts = typeof value === "object" ? asObject(value) : { done: value ?? "", total: "" };
  const [done, total] = [parts.done ?? "", parts.total ?? ""];
  const change = (next: { done: EditValue; total: EditValue }) =>
    onChange(next.total === "" ? next.done : (next as EditValue));
  const common = { type: "number", min: 0, step: "any" } as const;
  if (fixed !== undefined) {
    return (
      <TextField
        {...frame}
        {...common}
        help={frame.help ?? `Of ${fixed}.`}
        max={fixed}
        value={asText(value)}
        placeholder={emptyPlaceholder(declaration)}
        aria-required={required}
        autoComplete="off"
        onChange={({ target }) => onChange(readNumber(target.value))}
      />
    );
  }
  return (
    <InputGroup
      frame={{ ...frame, help: frame.help ?? "A fraction from 0 to 1, or how many of a total." }}
      between="of"
      inputs={[
        {
          ...common,
          caption: "Done",
          step: total === "" ? 0.01 : "any",
          "aria-required": required,
          value: asText(done),
          onChange: ({ target }) => change({ done: readNumber(target.value), total }),
        },
        {
          ...common,
          caption: "Total",
          placeholder: "1",
          value: asText(total),
          onChange: ({ target }) => change({ done, total: readNumber(target.value) }),
        },
      ]}
    />
  );
}
