import { z } from "zod";
import { fault } from "#lib/schemas/scalars.ts";

/** Nine digits are exact as a number, and as an integer of the database. */
const DIGITS = /^\d{1,9}$/;

/** A whole number in a query string, where everything is text: digits alone. */
export function wholeNumber({ min, max }: { min: number; max: number }) {
  return z
    .string()
    .refine((text) => DIGITS.test(text), fault("invalid_number", "Got no whole number, want digits alone."))
    .transform(Number)
    .pipe(z.int().min(min).max(max))
    .meta({ type: "integer", minimum: min, maximum: max });
}
