import { expect, test } from "vitest";
import { fillLiquid, parseLiquid } from "#lib/templates/liquid.ts";
import { readTextSettings } from "#lib/templates/text-settings.ts";

const VALUES = {
  day: "2026-05-02T19:30:00Z",
  start: "2026-05-02T19:30:00+02:00[Europe/Berlin]",
  count: 1234.5,
  share: 0.25,
  tiny: 0.00000025,
  huge: 2e21,
  text: "zqx marker",
  digits: "1234.5",
  nothing: null,
};

function fill(source: string, language: string): string {
  return fillLiquid(parseLiquid(source), VALUES, { ...readTextSettings({}, {}), language }).html;
}

test.each([
  ["{{ day | date }}", "2. Mai 2026"],
  ['{{ day | date: "weekday" }}', "Samstag"],
  ['{{ day | date: "day" }}', "2. Mai"],
  ['{{ day | date: "month" }}', "Mai 2026"],
  ['{{ day | date: "long", "fr" }}', "2 mai 2026"],
  ['{{ day | date: language: "fr" }}', "2 mai 2026"],
  ['{{ day | date: "%-d %B %Y %H:%M" }}', "2 May 2026 19:30"],
  ['{{ day | date: "zone" }}', ""],
  ['{{ start | date: "time" }} {{ start | date: "zone" }}', "19:30 MESZ"],
  ['{{ start | date: "%H:%M %z" }}', "19:30 +0200"],
  ['{{ start | local_date: "time" }}', "19:30"],
  ["{{ count | number }}", "1.234,5"],
  ['{{ count | number: "compact" }}', "1235"],
  ["{{ count | number: digits: 2 }}", "1.234,50"],
  ['{{ share | number: "percent" }}', "25\u00a0%"],
  ['{{ count | number: "unit", unit: "kilogram", digits: 0 }}', "1.235\u00a0kg"],
  ['{{ count | money: "EUR" }}', "1.234,50\u00a0€"],
  ['{{ count | money: "EUR", language: "en" }}', "€1,234.50"],
  ["{{ count | local_number }}", "1.234,5"],
  ["{{ digits | number }}", "1.234,5"],
  ['{{ tiny | append: "" | number: "percent", digits: 6 }}', "0,000025\u00a0%"],
  ['{{ huge | append: "" | number }}', "2.000.000.000.000.000.000.000"],
  ["{{ nothing | date }}{{ nothing | number }}{{ nothing | money: 'EUR' }}", ""],
])("%s writes %j in German", (source, wanted) => {
  expect(fill(source, "de")).toBe(wanted);
});

test.each(['date: "long"', "long_date", "local_date", 'date: "%Y"', "number", "local_number", 'money: "EUR"'])(
  "a text that is neither date nor number stays as it is with the filter %s",
  (filter) => {
    expect(fill(`{{ text | ${filter} }}`, "de")).toBe("zqx marker");
  },
);

test.each([
  ['{{ day | date: "short" }}', 'Got the date form "short", want one of long, full'],
  ['{{ "now" | date }}', "must not depend on the current time"],
  ['{{ count | number: "cent" }}', 'The filter "number" got "cent", want one of decimal, percent, unit, compact'],
  ["{{ count | number: digits: 9 }}", 'The filter "number" got digits: 9, want 0 to 6'],
  ['{{ count | number: "unit" }}', 'The filter "number" wants "unit" and unit: together'],
  ['{{ count | number: "unit", unit: "furlong" }}', 'The filter "number" got unit: "furlong"'],
  ["{{ count | money }}", 'The filter "money" got no currency, want one such as "EUR"'],
])("%s is a fault", (source, message) => {
  expect(() => fill(source, "de")).toThrow(message);
});
