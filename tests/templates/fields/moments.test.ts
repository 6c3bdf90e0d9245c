import { expect, test } from "vitest";
import { readField, writeField } from "./one-field.ts";

const DAYS = { type: "range", of: { type: "date" } };
const BERLIN = { type: "date", time: true, zone: "Europe/Berlin" };

test.each([
  [
    "2026-03-29T02:30",
    'Got "2026-03-29T02:30", want a time that exists: the clocks of Europe/Berlin were set forward past this one.',
  ],
  [
    "2026-05-01T19:30[Europe/Bonn]",
    'Got "2026-05-01T19:30[Europe/Bonn]", want a time zone such as [Europe/Berlin], not [Europe/Bonn].',
  ],
  [
    "2026-05-01T19:30+01:00[Europe/Berlin]",
    'Got "2026-05-01T19:30+01:00[Europe/Berlin]", want the offset that Europe/Berlin has then, or none, instead of +01:00.',
  ],
  [
    "2026-02-30T19:30",
    'Got "2026-02-30T19:30", want a date and time such as "2026-05-01T19:30", "2026-05-01T17:30Z" or "2026-05-01T19:30+02:00".',
  ],
  [
    "2026-05-01",
    'Got "2026-05-01", want a date and time such as "2026-05-01T19:30", "2026-05-01T17:30Z" or "2026-05-01T19:30+02:00".',
  ],
])("a time in Berlin is refused: %s", async (value, message) => {
  expect((await readField(BERLIN, value)).issue?.message).toBe(message);
});

test.each([
  ["2026-05-01T19:30", "2026-05-01T19:30:00+02:00[Europe/Berlin]"],
  ["2026-05-01T17:30Z", "2026-05-01T19:30:00+02:00[Europe/Berlin]"],
  ["2026-05-01T17:30:00Z", "2026-05-01T19:30:00+02:00[Europe/Berlin]"],
  ["2026-05-01T17:30Z[Asia/Tokyo]", "2026-05-02T02:30:00+09:00[Asia/Tokyo]"],
  ["2026-05-01T19:30[America/St_Johns]", "2026-05-01T19:30:00-02:30[America/St_Johns]"],
  ["2026-05-01T19:30-04:00", "2026-05-02T01:30:00+02:00[Europe/Berlin]"],
  ["2026-10-25T02:30", "2026-10-25T02:30:00+02:00[Europe/Berlin]"],
  ["2026-10-25T02:30+01:00", "2026-10-25T02:30:00+01:00[Europe/Berlin]"],
  ["2026-12-01T12:00", "2026-12-01T12:00:00+01:00[Europe/Berlin]"],
])("in Berlin, %s is %s", async (value, wanted) => {
  expect((await readField(BERLIN, value)).value).toBe(wanted);
});

test.each([
  ["{{ field | date: 'day' }}", "28.\u00a0Dezember 2026\u2009–\u20092.\u00a0Januar 2027"],
  ["{{ field.from | date: 'weekday' }}, {{ field.to | date: 'weekday' }}", "Montag, Samstag"],
])("a range of dates in a template: %s", async (source, wanted) => {
  const value = { from: "2026-12-28", to: "2027-01-02" };
  expect(await writeField({ keys: DAYS, value, language: "de", source })).toBe(wanted);
});

const NEW_YORK = { type: "date", time: true, zone: "America/New_York" };

// The clocks of New York were 4:56:02 behind until 1883.
test.each([
  ["1880-05-01T00:00", "1 May 1880, 00:00"],
  ["1880-05-01T00:00-04:56[America/New_York]", "1 May 1880, 00:00"],
  ["1880-05-01T04:56Z", "30 April 1880, 23:59"],
  ["1890-05-01T00:00", "1 May 1890, 00:00"],
])("a time is drawn as it is given where the offset of its zone has seconds: %s", async (value, wanted) => {
  const source = '{{ field | date: "long" }}, {{ field | date: "time" }}';
  expect(await writeField({ keys: NEW_YORK, value, source })).toBe(wanted);
});

test("the ends of a range may write their time zone in another case", async () => {
  const keys = { type: "range", of: { type: "date", time: true, zone: "Europe/Berlin" } };
  const value = { from: "2026-05-01T19:30[europe/berlin]", to: "2026-05-01T21:00" };
  expect((await readField(keys, value)).issue).toBeUndefined();
});
