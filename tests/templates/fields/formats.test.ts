import { expect, test } from "vitest";
import { fieldDeclaration } from "#lib/templates/fields/field-types.ts";
import { readField, writeField } from "./one-field.ts";

const EURO = { type: "money", currency: "EUR" };
const MONEY = { type: "money" };
const DAYS = { type: "range", of: { type: "date" } };
const STARS = { type: "rating" };
const DONE = { type: "progress" };
const CONDITION = {
  type: "select",
  options: ["new", "used"],
  labels: { new: { en: "New", de: "Neu", "zh-Hant": "全新" }, used: "Used" },
};
const SPEED = { type: "number", format: "unit", unit: "kilometer-per-hour" };

test.each([
  [{ type: "number" }, 1234.5, "de", "1234.5"],
  [{ type: "number", format: "decimal" }, 1234.5, "de", "1.234,5"],
  [{ type: "number", format: "decimal", digits: 2 }, 1234.5, "fr", "1 234,50"],
  [{ type: "number", format: "percent" }, 0.255, "de", "25,5 %"],
  [{ type: "number", format: "decimal" }, 1234.567_89, "en", "1,234.568"],
  [{ type: "number", format: "decimal" }, 0.000_42, "en", "0.00042"],
  [{ type: "number", format: "percent" }, -0.000_042, "en", "-0.0042%"],
  [{ type: "number", format: "decimal" }, 5e-324, "en", "0"],
  [{ type: "number", format: "percent", signed: true, digits: 0 }, 0.2, "fa", "‎+۲۰٪"],
  [SPEED, 42, "en", "42 km/h"],
  [{ ...SPEED, display: "long" }, 42, "pl", "42 kilometry na godzinę"],
  [{ type: "number", format: "compact" }, 12_345_678, "de", "12 Mio."],
  [{ type: "number", format: "compact" }, 5e-324, "en", "0"],
  [{ type: "number", format: "decimal", digits: 2 }, -0, "en", "0.00"],
  [{ type: "number", format: "decimal", digits: 1 }, -0.01, "en", "0.0"],
  [{ type: "number", format: "unit", unit: "celsius" }, -0, "en", "0°C"],
  [{ type: "money", currency: "EUR" }, -0, "en", "€0.00"],
  [{ type: "range", of: { type: "number", format: "decimal" } }, { from: -0, to: 0 }, "en", "0"],
  [{ type: "number", format: "compact", display: "long", digits: 1 }, 12_345_678, "en", "12.3 million"],
  [EURO, 12.5, "de", "12,50 €"],
  [{ ...EURO, stripZeros: true }, 12, "en", "€12"],
  [MONEY, { amount: 1200, currency: "JPY" }, "ja", "￥1,200"],
  [{ ...MONEY, display: "narrow" }, { amount: 5, currency: "CAD" }, "en", "$5.00"],
  // The mark at the end keeps the sign after its letters in a line from right to left.
  [MONEY, { amount: 5, currency: "USD" }, "ar", "<text-run data-dir=rtl>\u200f5.00 US$\u200e</text-run>"],
  // The mark before a sign keeps it there. The million is left of its number all the same.
  [{ type: "number", format: "compact" }, -1_200_000, "ar", "<text-run data-dir=rtl>\u200e-1.2 مليون</text-run>"],
  [{ type: "number", format: "unit", unit: "kilogram" }, -5, "he", "<text-run data-dir=rtl>\u200e-5 ק״ג</text-run>"],
  [{ type: "number", format: "compact" }, -1_200_000, "fa", "<text-run data-dir=rtl>\u200e\u2212۱٫۲ میلیون</text-run>"],
  [{ ...MONEY, display: "name" }, { amount: 1.5, currency: "KWD" }, "en", "1.500 Kuwaiti dinars"],
  [{ type: "range", of: { type: "number", format: "unit", unit: "celsius" } }, { from: 3, to: 8 }, "de", "3–8 °C"],
  [{ type: "range", of: { type: "number", format: "percent" } }, { from: -0.05, to: -0.03 }, "en", "-5% – -3%"],
  [{ type: "range", of: { type: "number", format: "compact" } }, { from: -5e6, to: -3e6 }, "de", "-5 Mio. – -3 Mio."],
  [{ type: "range", of: { type: "number", format: "percent" } }, { from: -0.05, to: 0.03 }, "en", "-5% – 3%"],
  [
    { type: "range", of: { type: "number", format: "unit", unit: "celsius" } },
    { from: -5, to: -3 },
    "ar",
    "<text-run data-dir=rtl>\u200e-5°م – \u200e-3°م</text-run>",
  ],
  [{ type: "range", of: { type: "number", format: "decimal", digits: 0 } }, { from: -5.1, to: -5 }, "en", "~-5"],
  [{ type: "range", of: EURO }, { from: -20, to: -10 }, "en", "-€20.00 – -€10.00"],
  [{ type: "range", of: EURO }, { from: 10, to: 20 }, "de", "10,00–20,00 €"],
  [{ type: "range", of: { ...EURO, stripZeros: true } }, { from: 10, to: 10 }, "de", "10 €"],
  [
    { type: "range", of: { type: "money" } },
    { from: { amount: 1, currency: "JPY" }, to: { amount: 2, currency: "JPY" } },
    "ja",
    "￥1 ～ ￥2",
  ],
  [{ type: "range", of: { type: "date" } }, { from: "2026-05-01", to: "2026-05-03" }, "de", "1.–3. Mai 2026"],
  [{ type: "range", of: { type: "date" } }, { from: "2026-05-01", to: "2026-05-01" }, "de", "1. Mai 2026"],
])("%j writes %j in %s as %s", async (keys, value, language, wanted) => {
  expect((await writeField({ keys, value, language })).replaceAll(/[\u00a0\u202f]/g, " ")).toBe(wanted);
});

