import { z } from "zod";
import { fault } from "#lib/schemas/scalars.ts";

/** What a message, a log line or a table cannot show as one line: control characters, line separators, changes of writing direction. */
const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u;

type Bounds = { min: number; max: number };

/** A text of `min` to `max` Unicode code points, as JSON Schema counts them; zod by itself counts UTF-16 code units. */
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

/** A name on one line, trimmed before it is counted. */
export function lineOfText(bounds: Bounds) {
  return z
    .string()
    .trim()
    .refine(
      (text) => !UNPRINTABLE.test(text),
      fault("invalid_character", "Got a control character, want one line of text."),
    )
    .pipe(characters(bounds))
    .meta({ minLength: bounds.min, maxLength: bounds.max });
}
