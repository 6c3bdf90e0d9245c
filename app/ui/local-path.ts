/** Nothing but its path is used. */
const BASE = "http://local.invalid";

/**
 * Where to go after signing in, as a path of this service; `/` for everything that is not one. Browsers read `//host`,
 * `/\host` and addresses with tabs or line breaks as other hosts, so that only what parses back to itself counts.
 */
export function toLocalPath(next: unknown): string {
  if (typeof next !== "string" || !/^\/(?![/\\])[^\\\p{Cc}]*$/u.test(next)) return "/";
  if (!URL.canParse(next, BASE)) return "/";
  const url = new URL(next, BASE);
  if (url.origin !== BASE || url.pathname.startsWith("//") || /^\/(?:login|api)(?:\/|$)/.test(url.pathname)) return "/";
  return url.pathname + url.search + url.hash;
}

/** The sign-in page that leads back to a path. */
export function loginPath(next: string): string {
  const path = toLocalPath(next);
  return path === "/" ? "/login" : `/login?next=${encodeURIComponent(path)}`;
}
