import { LOGGED_PATH_CHARS } from "#lib/http/http-limits.ts";

/** What routes, slugs and ids are made of. A secret has capitals, an underscore, or more characters than the 36 of an id. */
const TELLING_SEGMENT = /^[a-z0-9.-]{0,36}$/;

/**
 * The path of a request as the log may have it. Somebody will paste a token into an address: what is neither a name of ours nor
 * an id is left out.
 */
export function loggedPath(pathname: string): string {
  const segments = pathname.slice(0, LOGGED_PATH_CHARS).split("/");
  return segments.map((segment) => (TELLING_SEGMENT.test(segment) ? segment : "…")).join("/");
}