test.each([
  [EURO, "12", 'Got "12", want an amount in EUR as a number such as 12.'],
  [EURO, 12.505, "Got 12.505, want at most 2 digits after the point, as EUR has."],
  [EURO, 1e-7, "Got 0.0000001, want at most 2 digits after the point, as EUR has."],
  [EURO, 5e-324, "Got 5e-324, want at most 2 digits after the point, as EUR has."],
  [{ ...EURO, min: 0 }, -1, "Got -1, want an amount from 0 to 1000000000000."],
  [MONEY, 12, 'Got 12, want an amount with its currency such as { "amount": 12, "currency": "EUR" }.'],
  [MONEY, { amount: 1 }, 'Got nothing as "currency", want a currency of ISO 4217 such as "EUR".'],
  [MONEY, { amount: 1, currency: "eur" }, 'Got "eur" as "currency", want a currency of ISO 4217 such as "EUR".'],
  [MONEY, { amount: "1", currency: "EUR" }, 'Got "1" as "amount", want a number such as 12.'],
  [MONEY, { amount: 1, currency: "EUR", cents: 5 }, 'Got the key "cents", want only "amount", "currency".'],
  [MONEY, { amount: 0.5, currency: "JPY" }, "Got 0.5, want a whole amount, as JPY has."],
  [
    { type: "progress" },
    { done: 1, total: 1e13 },
    'Got 10000000000000 as "total", want a number above 0, at most 1000000000000.',
  ],
  [DAYS, "2026-05-01", 'Got "2026-05-01", want an object with "from" and "to".'],
  [DAYS, { from: "2026-05-01" }, '"to": Got nothing, want a date such as 2026-05-01.'],
  [
    DAYS,
    { from: "2026-05-03", to: "2026-05-01" },
    'Got from "2026-05-03" to "2026-05-01", want an end that is not before the start.',
  ],
  [DAYS, { from: "2026-05-01", to: "2026-05-03", step: 1 }, 'Got the key "step", want only "from", "to".'],
  [DAYS, { from: "May", to: "June" }, '"from": Got "May", want a date such as 2026-05-01.'],
  [
    { type: "range", of: MONEY },
    { from: { amount: 1, currency: "EUR" }, to: { amount: 2, currency: "USD" } },
    "Got EUR and USD, want one currency for both ends.",
  ],
  [STARS, 4.3, "Got 4.3, want a number from 0 to 5 in steps of 0.5."],
  [STARS, 5.5, "Got 5.5, want a number from 0 to 5 in steps of 0.5."],
  [STARS, "4", 'Got "4", want a number from 0 to 5 in steps of 0.5.'],
  [DONE, 1.2, 'Got 1.2, want a number from 0 to 1, or an object such as { "done": 3, "total": 12 }.'],
  [DONE, { done: 5, total: 4 }, 'Got 5 as "done", want a number from 0 to 4.'],
  [DONE, { done: 0, total: 0 }, 'Got 0 as "total", want a number above 0, at most 1000000000000.'],
  [{ ...DONE, total: 40 }, 41, "Got 41, want a number from 0 to 40."],
  [{ ...DONE, total: 40 }, { done: 1, total: 2 }, "Got an object, want a number from 0 to 40."],
  [{ type: "emphasis", maxLength: 5 }, "**ab**", "Got 6 characters, want at most 5."],
])("%j refuses %j", async (keys, value, message) => {
  expect((await readField(keys, value)).issue?.message).toBe(message);
});

