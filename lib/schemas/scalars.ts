import { z } from "zod";
import { hasTooManyMarks, MAX_MARKS, unseenPart } from "./visible-text.ts";

/** A UUIDv7, which sorts by creation time. A row that was written by hand may have any id that PostgreSQL takes. */
export const id = z.guid();

export function isId(text: string): boolean {
  return id.safeParse(text).success;
}

/** A time: the domain gives a `Date`, an answer holds ISO 8601 in UTC with milliseconds. */
export const moment = z
  .union([z.date(), z.iso.datetime({ precision: 3 })])
  .transform((value) => (value instanceof Date ? value.toISOString() : value))
  .pipe(z.string().meta({ format: "date-time" }));

/** The options of a `refine` whose fault has a code of its own. */
export function fault(code: string, message: string) {
  return { error: message, params: { code } };
}

/** For a body whose keys are all optional: an empty one changes nothing, which is a mistake. */
export function hasKey(body: object): boolean {
  return Object.keys(body).length > 0;
}

export const NO_KEY = fault("missing_field", "Got no key, want at least one.");

/** Up to nine digits: exact as a number, and within the database's integers. */
const DIGITS = /^\d{1,9}$/;

/** A whole number in a query string, written with digits alone. */
export function wholeNumber({ min, max }: { min: number; max: number }) {
  return z
    .string()
    .refine((text) => DIGITS.test(text), fault("invalid_number", "Got no whole number, want digits alone."))
    .transform(Number)
    .pipe(z.int().min(min).max(max))
    .meta({ type: "integer", minimum: min, maximum: max });
}

const DAY = z.iso.date();
const DAY_OR_MOMENT = z.union([DAY, z.iso.datetime({ offset: true })]);

/** Years that the database and an id can both express. */
const PLAUSIBLE_YEAR = /^(?:19[7-9]|2\d\d)\d-/;

const DAY_MS = 24 * 60 * 60 * 1_000;

/**
 * A date in UTC or a time with its offset, as an edge of a range. The `start` is the first moment of a date, the `end` the first
 * moment after it.
 */
export function dayOrMoment(edge: "start" | "end") {
  return z
    .string()
    .refine(
      (text) => PLAUSIBLE_YEAR.test(text) && DAY_OR_MOMENT.safeParse(text).success,
      fault("invalid_date", "Got no date, want one such as 2026-11-22 or 2026-11-22T09:30:00Z."),
    )
    .transform((text) => {
      const isWholeDay = edge === "end" && DAY.safeParse(text).success;
      return new Date(Date.parse(text) + (isWholeDay ? DAY_MS : 0));
    });
}

type Bounds = { min: number; max: number };

/** A text of `min` to `max` Unicode code points, as JSON Schema counts them. Zod itself counts UTF-16 code units. */
export function characters({ min, max }: Bounds) {
  return z
    .string()
    .check(({ value, issues }) => {
      const length = [...value].length;
      if (length < min)
        issues.push({ code: "too_small", minimum: min, inclusive: true, origin: "string", input: value });
      if (length > max) issues.push({ code: "too_big", maximum: max, inclusive: true, origin: "string", input: value });
    })
    .meta({ minLength: min, maxLength: max });
}

/** One line of text that is visible, trimmed before it is counted. */
export function lineOfText(bounds: Bounds) {
  return z
    .string()
    .trim()
    .refine(
      (text) => unseenPart(text) !== "control",
      fault("invalid_character", "Got a control character, want one line of text."),
    )
    .refine(
      (text) => unseenPart(text) !== "invisible",
      fault("invalid_character", "Got an invisible character, want one line of visible text."),
    )
    .refine(
      (text) => !hasTooManyMarks(text),
      fault(
        "invalid_character",
        `Got a letter with more than ${MAX_MARKS} combining marks, want at most ${MAX_MARKS}.`,
      ),
    )
    .pipe(characters(bounds))
    .meta({ minLength: bounds.min, maxLength: bounds.max });
}
