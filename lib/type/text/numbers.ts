import { keepFormats, numberLocale } from "./locales.ts";
import { isRtlLanguage } from "./scripts.ts";

/** How a number is written. The names are those of the field type `number`. */
export type NumberStyle = {
  format?: "decimal" | "percent" | "unit" | "compact" | undefined;
  /** Whether a number has an exponent, as in 1.2E-9. Only charts have such numbers. */
  isScientific?: boolean | undefined;
  /** Digits after the point: exactly that many, or of a compact number and of one with an exponent at most. */
  digits?: number | undefined;
  /** A unit that ECMA-402 knows, such as `celsius` or `kilometer-per-hour`. */
  unit?: string | undefined;
  display?: "short" | "narrow" | "long" | undefined;
  /** Whether numbers above zero have a plus sign. */
  signed?: boolean | undefined;
};

/** How an amount is written. The names are those of the field type `money`. */
export type MoneyStyle = {
  /** ISO 4217. */
  currency: string;
  display?: "symbol" | "narrow" | "code" | "name" | undefined;
  /** Whether whole amounts are written without the digits of their minor unit. */
  stripZeros?: boolean | undefined;
};

/** A number, or a range of two that differ. */
export type Quantity = number | { from: number; to: number };

/** A piece of a written number, such as its `integer`, its `fraction` or its `currency`. */
export type TextPart = { type: string; text: string };

const formatFor = keepFormats(
  (locale, options: Intl.NumberFormatOptions): Intl.NumberFormat => new Intl.NumberFormat(locale, options),
);

/** Numbers and percentages have at most as many digits after the point as most tables show. */
const DECIMAL_DIGITS = 3;
const PERCENT_DIGITS = 2;
/** Of smaller ones, so many digits that are not 0 are written: 0.0004 is neither 0 nor 0.00. */
const LEAST_DIGITS = 2;

function digitOptions({ format, digits, isScientific }: NumberStyle): Intl.NumberFormatOptions {
  if (digits === undefined)
    return format === "compact"
      ? {}
      : {
          maximumFractionDigits: format === "percent" ? PERCENT_DIGITS : DECIMAL_DIGITS,
          maximumSignificantDigits: LEAST_DIGITS,
          roundingPriority: "morePrecision",
        };
  return format === "compact" || isScientific
    ? { maximumFractionDigits: digits }
    : { minimumFractionDigits: digits, maximumFractionDigits: digits };
}

function numberOptions(style: NumberStyle): Intl.NumberFormatOptions {
  const { format = "decimal", unit, display = "short", signed } = style;
  return {
    ...(format === "percent" && { style: "percent" }),
    ...(format === "unit" && { style: "unit", unit, unitDisplay: display }),
    ...(format === "compact" && { notation: "compact", compactDisplay: display === "long" ? "long" : "short" }),
    ...(style.isScientific && { notation: "scientific" }),
    // Without it, what rounds to zero from below is written as -0.
    signDisplay: signed ? "exceptZero" : "negative",
    ...digitOptions(style),
  };
}

const CURRENCY_DISPLAY = { symbol: "symbol", narrow: "narrowSymbol", code: "code", name: "name" } as const;

function moneyOptions({ currency, display = "symbol", stripZeros }: MoneyStyle): Intl.NumberFormatOptions {
  return {
    style: "currency",
    currency,
    currencyDisplay: CURRENCY_DISPLAY[display],
    signDisplay: "negative",
    ...(stripZeros && { trailingZeroDisplay: "stripIfInteger" }),
  };
}

/** Without a mark behind it, the sign of US$ would stand before its letters in a line from right to left. */
function withSignInPlace(currency: string): string {
  return /[A-Za-z]\p{Sc}$/u.test(currency) ? `${currency}\u200e` : currency;
}

type FormatPart = { type: string; value: string };

const countSigns = (parts: FormatPart[]) => parts.filter(({ type }) => type === "minusSign").length;

/**
 * The pieces of a range. Of two numbers below zero, `Intl` often writes one sign for both, as in -5–3 %, which reads as from -5 to 3.
 * They have a sign each, and a dash as between numbers of different signs.
 */
function rangeParts(format: Intl.NumberFormat, { from, to }: { from: number; to: number }): FormatPart[] {
  const parts = format.formatRangeToParts(from, to);
  const [first, last] = [format.formatToParts(from), format.formatToParts(to)];
  const isOneNumber = parts.some(({ type }) => type === "approximatelySign");
  if (isOneNumber || countSigns(parts) === countSigns(first) + countSigns(last)) return parts;
  const dash = format
    .formatRangeToParts(from, -to)
    .find(({ type, source }) => type === "literal" && source === "shared");
  const value = dash?.value.replaceAll(/[\u061c\u200e\u200f]/g, "") ?? " – ";
  return [...first, { type: "literal", value }, ...last];
}

function partsOf(quantity: Quantity, options: Intl.NumberFormatOptions, language: string): TextPart[] {
  const format = formatFor(numberLocale(language), options);
  const parts: FormatPart[] =
    typeof quantity === "object" && quantity.from !== quantity.to
      ? rangeParts(format, quantity)
      : format.formatToParts(typeof quantity === "object" ? quantity.from : quantity);
  // A number stays on the line of its unit.
  const texts = parts.map(({ type, value }) => ({ type, text: value === " " ? "\u00a0" : value }));
  if (!isRtlLanguage(language)) return texts;
  return texts.map(({ type, text }) => ({ type, text: type === "currency" ? withSignInPlace(text) : text }));
}

/** In size below this, a number without `digits` is written as 0. Its two digits would otherwise follow up to 323 zeros. */
export const SMALLEST = 1e-6;

function withoutTraces(quantity: Quantity): Quantity {
  const round = (number: number) => (Math.abs(number) < SMALLEST ? 0 : number);
  return typeof quantity === "number" ? round(quantity) : { from: round(quantity.from), to: round(quantity.to) };
}

/**
 * Writes a number, or a range of them, with the digits and the separators of a language.
 * @throws RangeError for a language that is no BCP 47 tag, and for a unit that is unknown
 */
export function writeNumber(quantity: Quantity, style: NumberStyle, language: string): TextPart[] {
  const isRounded = style.digits === undefined && !style.isScientific;
  return partsOf(isRounded ? withoutTraces(quantity) : quantity, numberOptions(style), language);
}

/** Writes an amount, or a range of them, as a language writes its currency. @throws RangeError as {@link writeNumber} */
export function writeMoney(quantity: Quantity, style: MoneyStyle, language: string): TextPart[] {
  return partsOf(quantity, moneyOptions(style), language);
}

/** By currency, of which there are three hundred. To make a format for one takes longer than to write an amount. */
const digitsByCurrency = new Map<string, number>();

/** How many digits after the point an amount is written with: 2 in euros, none in yen, and none in forints, unlike in ISO 4217. */
export function minorDigits(currency: string): number {
  const known = digitsByCurrency.get(currency);
  if (known !== undefined) return known;
  const digits = formatFor("en", { style: "currency", currency }).resolvedOptions().maximumFractionDigits ?? 0;
  digitsByCurrency.set(currency, digits);
  return digits;
}

/** Whether `Intl` knows a unit. */
export function isUnit(unit: string): boolean {
  try {
    formatFor("en", { style: "unit", unit });
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}
