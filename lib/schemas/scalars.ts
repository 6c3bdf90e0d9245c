import { z } from "zod";

/** A UUIDv7, which sorts by age. */
export const id = z.uuid();

/** A moment as answers spell it: ISO 8601 in UTC with milliseconds. The domain gives a `Date`. */
export const moment = z
  .union([z.date(), z.iso.datetime({ precision: 3 })])
  .transform((value) => (value instanceof Date ? value.toISOString() : value))
  .pipe(z.string().meta({ format: "date-time" }));

/** The fault of a value that only a function can judge. */
export function fault(code: string, message: string) {
  return { error: message, params: { code } };
}

/** For a body whose keys are all optional: one that changes nothing is a mistake. */
export function hasKey(body: object): boolean {
  return Object.keys(body).length > 0;
}

export const NO_KEY = fault("missing_field", "Got no key, want at least one.");
