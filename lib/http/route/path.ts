import { AppError } from "#lib/errors.ts";
import { PARAMETER_LIMIT } from "#lib/http/http-limits.ts";

/** The message of every 404 that is not about a record. */
export const NOTHING_HERE = "There is nothing at this path.";

/** Spellings that two programs may read as different paths. Ordinary clients never send them. */
const AMBIGUOUS = /\/\/|\\|%5c|%00|\/(?:\.|%2e){1,2}(?:\/|$)/i;

/**
 * Counts separators, so that empty parameters count too. `__proto__` is refused here because Next drops it silently before
 * a schema could refuse it.
 */
function requirePlainQuery(query: string): void {
  const count = query.split("&").length;
  if (count > PARAMETER_LIMIT)
    throw new AppError("invalid_request", `Got ${count} parameters in the address, want at most ${PARAMETER_LIMIT}.`);
  if (new URLSearchParams(query).has("__proto__"))
    throw new AppError("invalid_request", 'Got the parameter "__proto__", which no route accepts.');
}

/**
 * The path and query of a request line's target, without the origin of the absolute form.
 * @throws AppError `invalid_request` for a malformed path and for too many or poisoned parameters, `not_found` for an ambiguous path
 */
export function requirePlainPath(target: string): string {
  const relative = target.startsWith("/") ? target : target.replace(/^https?:\/\/[^/?#]*/i, "");
  const path = relative.split("?", 1)[0] ?? "";
  requirePlainQuery(relative.slice(path.length));
  if (!path.startsWith("/"))
    throw new AppError("invalid_request", "Got no path in the request line, want one that begins with a slash.");
  try {
    decodeURIComponent(path);
  } catch {
    throw new AppError(
      "invalid_request",
      "Got a percent sign in the path that encodes no character, want %25 for a percent sign.",
    );
  }
  if (AMBIGUOUS.test(path)) throw new AppError("not_found", NOTHING_HERE);
  return relative;
}

/** A segment of a page's path. Next leaves those of pages encoded, unlike those of routes, but `%25` may arrive as `%`, which is malformed. */
export function decodedSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** Joins the segments of a catch-all parameter. Next decodes each of them, so `a%2Fb` and `a/b` are the same. */
export function joinedPath(segments: string | string[] | undefined): string {
  return [segments ?? []].flat().join("/");
}
