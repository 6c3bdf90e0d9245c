import { z } from "zod";
import { isNumber, isObject } from "#lib/json-kinds.ts";
import { fitRule } from "#lib/type/fit/fit-rule.ts";
import { type MoneyStyle, minorDigits, type Quantity, writeMoney } from "#lib/type/text/numbers.ts";
import { type ReadResult, refuse, show, unknownKeys, type ValueFault, wrongType } from "../faults/value-faults.ts";
import { moneyStyle } from "../filters/filter-styles.ts";
import { joinParts, piecesFor, WrittenValue } from "../filters/written-value.ts";
import { commonDeclaration, type FieldType, type JsonSchema } from "./field-type.ts";
import { checkOrder } from "./number.ts";

const CURRENCIES = new Set(Intl.supportedValuesOf("currency"));

const wantedCurrency = 'a currency of ISO 4217 such as "EUR"';

/** The keys of an amount beyond the common ones. A range of amounts has them too. */
export const moneyKeys = {
  type: z.literal("money"),
  /** ISO 4217. With it, values are numbers; without it, each value names its currency. */
  currency: z
    .string()
    .refine((code) => CURRENCIES.has(code), `want ${wantedCurrency}`)
    .optional(),
  min: z.number().default(-1_000_000_000_000),
  max: z.number().default(1_000_000_000_000),
  /** How the currency is written: €, US$ or $, EUR, or euros. */
  display: z.enum(["symbol", "narrow", "code", "name"]).optional(),
  /** Whether whole amounts are written without the digits of the minor unit: €12 instead of €12.00. */
  stripZeros: z.boolean().optional(),
};

export const moneyDeclaration = z
  .strictObject({
    ...commonDeclaration,
    ...moneyKeys,
    fit: fitRule.optional(),
    /** Whether the template adds it to the other amounts that have this key, so that all of them need one currency. */
    sameCurrency: z.boolean().optional(),
  })
  .superRefine(checkOrder);

export type MoneyKeys = z.infer<z.ZodObject<typeof moneyKeys>>;

export type Money = { amount: number; currency: string };

/** A number as JSON writes it, without an exponent where it is not tiny. */
function plain(amount: number): string {
  const text = amount.toLocaleString("en", { useGrouping: false, maximumFractionDigits: 20 });
  return Number(text) === amount ? text : String(amount);
}

const isCurrency = (value: unknown): value is string => typeof value === "string" && CURRENCIES.has(value);

/** @param currency decides about the digits. Without a known one they are not checked */
function amountFault(amount: number, currency: string | undefined, { min, max }: MoneyKeys): ValueFault | undefined {
  if (amount < min || amount > max)
    return { code: "out_of_range", message: `Got ${amount}, want an amount from ${min} to ${max}.` };
  if (currency === undefined) return undefined;
  const digits = minorDigits(currency);
  if (Number(amount.toFixed(digits)) === amount) return undefined;
  const wanted = digits === 0 ? "a whole amount" : `at most ${digits} digits after the point`;
  return { code: "invalid_amount", message: `Got ${plain(amount)}, want ${wanted}, as ${currency} has.` };
}

function amountFaults(amount: unknown, currency: string | undefined, keys: MoneyKeys): ValueFault[] {
  const fault: ValueFault | undefined = isNumber(amount)
    ? amountFault(amount, currency, keys)
    : { code: "invalid_type", message: `Got ${show(amount)} as "amount", want a number such as 12.` };
  return fault ? [{ ...fault, at: ["amount"] }] : [];
}

/** Reads an amount that names its currency. */
function readNamed(value: unknown, keys: MoneyKeys): ReadResult<Money> {
  const wanted = 'an amount with its currency such as { "amount": 12, "currency": "EUR" }';
  if (!isObject(value)) return wrongType(value, wanted);
  const { amount, currency } = value;
  const faults = amountFaults(amount, isCurrency(currency) ? currency : undefined, keys);
  if (!isCurrency(currency)) {
    const message = `Got ${show(currency)} as "currency", want ${wantedCurrency}.`;
    faults.push({ code: "invalid_currency", message, at: ["currency"] });
  }
  faults.push(...unknownKeys(value, { known: ["amount", "currency"], code: "invalid_type" }));
  // Without faults, the amount is a number and the currency a known one.
  return refuse(faults) ?? { value: { amount, currency } as Money };
}

/** Reads an amount of the declared currency. */
function readAmount(value: unknown, currency: string, keys: MoneyKeys): ReadResult<Money> {
  if (!isNumber(value)) return wrongType(value, `an amount in ${currency} as a number such as 12`);
  const fault = amountFault(value, currency, keys);
  return fault ? { fault } : { value: { amount: value, currency } };
}

function amountSchema({ min, max }: MoneyKeys): JsonSchema {
  return { type: "number", minimum: min, maximum: max };
}

/** Writes an amount, or a range of them, as its declaration or a filter says. */
export function presentMoney(
  quantity: Quantity,
  style: MoneyStyle,
  { language, raw, facts }: { language: string; raw: number; facts: Record<string, unknown> },
): WrittenValue {
  const parts = writeMoney(quantity, style, language);
  return new WrittenValue({
    text: joinParts(parts),
    raw,
    facts: { ...facts, currency: style.currency, parts: piecesFor(parts, language) },
    rewrite: ({ filter, form, options, language: wanted }) =>
      filter === "money" ? joinParts(writeMoney(quantity, moneyStyle(form, options, style), wanted)) : undefined,
  });
}

/** An amount of money, with at most the digits of its currency. */
export const moneyField: FieldType<MoneyKeys, Money> = {
  read(value, declaration) {
    const { currency } = declaration;
    return currency === undefined ? readNamed(value, declaration) : readAmount(value, currency, declaration);
  },
  present: ({ amount, currency }, { display, stripZeros }, { language }) =>
    presentMoney(
      amount,
      { currency, display, stripZeros },
      { language, raw: amount, facts: { amount, digits: minorDigits(currency) } },
    ),
  jsonSchema(declaration) {
    const amount = amountSchema(declaration);
    if (declaration.currency !== undefined) return amount;
    return {
      type: "object",
      properties: { amount, currency: { type: "string", pattern: "^[A-Z]{3}$", examples: ["EUR"] } },
      required: ["amount", "currency"],
      additionalProperties: false,
    };
  },
  sample: ({ min, max, currency = "EUR" }) => ({ amount: Math.min(Math.max(1, min), max), currency }),
  another: ({ amount, currency }, { min, max }) => ({ amount: amount === max ? min : max, currency }),
  hostile: [],
};
