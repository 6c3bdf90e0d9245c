import { SESSION_LIFETIME_SECONDS } from "#lib/access/access-limits.ts";
import { isDevelopment } from "#lib/config.ts";

const SESSION_COOKIE = "service_session";

/**
 * Every value of the session cookie in a request. With more than one, another path or host has set a cookie of
 * this name, and can decide which one a browser sends first.
 */
export function sessionCookies(headers: Headers): string[] {
  const pairs = (headers.get("cookie") ?? "").split(";").map((pair) => pair.trim());
  const prefix = `${SESSION_COOKIE}=`;
  return pairs.filter((pair) => pair.startsWith(prefix)).map((pair) => pair.slice(prefix.length));
}

function setCookie(value: string, lifetimeSeconds: number): string {
  const attributes = `Path=/; HttpOnly; SameSite=Lax; Max-Age=${lifetimeSeconds}`;
  return `${SESSION_COOKIE}=${value}; ${attributes}${isDevelopment() ? "" : "; Secure"}`;
}

/** The `Set-Cookie` that signs a browser in. Without `Domain`, browsers send it to this host only. */
export function sessionCookie(secret: string): string {
  return setCookie(secret, SESSION_LIFETIME_SECONDS);
}

/** The `Set-Cookie` that deletes the session cookie. */
export function clearedCookie(): string {
  return setCookie("", 0);
}
