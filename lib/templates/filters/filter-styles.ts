import { isUnit, type MoneyStyle, type NumberStyle } from "#lib/type/text/numbers.ts";

function refuseUnknown(filter: string, named: Record<string, unknown>, known: string[]): void {
  const unknown = Object.keys(named).find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new TypeError(`The filter "${filter}" got "${unknown}:", want ${known.map((name) => `${name}:`).join(", ")}`);
}

/** The choice may come from a field of type select, whose value is an object that is written as its option. */
function choiceOf<T extends string>(filter: string, value: unknown, known: readonly T[]): T | undefined {
  if (value === undefined || value === null) return undefined;
  const choice = known.find((one) => one === String(value));
  if (choice !== undefined) return choice;
  throw new TypeError(`The filter "${filter}" got "${value}", want one of ${known.join(", ")}`);
}

function digitsOf(filter: string, value: unknown): number | undefined {
  if (value === undefined) return undefined;
  if (Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 6) return Number(value);
  throw new TypeError(`The filter "${filter}" got digits: ${value}, want 0 to 6`);
}

/** The style that the arguments of the filter `number` ask for. @throws TypeError for a wrong one */
export function numberStyle(form: unknown, named: Record<string, unknown>): NumberStyle {
  refuseUnknown("number", named, ["digits", "unit", "display", "signed", "language"]);
  const { unit } = named;
  if (unit !== undefined && !isUnit(String(unit)))
    throw new TypeError(
      `The filter "number" got unit: "${unit}", want a unit such as "celsius" or "kilometer-per-hour"`,
    );
  const format = choiceOf("number", form, ["decimal", "percent", "unit", "compact"]);
  if ((format === "unit") !== (unit !== undefined))
    throw new TypeError('The filter "number" wants "unit" and unit: together, as in number: "unit", unit: "celsius"');
  return {
    format,
    digits: digitsOf("number", named.digits),
    unit: unit === undefined ? undefined : String(unit),
    display: choiceOf("number", named.display, ["short", "narrow", "long"]),
    signed: named.signed === true,
  };
}

/** The style that the arguments of the filter `money` ask for, beside that of the value. @throws TypeError for a wrong one */
export function moneyStyle(form: unknown, named: Record<string, unknown>, own: Partial<MoneyStyle> = {}): MoneyStyle {
  refuseUnknown("money", named, ["display", "strip", "language"]);
  const currency = form === undefined || form === null ? own.currency : String(form);
  if (currency === undefined || !/^[A-Z]{3}$/.test(currency))
    throw new TypeError(`The filter "money" got ${currency ? `"${currency}"` : "no currency"}, want one such as "EUR"`);
  return {
    currency,
    display: choiceOf("money", named.display, ["symbol", "narrow", "code", "name"]) ?? own.display,
    stripZeros: named.strip === undefined ? own.stripZeros : named.strip === true,
  };
}
