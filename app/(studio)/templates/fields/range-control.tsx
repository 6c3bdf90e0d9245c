import { Field as Base } from "@base-ui/react/field";
import type { ComponentProps } from "react";
import { Field } from "../../../ui/form/field.tsx";
import { asObject, type EditValue } from "../edits.ts";
import { asText, type ControlProps, type DeclarationOf } from "./control.ts";
import { inputNumber } from "./money-control.tsx";

type RangeDeclaration = DeclarationOf<"range">;
type End = { of: RangeDeclaration["of"]; value: EditValue | undefined; currency: string };

/** The text of an input: that of an amount has no currency. */
function endText({ of, value }: End): string {
  return of.type === "money" && of.currency === undefined ? asText(asObject(value).amount) : asText(value).slice(0, 16);
}

function inputOf({ of }: End): ComponentProps<"input"> {
  if (of.type !== "date") return { type: "number", inputMode: "decimal", step: "any", min: of.min, max: of.max };
  return of.time ? { type: "datetime-local", max: "9999-12-31T23:59" } : { type: "date", max: "9999-12-31" };
}

function readEnd({ of, currency }: End, target: HTMLInputElement): EditValue {
  if (of.type === "date") return target.value.slice(0, 16);
  const number = inputNumber(target);
  return of.type === "money" && of.currency === undefined && number !== "" ? { amount: number, currency } : number;
}

/** The currency of either end, which the other one has too. */
function currencyOf(...values: (EditValue | undefined)[]): string {
  const [found = "EUR"] = values.flatMap((value) => {
    const { from, to } = asObject(value);
    return [asObject(from).currency, asObject(to).currency].filter((currency) => typeof currency === "string");
  });
  return found;
}

/** The two ends of a range, side by side where there is room. */
export function RangeControl({ declaration, value, base, onChange, frame }: ControlProps<RangeDeclaration>) {
  const { label, required, of } = declaration;
  const ends = asObject(value);
  const currency = currencyOf(value, base.value);
  const inputFor = (name: "from" | "to") => {
    const end = { of, value: ends[name], currency };
    return {
      ...inputOf(end),
      "aria-label": `${name === "from" ? "From" : "To"}: ${label}`,
      "aria-required": required,
      value: endText(end),
      autoComplete: "off",
      onChange: ({ target }: { target: HTMLInputElement }) => {
        const next = { ...ends, [name]: readEnd(end, target) };
        onChange(Object.values(next).every((one) => one === "") ? "" : next);
      },
      className: "control min-w-0 flex-1 basis-32",
    };
  };
  return (
    <Field {...frame}>
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1.5">
        <Base.Control render={<input {...inputFor("from")} />} />
        <span aria-hidden="true" className="text-soft">
          –
        </span>
        <input {...inputFor("to")} />
      </div>
    </Field>
  );
}
