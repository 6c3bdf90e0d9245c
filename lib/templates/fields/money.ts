import { z } from "zod";
import { fitRule } from "#lib/type/fit/fit-rule.ts";
import { type MoneyStyle, minorDigits, type Quantity, writeMoney } from "#lib/type/text/numbers.ts";
import { moneyStyle } from "../filters/filter-styles.ts";
import { joinParts, piecesFor, WrittenValue } from "../filters/written-value.ts";
import { commonDeclaration, type FieldType, type JsonSchema, show, type ValueFault, wrongType } from "./field-type.ts";

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

export const moneyDeclaration = z.strictObject({ ...commonDeclaration, ...moneyKeys, fit: fitRule.optional() });

export type MoneyKeys = z.infer<z.ZodObject<typeof moneyKeys>>;

export type Money = { amount: number; currency: string };

/** A number as JSON writes it, without an exponent. */
function plain(amount: number): string {
  return amount.toLocaleString("en", { useGrouping: false, maximumFractionDigits: 20 });
}

function amountFault(amount: number, currency: string, { min, max }: MoneyKeys): ValueFault | undefined {
  if (amount < min || amount > max)
    return { code: "out_of_range", message: `Got ${amount}, want an amount from ${min} to ${max}.` };
  const digits = minorDigits(currency);
  if (Number(amount.toFixed(digits)) === amount) return undefined;
  const wanted = digits === 0 ? "a whole amount" : `at most ${digits} digits after the point`;
  return { code: "invalid_amount", message: `Got ${plain(amount)}, want ${wanted}, as ${currency} has.` };
}

/** Reads the amount and the currency that a value names. */
function readParts(value: unknown, { currency }: MoneyKeys): Money | ValueFault {
  if (currency !== undefined) {
    if (typeof value === "number" && Number.isFinite(value)) return { amount: value, currency };
    return wrongType(value, `an amount in ${currency} as a number such as 12`).fault;
  }
  const wanted = 'an amount with its currency such as { "amount": 12, "currency": "EUR" }';
  if (typeof value !== "object" || value === null || Array.isArray(value)) return wrongType(value, wanted).fault;
  const { amount, currency: own, ...rest } = value as Record<string, unknown>;
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined)
    return { code: "invalid_type", message: `Got the key ${show(unknown)}, want only "amount" and "currency".` };
  if (typeof amount !== "number" || !Number.isFinite(amount))
    return { code: "invalid_type", message: `Got ${show(amount)} as "amount", want a number such as 12.` };
  if (typeof own !== "string" || !CURRENCIES.has(own))
    return { code: "invalid_currency", message: `Got ${show(own)} as "currency", want ${wantedCurrency}.` };
  return { amount, currency: own };
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
    const money = readParts(value, declaration);
    if ("code" in money) return { fault: money };
    const fault = amountFault(money.amount, money.currency, declaration);
    return fault ? { fault } : { value: money };
  },
  present: ({ amount, currency }, { display, stripZeros }, { language }) =>
    presentMoney(amount, { currency, display, stripZeros }, { language, raw: amount, facts: { amount } }),
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
  hostile: [],
};
