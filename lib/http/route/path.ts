import { AppError } from "#lib/errors.ts";
import { PARAMETER_LIMIT } from "#lib/http/http-limits.ts";

const NOT_FOUND = "There is nothing at this path.";

/** A path that a client wrote plainly has none of these: they exist only to be read differently by two programs. */
const TRICK = /\/\/|\\|%5c|%00|\/(?:\.|%2e){1,2}(?:\/|$)/i;

/**
 * Counted by what stands between them, so that an empty one counts as well. Next leaves out in silence what is called like
 * the prototype, so that no schema of a query gets to see it.
 */
function requirePlainQuery(query: string): void {
  const count = query.split("&").length;
  if (count > PARAMETER_LIMIT)
    throw new AppError("invalid_request", `Got ${count} parameters in the address, want at most ${PARAMETER_LIMIT}.`);
  if (new URLSearchParams(query).has("__proto__"))
    throw new AppError("invalid_request", "Got a parameter of a name that is not allowed anywhere.");
}

/**
 * The target of a request line as path and query, with the origin of an absolute form left out.
 * @throws AppError `invalid_request` for what is no path, and for parameters that are too many or poisoned, `not_found` for a spelling that only disguises another path
 */
export function requirePlainPath(target: string): string {
  const relative = target.startsWith("/") ? target : target.replace(/^https?:\/\/[^/?#]*/i, "");
  const path = relative.split("?", 1)[0] ?? "";
  requirePlainQuery(relative.slice(path.length));
  if (!path.startsWith("/")) throw new AppError("invalid_request", "The request line names no path.");
  try {
    decodeURIComponent(path);
  } catch {
    throw new AppError("invalid_request", "The path holds a percent sign that encodes no character.");
  }
  if (TRICK.test(path)) throw new AppError("not_found", NOT_FOUND);
  return relative;
}

/** The segments of a catch-all parameter as one path. Next decodes each, so `a%2Fb` and `a/b` are the same. */
export function joinedPath(segments: string | string[] | undefined): string {
  return [segments ?? []].flat().join("/");
}
