import { z } from "zod";
import { fitRule } from "#lib/type/fit/fit-rule.ts";
import { isZone, readZoned, writeZoned } from "#lib/type/text/zones.ts";
import { type ReadResult, show, wrongType } from "../faults/value-faults.ts";
import { commonDeclaration, type FieldType, type JsonSchema } from "./field-type.ts";

/** The keys of a date beyond the common ones. A range of dates has them too. */
export const dateKeys = {
  type: z.literal("date"),
  /** Whether the value includes a time of day: `2026-05-01T19:30` instead of `2026-05-01`. */
  time: z.boolean().default(false),
  /** The time zone in which times are shown, such as `Europe/Berlin`. With it, a value may have an offset or a zone. */
  zone: z.string().refine(isZone, 'want a time zone such as "Europe/Berlin"').optional(),
};

export type DateKeys = z.infer<z.ZodObject<typeof dateKeys>>;

/** A zone decides about times, and days have none. */
export function checkDateKeys({ time, zone }: DateKeys, context: z.RefinementCtx): void {
  if (zone !== undefined && !time)
    context.addIssue({ code: "custom", path: ["zone"], message: 'Want "time": true too, because a day has no zone' });
}

export const dateDeclaration = z
  .strictObject({ ...commonDeclaration, ...dateKeys, fit: fitRule.optional() })
  .superRefine(checkDateKeys);

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
const DATE_TIME = /^(\d{4})-(\d{2})-(\d{2})T([01]\d|2[0-3]):[0-5]\d$/;
/** Without the rules of the calendar. */
const ZONED_TIME =
  /^\d{4}-\d{2}-\d{2}T([01]\d|2[0-3]):[0-5]\d(:00)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)?(\[[A-Za-z][\w+/-]*\])?$/;

function isCalendarDay(text: string): boolean {
  const day = text.slice(0, 10);
  const instant = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(instant.getTime()) && instant.toISOString().startsWith(day);
}

/** The calendar has no year 0. In words, one would look like the year 1. */
const WRITABLE_YEAR = /^(?!0000)\d{4}-/;

function yearFault(value: string): ReadResult<string> {
  return { fault: { code: "invalid_date", message: `Got ${show(value)}, want a year from 0001 to 9999.` } };
}

function readMoment(value: string, zone: string): ReadResult<string> {
  const moment = readZoned(value, zone);
  if ("wrong" in moment) return { fault: { code: "invalid_date", message: `Got ${show(value)}, ${moment.wrong}.` } };
  const written = writeZoned(moment);
  return WRITABLE_YEAR.test(written) ? { value: written } : yearFault(value);
}

function schemaOf({ time, zone }: DateKeys): JsonSchema {
  if (zone !== undefined) return { type: "string", pattern: ZONED_TIME.source, examples: ["2026-05-01T19:30"] };
  return time ? { type: "string", pattern: DATE_TIME.source } : { type: "string", format: "date" };
}

/** A date with another year, month, day, weekday, hour and minute, of which a picture may show any. */
function otherDate(value: string): string {
  const [year, month, day, hour = 0, minute] = (value.match(/\d+/g) ?? []).map(Number);
  const weekday = new Date(value.slice(0, 10)).getUTCDay();
  const [otherYear, otherMonth] = [year === 2026 ? "2027" : "2026", month === 5 ? "11" : "05"];
  // Of three days in a row, one is of another number and another weekday.
  const days = ["01", "02", "03"].map((number) => ({ number, at: `${otherYear}-${otherMonth}-${number}` }));
  const other = days.find(({ number, at }) => Number(number) !== day && new Date(at).getUTCDay() !== weekday);
  // In the other half of the day, and another hour of twelve.
  const otherHour = (hour < 12 ? 12 : 0) + ((hour + 1) % 12);
  const time = `${String(otherHour).padStart(2, "0")}:${minute === 0 ? "40" : "00"}:00`;
  return `${other?.at}T${time}${value.includes("[") ? "+00:00[UTC]" : "Z"}`;
}

/**
 * A date on a picture is local to its event, so it has no time zone unless the declaration has one. In Liquid it is an ISO
 * 8601 text, in UTC if it is local, and with its offset and zone in brackets (RFC 9557) otherwise.
 */
export const dateField: FieldType<DateKeys, string> = {
  read(value, { time, zone }) {
    const wanted = time ? "a date and time such as 2026-05-01T19:30" : "a date such as 2026-05-01";
    if (typeof value !== "string") return wrongType(value, wanted);
    if (zone !== undefined) return readMoment(value, zone);
    if (!(time ? DATE_TIME : DATE).test(value) || !isCalendarDay(value)) {
      return { fault: { code: "invalid_date", message: `Got ${show(value)}, want ${wanted}.` } };
    }
    if (!WRITABLE_YEAR.test(value)) return yearFault(value);
    return { value: `${value}${time ? ":00" : "T00:00:00"}Z` };
  },
  jsonSchema: schemaOf,
  sample: ({ zone }) => (zone === undefined ? "2026-05-01T00:00:00Z" : `2026-05-01T00:00:00+00:00[UTC]`),
  another: otherDate,
  hostile: [],
};
