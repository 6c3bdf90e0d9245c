import type { Issue } from "#lib/errors.ts";
import { WARNING_HEADER_BYTES, WARNING_LIMIT } from "#lib/http/http-limits.ts";

/** A name that the client reads, beside the picture. */
export const WARNINGS_HEADER = "X-Render-Warnings";

/** JSON in ASCII alone, because a header is bytes that nobody says the encoding of. */
function asciiJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/**
 * Warnings as a header's value: the JSON object `{ "warnings": [{ "path", "code", "message" }, …], "more": 0 }` in ASCII.
 * `more` counts those that are left out, which is what does not fit in {@link WARNING_LIMIT} and {@link WARNING_HEADER_BYTES}.
 */
export function warningsHeader(warnings: Issue[]): string {
  const told = warnings.slice(0, WARNING_LIMIT);
  for (;;) {
    const text = asciiJson({ warnings: told, more: warnings.length - told.length });
    if (text.length <= WARNING_HEADER_BYTES || told.length === 0) return text;
    told.pop();
  }
}
