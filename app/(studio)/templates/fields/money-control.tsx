import { Field as Base } from "@base-ui/react/field";
import { Field } from "../../../ui/form/field.tsx";
import { asObject, type EditValue } from "../edits.ts";
import { asText, type ControlProps, type DeclarationOf, emptyPlaceholder } from "./control.ts";

/** The currency of a first amount, where neither the variant nor the declaration has one. */
const FIRST_CURRENCY = "EUR";

/** What a number input holds, for a request: empty where it holds none. */
export function inputNumber({ value, valueAsNumber }: { value: string; valueAsNumber: number }): number | "" {
  return value === "" || Number.isNaN(valueAsNumber) ? "" : valueAsNumber;
}

function currencyOf(value: EditValue | undefined): string | undefined {
  const { currency } = asObject(value);
  return typeof currency === "string" && currency !== "" ? currency : undefined;
}

/** An amount, and its currency unless the template fixes that. */
export function MoneyControl({ declaration, value, base, onChange, frame }: ControlProps<DeclarationOf<"money">>) {
  const { label, required, min, max, currency: fixed } = declaration;
  const { amount, currency: given } = asObject(value);
  const currency = currencyOf(value) ?? currencyOf(base.value) ?? FIRST_CURRENCY;
  const change = (next: number | "") => onChange(fixed || next === "" ? next : { amount: next, currency });
  return (
    <Field {...frame}>
      <div className="flex items-center gap-2">
        <Base.Control
          render={
            <input
              type="number"
              inputMode="decimal"
              min={min}
              max={max}
              step="any"
              value={asText(fixed ? value : amount)}
              placeholder={emptyPlaceholder(declaration)}
              aria-required={required}
              autoComplete="off"
              onChange={({ target }) => change(inputNumber(target))}
              className="control min-w-0 flex-1"
            />
          }
        />
        {fixed ? (
          <span className="text-sm text-soft">{fixed}</span>
        ) : (
          <input
            aria-label={`Currency: ${label}`}
            value={typeof given === "string" ? given : currency}
            maxLength={3}
            autoComplete="off"
            spellCheck={false}
            onChange={({ target }) =>
              typeof amount === "number" && onChange({ amount, currency: target.value.toUpperCase() })
            }
            className="control w-18 flex-none font-mono uppercase"
          />
        )}
      </div>
    </Field>
  );
}
