import type { ReactNode } from "react";
import { readNumber } from "../../../ui/form/number-text.ts";
import { asObject, type EditValue } from "../edits.ts";
import { asText, type ControlProps, type DeclarationOf } from "./control.ts";
import { momentInput, useZone, useZoneInput } from "./date-control.tsx";
import { type GroupInput, InputGroup } from "./input-group.tsx";
import { joinMoment, splitMoment } from "./moment.ts";
import { currencyInput, useCurrency } from "./money-control.tsx";
import { numberHint, stepOf } from "./number-control.tsx";

type RangeProps = ControlProps<DeclarationOf<"range">>;
type Bound = DeclarationOf<"range">["of"];
type BoundOf<T extends Bound["type"]> = Extract<Bound, { type: T }>;

const ENDS = { from: "From", to: "To" } as const;

/** How one end of a range is shown, and read again. */
type EndKind = {
  input: Partial<GroupInput>;
  text: (value: EditValue | undefined) => string;
  read: (target: HTMLInputElement) => EditValue;
};

type RangeInputsProps = RangeProps & { kind: EndKind; extra?: GroupInput; children?: ReactNode };

/** The ends of a range where there are any; without both, the field is left out. */
function rangeOf(from: EditValue, to: EditValue): EditValue {
  return from === "" && to === "" ? "" : { from, to };
}

function endsOf(value: EditValue | undefined): { from: EditValue; to: EditValue } {
  const { from, to } = asObject(value);
  return { from: from ?? "", to: to ?? "" };
}

function RangeInputs({ declaration, value, onChange, frame, kind, extra, children }: RangeInputsProps) {
  const ends = endsOf(value);
  const inputs = (["from", "to"] as const).map((end) => ({
    ...kind.input,
    caption: ENDS[end],
    "aria-required": declaration.required,
    value: kind.text(ends[end]),
    onChange: ({ target }: { target: HTMLInputElement }) => {
      const next = { ...ends, [end]: kind.read(target) };
      onChange(rangeOf(next.from, next.to));
    },
  }));
  return (
    <InputGroup frame={frame} between="–" inputs={extra ? [...inputs, extra] : inputs}>
      {children}
    </InputGroup>
  );
}

/** Numbers, amounts of the declared currency, and dates without a zone. */
function plainKind(of: Bound): EndKind {
  if (of.type === "date")
    return {
      input: momentInput(of),
      text: (value) => splitMoment(asText(value)).local,
      read: ({ value }) => splitMoment(value).local,
    };
  const step = of.type === "number" ? stepOf(of) : "any";
  return {
    input: { type: "number", min: of.min, max: of.max, step },
    text: asText,
    read: ({ value }) => readNumber(value),
  };
}

/** Amounts, and the currency that they share. */
function AmountRange(props: RangeProps & { of: BoundOf<"money"> }) {
  const { of, value, base, onChange } = props;
  const { currency, keep } = useCurrency(value, base.value);
  const inCurrency = (end: EditValue, next: string): EditValue => {
    const { amount } = asObject(end);
    return amount === undefined || amount === null ? "" : { amount, currency: next };
  };
  const kind: EndKind = {
    input: { type: "number", inputMode: "decimal", min: of.min, max: of.max, step: "any" },
    text: (end) => asText(asObject(end).amount),
    read: (target) => {
      const amount = readNumber(target.value);
      return amount === "" ? "" : { amount, currency };
    },
  };
  const extra = currencyInput(currency, (next) => {
    keep(next);
    const { from, to } = endsOf(value);
    onChange(rangeOf(inCurrency(from, next), inCurrency(to, next)));
  });
  return <RangeInputs {...props} kind={kind} extra={extra} />;
}

/** Times, and the zone that they share. */
function ZonedRange(props: RangeProps & { of: BoundOf<"date">; own: string }) {
  const { of, own, value, onChange } = props;
  const { from, to } = endsOf(value);
  const { zone, keep } = useZone(asText(from) || asText(to));
  const rewrite = (end: EditValue, next: string) => joinMoment({ local: splitMoment(asText(end)).local, zone: next });
  const { input, list } = useZoneInput(own, zone, (next) => {
    keep(next);
    onChange(rangeOf(rewrite(from, next), rewrite(to, next)));
  });
  const kind: EndKind = {
    input: { ...momentInput(of), className: "min-w-0 flex-1 basis-48" },
    text: (end) => splitMoment(asText(end)).local,
    read: (target) => {
      keep(zone);
      return joinMoment({ local: target.value, zone });
    },
  };
  return (
    <RangeInputs {...props} kind={kind} extra={input}>
      {list}
    </RangeInputs>
  );
}

/** The two ends of a range, and the currency or the zone that they share. */
export function RangeControl(props: RangeProps) {
  const { of } = props.declaration;
  if (of.type === "money" && of.currency === undefined) return <AmountRange {...props} of={of} />;
  if (of.type === "date" && of.zone !== undefined) return <ZonedRange {...props} of={of} own={of.zone} />;
  const hint = of.type === "number" ? numberHint(of) : undefined;
  return <RangeInputs {...props} frame={{ ...props.frame, help: props.frame.help ?? hint }} kind={plainKind(of)} />;
}
