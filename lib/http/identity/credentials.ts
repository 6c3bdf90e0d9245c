import { receivedRequest } from "#lib/http/server/request-context.ts";
import { cookieValue, DEVICE_COOKIE, SESSION_COOKIE } from "./cookies.ts";

/** RFC 6750: the scheme in any case, and one token. A list does not match. */
const BEARER = /^Bearer +([\w.~+/-]+=*)$/i;

/**
 * The unverified credentials of a request. With an `Authorization` header, cookies are ignored. The secret is undefined
 * for another scheme, a list, two session cookies, or no credentials.
 */
export type Credentials = { kind: "authorization" | "cookie"; secret: string | undefined };

/** The secret in the session cookie of a request, valid or not. */
export function presentedSession(request: Request): string | undefined {
  return cookieValue(receivedRequest(request).headers, SESSION_COOKIE);
}

/** The value of the device cookie of a login, valid or not. */
export function presentedDevice(request: Request): string | undefined {
  return cookieValue(receivedRequest(request).headers, DEVICE_COOKIE);
}

/** The credentials of a request. They are read from its headers only, never from the URL or the body. */
export function credentialsOf(request: Request): Credentials {
  const { headers } = receivedRequest(request);
  const authorization = headers.get("authorization");
  if (authorization !== null) return { kind: "authorization", secret: BEARER.exec(authorization)?.[1] };
  return { kind: "cookie", secret: presentedSession(request) };
}
