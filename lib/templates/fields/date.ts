import { z } from "zod";
import { commonDeclaration, type FieldType, show, wrongType } from "./field-type.ts";

export const dateDeclaration = z.strictObject({
  ...commonDeclaration,
  type: z.literal("date"),
  /** Whether the value includes a time of day: `2026-05-01T19:30` instead of `2026-05-01`. */
  time: z.boolean().default(false),
});

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
const DATE_TIME = /^(\d{4})-(\d{2})-(\d{2})T([01]\d|2[0-3]):[0-5]\d$/;

function isCalendarDay(text: string): boolean {
  const day = text.slice(0, 10);
  const instant = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(instant.getTime()) && instant.toISOString().startsWith(day);
}

/** A date on a picture is local to its event, so it has no time zone. */
export const dateField: FieldType<z.infer<typeof dateDeclaration>, string> = {
  read(value, { time }) {
    const wanted = time ? "a date and time such as 2026-05-01T19:30" : "a date such as 2026-05-01";
    if (typeof value !== "string") return wrongType(value, wanted);
    if (!(time ? DATE_TIME : DATE).test(value) || !isCalendarDay(value)) {
      return { fault: { code: "invalid_date", message: `Got ${show(value)}, want ${wanted}.` } };
    }
    return { value: `${value}${time ? ":00" : "T00:00:00"}Z` };
  },
  jsonSchema: ({ time }) => (time ? { type: "string", pattern: DATE_TIME.source } : { type: "string", format: "date" }),
  sample: () => "2026-05-01T00:00:00Z",
  hostile: [],
};