test.each([
  [{ type: "number", unit: "celsius" }, '"format": "unit"'],
  [{ type: "number", format: "unit" }, '"unit" too'],
  [{ type: "number", format: "unit", unit: "furlong" }, "want a unit of ECMA-402"],
  [{ type: "number", digits: 2 }, "which the other keys refine"],
  [{ type: "money", currency: "EURO" }, "want a currency of ISO 4217"],
  [{ type: "date", zone: "Europe/Berlin" }, "a day has no zone"],
  [{ type: "date", time: true, zone: "Berlin" }, "want a time zone"],
  [{ ...CONDITION, labels: { new: "New" } }, 'Want an entry for the option "used" too'],
  [{ ...CONDITION, labels: { new: { de: "Neu" }, used: "Used" } }, 'Want "en" too'],
  [
    { ...CONDITION, pictures: { new: "assets/a.svg", used: "assets/b.svg", old: "assets/c.svg" } },
    "which is no option",
  ],
])("the declaration %j is refused", (keys, message) => {
  const { error } = fieldDeclaration.safeParse({ label: "Field", ...keys });
  expect(error?.issues.map((issue) => issue.message).join()).toContain(message);
});

const PRICE = { amount: 1250.5, currency: "CHF" };

test.each([
  ["{{ field.amount }} {{ field.currency }}", "1250.5 CHF"],
  [
    "{% for part in field.parts %}{{ part.type }}:{{ part.text }} {% endfor %}",
    "integer:1 group:. integer:250 decimal:, fraction:50 literal:\u00a0 currency:CHF ",
  ],
  ['{{ field | money: display: "name" }}', "1.250,50\u00a0Schweizer Franken"],
  ['{{ field | money: language: "en-US" }}', "CHF\u00a01,250.50"],
  ["{% if field > 1000 and field == 1250.5 and 2000 >= field %}more{% endif %}", "more"],
  ["{{ field | times: 2 }}", "2501"],
  ['{{ field | append: "!" }}', "1.250,50\u00a0CHF!"],
  [
    "{% assign kept = field %}{{ kept }}{% capture text %}{{ field }}{% endcapture %}{{ text | size }}",
    "1.250,50\u00a0CHF12",
  ],
])("an amount in a template: %s", async (source, wanted) => {
  expect(await writeField({ keys: MONEY, value: PRICE, language: "de", source })).toBe(wanted);
});

test.each([
  ["{{ field | date }}", 'The filter "date" is not for'],
  ["{{ field | number }}", 'The filter "number" is not for'],
  ["{{ field.constructor }}", "undefined variable: field.constructor"],
  ["{{ field.valueOf }}", "undefined variable: field.valueOf"],
  ["{{ field.amout }}", "undefined variable: field.amout"],
  ['{{ field | money: display: "big" }}', 'The filter "money" got "big", want one of symbol, narrow, code, name'],
  ['{{ field | money: colour: "big" }}', 'The filter "money" got "colour:", want display:, strip:, language:'],
])("a wrong use of an amount is a fault: %s", async (source, message) => {
  await expect(writeField({ keys: MONEY, value: PRICE, source })).rejects.toThrow(message);
});

test("the ends of a range of amounts are amounts", async () => {
  const keys = { type: "range", of: EURO };
  const source = "{{ field.from }} {{ field.to.amount }} {{ field | money: display: 'code' }}";
  expect(await writeField({ keys, value: { from: 10, to: 20.5 }, source })).toBe("€10.00 20.5 EUR\u00a010.00–20.50");
});

test.each([
  [STARS, 3.5, "{% for step in field.steps %}{{ step }} {% endfor %}", "1 1 1 0.5 0 "],
  [STARS, 3.5, "{{ field }} {{ field.fraction }} {{ field.label }}", "3,5 0.7 3,5/5"],
  [STARS, 3.5, "{% if field >= 3.5 %}good{% endif %}", "good"],
  [DONE, 0.29, "{{ field }} {{ field.fraction }}", "29\u00a0% 0.29"],
  [DONE, 0.9999, "{{ field }}", "99\u00a0%"],
  [DONE, { done: 1500, total: 3000 }, "{{ field }} {{ field.label }}", "50\u00a0% 1.500/3.000"],
  [{ ...DONE, total: 12 }, 3, "{{ field.done }}/{{ field.total }}", "3/12"],
  [CONDITION, "new", "{{ field }} {{ field.label }}", "new Neu"],
  [CONDITION, "used", "{{ field.label }}", "Used"],
  [CONDITION, "new", '{% if field == "new" %}1{% endif %}{% case field %}{% when "new" %}2{% endcase %}', "12"],
])("%j with %j writes %s in German as %s", async (keys, value, source, wanted) => {
  expect(await writeField({ keys, value, source, language: "de" })).toBe(wanted);
});

test("an option may be the form of a number", async () => {
  const keys = { type: "select", options: ["decimal", "percent"], labels: { decimal: "Number", percent: "Share" } };
  expect(await writeField({ keys, value: "percent", source: "{{ 0.25 | number: field }}" })).toBe("25%");
});
