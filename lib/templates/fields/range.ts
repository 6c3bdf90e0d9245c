import { z } from "zod";
import { isObject } from "#lib/json-kinds.ts";
import { fitRule } from "#lib/type/fit/fit-rule.ts";
import { readDate, writeDateRange } from "#lib/type/text/dates.ts";
import { type ReadResult, refuse, show, unknownKeys, type ValueFault, wrongType } from "../faults/value-faults.ts";
import { WrittenValue } from "../filters/written-value.ts";
import { checkDateKeys, dateField, dateKeys } from "./date.ts";
import { commonDeclaration, type FieldType } from "./field-type.ts";
import { type Money, moneyField, moneyKeys, presentMoney } from "./money.ts";
import { checkNumberKeys, checkOrder, numberField, numberKeys, presentNumber } from "./number.ts";

export const rangeDeclaration = z.strictObject({
  ...commonDeclaration,
  type: z.literal("range"),
  /** What both ends are: numbers, amounts or dates, with the keys of those types. */
  of: z.discriminatedUnion("type", [
    z.strictObject(numberKeys).superRefine(checkNumberKeys),
    z.strictObject(moneyKeys).superRefine(checkOrder),
    z.strictObject(dateKeys).superRefine(checkDateKeys),
  ]),
  fit: fitRule.optional(),
});

type RangeDeclaration = z.infer<typeof rangeDeclaration>;
type Bound = RangeDeclaration["of"];

type BoundValue = number | Money | string;
export type Range = { from: BoundValue; to: BoundValue };

function boundType({ type }: Bound): FieldType<Bound, BoundValue> {
  // Each type is stored under the literal that its declaration carries. TypeScript cannot follow that through a union.
  return { number: numberField, money: moneyField, date: dateField }[type] as unknown as FieldType<Bound, BoundValue>;
}

/** A value that decides the order of two ends. */
function rankOf(value: BoundValue): number {
  if (typeof value === "number") return value;
  return typeof value === "string" ? (readDate(value)?.instant.getTime() ?? 0) : value.amount;
}

function unitOf(value: BoundValue): string {
  if (typeof value === "string") return readDate(value)?.zone ?? "";
  return typeof value === "object" ? value.currency : "";
}

function orderFault({ from, to }: Range, given: { from: unknown; to: unknown }): ValueFault | undefined {
  // The names of time zones have no case.
  if (unitOf(from).toLowerCase() !== unitOf(to).toLowerCase()) {
    const what = typeof from === "string" ? "time zone" : "currency";
    return { code: "invalid_range", message: `Got ${unitOf(from)} and ${unitOf(to)}, want one ${what} for both ends.` };
  }
  if (rankOf(from) <= rankOf(to)) return undefined;
  const [start, end] = [given.from, given.to].map((value, index) =>
    typeof value === "object" ? String(rankOf(index === 0 ? from : to)) : show(value),
  );
  return { code: "invalid_range", message: `Got from ${start} to ${end}, want an end that is not before the start.` };
}

type ReadEnd = { value?: BoundValue; faults: ValueFault[] };

function readEnd(value: unknown, of: Bound): ReadEnd {
  // These types read nothing that has to be awaited.
  const read = boundType(of).read(value, of, {}) as ReadResult<BoundValue>;
  return "fault" in read ? { faults: [read.fault, ...(read.more ?? [])] } : { value: read.value, faults: [] };
}

function endFaults(name: string, { faults }: ReadEnd): ValueFault[] {
  return faults.map(({ code, message, at = [] }) => ({ code, message: `"${name}": ${message}`, at: [name, ...at] }));
}

/** Two numbers, amounts or dates, the second of which is not before the first. */
export const rangeField: FieldType<RangeDeclaration, Range> = {
  read(value, { of }) {
    if (!isObject(value)) return wrongType(value, 'an object with "from" and "to"');
    const [start, end] = [readEnd(value.from, of), readEnd(value.to, of)];
    const unknown = unknownKeys(value, { known: ["from", "to"], code: "invalid_type" });
    const refused = refuse([...endFaults("from", start), ...endFaults("to", end), ...unknown]);
    if (refused) return refused;
    // Without faults, both ends have a value.
    const range = { from: start.value, to: end.value } as Range;
    const fault = orderFault(range, { from: value.from, to: value.to });
    return fault ? { fault } : { value: range };
  },
  present(range, { of }, settings) {
    const ends = Object.entries(range).map(([name, value]) => [
      name,
      boundType(of).present?.(value, of, settings) ?? value,
    ]);
    const facts = Object.fromEntries(ends);
    const { language } = settings;
    const raw = rankOf(range.from);
    const quantity = { from: raw, to: rankOf(range.to) };
    if (of.type === "number") return presentNumber(quantity, of, { language, raw, facts });
    if (of.type === "money")
      return presentMoney(quantity, { ...of, currency: unitOf(range.from) }, { language, raw, facts });
    const dates = { from: String(range.from), to: String(range.to) };
    return new WrittenValue({
      text: writeDateRange(dates, "long", language),
      raw: dates.from,
      facts,
      rewrite: ({ filter, form, language: wanted }) =>
        filter === "date" ? writeDateRange(dates, String(form ?? "long"), wanted) : undefined,
    });
  },
  jsonSchema({ of }) {
    const end = boundType(of).jsonSchema(of);
    return {
      type: "object",
      properties: { from: end, to: end },
      required: ["from", "to"],
      additionalProperties: false,
    };
  },
  sample({ of }) {
    const value = boundType(of).sample(of);
    return { from: value, to: value };
  },
  /** Other ends, because a picture may show only one. Their order does not matter, because no request sends them. */
  another({ from, to }, { of }) {
    const type = boundType(of);
    const other = (value: BoundValue) => type.another?.(value, of) ?? type.sample(of);
    return { from: other(from), to: other(to) };
  },
  hostile: [],
};
