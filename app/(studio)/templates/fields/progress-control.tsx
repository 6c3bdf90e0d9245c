import { Field as Base } from "@base-ui/react/field";
import { Field } from "../../../ui/form/field.tsx";
import { TextField } from "../../../ui/form/text-field.tsx";
import { asObject } from "../edits.ts";
import { asText, type ControlProps, type DeclarationOf, emptyPlaceholder } from "./control.ts";
import { inputNumber } from "./money-control.tsx";

/** A rating in half steps, or a fraction: numbers of a short range. */
export function StepControl({
  declaration,
  value,
  onChange,
  frame,
}: ControlProps<DeclarationOf<"rating"> | DeclarationOf<"progress">>) {
  const isRating = declaration.type === "rating";
  const max = isRating ? declaration.max : (declaration.total ?? 1);
  return (
    <TextField
      {...frame}
      type="number"
      inputMode="decimal"
      min={0}
      max={max}
      step={isRating ? 0.5 : declaration.total === undefined ? 0.01 : "any"}
      value={asText(value)}
      placeholder={emptyPlaceholder(declaration)}
      aria-required={declaration.required}
      autoComplete="off"
      onChange={({ target }) => onChange(inputNumber(target))}
    />
  );
}

/** A fraction, or how much of a total is done where the variant has it so. */
export function ProgressControl(props: ControlProps<DeclarationOf<"progress">>) {
  const { declaration, value, base, onChange, frame } = props;
  const { label, required } = declaration;
  if (typeof value !== "object" && typeof base.value !== "object") return <StepControl {...props} />;
  const parts = asObject(value);
  const inputFor = (name: "done" | "total") => ({
    type: "number",
    inputMode: "decimal" as const,
    min: 0,
    step: "any",
    "aria-label": `${name === "done" ? "Done" : "Total"}: ${label}`,
    "aria-required": required,
    value: asText(parts[name]),
    autoComplete: "off",
    onChange: ({ target }: { target: HTMLInputElement }) => {
      const next = { ...parts, [name]: inputNumber(target) };
      onChange(Object.values(next).every((one) => one === "") ? "" : next);
    },
    className: "control min-w-0 flex-1",
  });
  return (
    <Field {...frame}>
      <div className="flex items-center gap-2">
        <Base.Control render={<input {...inputFor("done")} />} />
        <span aria-hidden="true" className="text-soft">
          /
        </span>
        <input {...inputFor("total")} />
      </div>
    </Field>
  );
}
