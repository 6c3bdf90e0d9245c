import { SESSION_LIFETIME_SECONDS } from "#lib/access/access-limits.ts";
import { isDevelopment } from "#lib/config.ts";

const SESSION_COOKIE = "service_session";

/**
 * The values that a request brings for the session cookie. Two are one too many: the second was planted by another path or
 * host, and which of them a browser sends first is for its planter to choose.
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

/** The `Set-Cookie` that signs a browser in. No `Domain`, so that it goes to this host alone. */
export function sessionCookie(secret: string): string {
  return setCookie(secret, SESSION_LIFETIME_SECONDS);
}

/** The `Set-Cookie` that makes a browser forget its session. */
export function clearedCookie(): string {
  return setCookie("", 0);
}
