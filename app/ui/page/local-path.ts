/** Only resolves relative addresses; never requested. */
const BASE = "http://local.invalid";

/**
 * The page to open after signing in: a path of this service, or `/` for anything else. Browsers resolve `//host`,
 * `/\host` and addresses with tabs or line breaks to other hosts, so they are refused.
 */
export function toLocalPath(next: unknown): string {
  if (typeof next !== "string" || !/^\/(?![/\\])[^\\\p{Cc}]*$/u.test(next)) return "/";
  if (!URL.canParse(next, BASE)) return "/";
  const url = new URL(next, BASE);
  if (url.origin !== BASE || url.pathname.startsWith("//") || /^\/(?:login|api)(?:\/|$)/.test(url.pathname)) return "/";
  return url.pathname + url.search + url.hash;
}

/** The address of the sign-in page that leads back to `next`. */
export function loginPath(next: string): string {
  const path = toLocalPath(next);
  return path === "/" ? "/login" : `/login?next=${encodeURIComponent(path)}`;
}
