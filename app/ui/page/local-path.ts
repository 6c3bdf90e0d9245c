/** Only resolves relative addresses; never requested. */
const BASE = "http://local.invalid";

/** With a longer way back, the head of a redirect would not fit into the 32 kB that `deploy/nginx.conf` has for it. */
const MAX_NEXT_CHARS = 16_000;

/**
 * The page to open after signing in: a path of this service, without its query if it is too long with it, or `/` for anything
 * else. Browsers resolve `//host`, `/\host` and addresses with tabs or line breaks to other hosts, so they are refused.
 */
export function toLocalPath(next: unknown): string {
  if (typeof next !== "string" || !/^\/(?![/\\])[^\\\p{Cc}]*$/u.test(next)) return "/";
  if (!URL.canParse(next, BASE)) return "/";
  const url = new URL(next, BASE);
  if (url.origin !== BASE || url.pathname.startsWith("//") || /^\/(?:login|api)(?:\/|$)/.test(url.pathname)) return "/";
  const path = url.pathname + url.search + url.hash;
  return [path, url.pathname].find(({ length }) => length <= MAX_NEXT_CHARS) ?? "/";
}

/** The address of the sign-in page that leads back to `next`, without its query if the address would be too long with it. */
export function loginPath(next: string): string {
  const path = toLocalPath(next);
  const encoded = [path, path.replace(/[?#].*$/, "")]
    .map(encodeURIComponent)
    .find(({ length }) => length <= MAX_NEXT_CHARS);
  return path === "/" || encoded === undefined ? "/login" : `/login?next=${encoded}`;
}
