import { DEVICE_LIFETIME_SECONDS, SESSION_LIFETIME_SECONDS } from "#lib/access/access-limits.ts";
import { isDevelopment } from "#lib/config.ts";

export const SESSION_COOKIE = "service_session";

/** Gives its browser an allowance of tries at a password. It is no credential. */
export const DEVICE_COOKIE = "service_device";

/** The only path that reads the device cookie. */
const DEVICE_PATH = "/api/service/login";

/**
 * The value of a cookie in a request. Undefined when there is none, and when there is more than one: then another path or
 * host has set a cookie of this name, and can decide which one a browser sends first.
 */
export function cookieValue(headers: Headers, name: string): string | undefined {
  const pairs = (headers.get("cookie") ?? "").split(";").map((pair) => pair.trim());
  const prefix = `${name}=`;
  const [value, ...others] = pairs.filter((pair) => pair.startsWith(prefix)).map((pair) => pair.slice(prefix.length));
  return others.length === 0 ? value : undefined;
}

type Cookie = { name: string; value: string; path: string; lifetimeSeconds: number };

function setCookie({ name, value, path, lifetimeSeconds }: Cookie): string {
  const attributes = `Path=${path}; HttpOnly; SameSite=Lax; Max-Age=${lifetimeSeconds}`;
  return `${name}=${value}; ${attributes}${isDevelopment() ? "" : "; Secure"}`;
}

/** The `Set-Cookie` that signs a browser in. Without `Domain`, browsers send it to this host only. */
export function sessionCookie(secret: string): string {
  return setCookie({ name: SESSION_COOKIE, value: secret, path: "/", lifetimeSeconds: SESSION_LIFETIME_SECONDS });
}

/** The `Set-Cookie` that deletes the session cookie. */
export function clearedCookie(): string {
  return setCookie({ name: SESSION_COOKIE, value: "", path: "/", lifetimeSeconds: 0 });
}

/** The `Set-Cookie` by which a login recognises a browser that has signed in before. */
export function deviceCookie(value: string): string {
  const lifetimeSeconds = DEVICE_LIFETIME_SECONDS;
  return setCookie({ name: DEVICE_COOKIE, value, path: DEVICE_PATH, lifetimeSeconds });
}
