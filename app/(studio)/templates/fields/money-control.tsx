import { useState } from "react";
import { readNumber } from "../../../ui/form/number-text.ts";
import { TextField } from "../../../ui/form/text-field.tsx";
import { asObject, type EditValue } from "../edits.ts";
import { asText, type ControlProps, type DeclarationOf, emptyPlaceholder } from "./control.ts";
import { type GroupInput, InputGroup } from "./input-group.tsx";

/** The currency of a first amount, where neither the variant nor the declaration has one. */
const FIRST_CURRENCY = "EUR";

/** The currency that an amount, or the first end of a range, names. */
function namedCurrency(value: EditValue | undefined): string | undefined {
  const { currency, from, to } = asObject(value);
  const [found] = [currency, asObject(from).currency, asObject(to).currency].filter((one) => typeof one === "string");
  return found;
}

/** The currency beside amounts. It is kept while there is no amount, which no value could name it without. */
export function useCurrency(value: EditValue | undefined, base: EditValue | undefined) {
  const [kept, setKept] = useState<string>();
  return { currency: namedCurrency(value) ?? kept ?? namedCurrency(base) ?? FIRST_CURRENCY, keep: setKept };
}

export function currencyInput(currency: string, onChange: (currency: string) => void): GroupInput {
  return {
    caption: "Currency",
    className: "w-18 flex-none",
    value: currency,
    maxLength: 3,
    autoCapitalize: "characters",
    onChange: ({ target }) => onChange(target.value.toUpperCase()),
  };
}

/** An amount, and its currency unless the template fixes that. */
export function MoneyControl({ declaration, value, base, onChange, frame }: ControlProps<DeclarationOf<"money">>) {
  const { required, min, max, currency: fixed } = declaration;
  const { currency, keep } = useCurrency(value, base.value);
  const { amount } = asObject(value);
  const input = {
    type: "number",
    inputMode: "decimal",
    min,
    max,
    step: "any",
    placeholder: emptyPlaceholder(declaration),
    "aria-required": required,
  } as const;
  if (fixed !== undefined) {
    return (
      <TextField
        {...frame}
        {...input}
        help={frame.help ?? `In ${fixed}.`}
        value={asText(value)}
        autoComplete="off"
        onChange={({ target }) => onChange(readNumber(target.value))}
      />
    );
  }
  const change = (next: { amount: EditValue | undefined; currency: string }) => {
    keep(next.currency);
    const isEmpty = next.amount === undefined || next.amount === "";
    onChange(isEmpty ? "" : { amount: next.amount as number | string, currency: next.currency });
  };
  return (
    <InputGroup
      frame={frame}
      inputs={[
        {
          ...input,
          caption: "Amount",
          placeholder: required ? "Required" : "None",
          className: "min-w-24 flex-1",
          value: asText(amount),
          onChange: ({ target }) => change({ amount: readNumber(target.value), currency }),
        },
        currencyInput(currency, (next) => change({ amount: amount ?? "", currency: next })),
      ]}
    />
  );
}
