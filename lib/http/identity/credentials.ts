import { receivedRequest } from "#lib/http/server/request-context.ts";
import { sessionCookies } from "./cookies.ts";

/** RFC 6750: the scheme in any case, and one token. A list does not match. */
const BEARER = /^Bearer +([\w.~+/-]+=*)$/i;

/**
 * The unverified credentials of a request. An `Authorization` header decides alone, even beside a cookie. The secret is
 * undefined where there is none: another scheme, a list, two session cookies, no credentials.
 */
export type Credentials = { kind: "authorization" | "cookie"; secret: string | undefined };

/** The secret in the session cookie of a request, valid or not. */
export function presentedSession(request: Request): string | undefined {
  const [secret, ...others] = sessionCookies(receivedRequest(request).headers);
  return others.length === 0 ? secret : undefined;
}

/** The credentials of a request. The address and the body are never read for any. */
export function credentialsOf(request: Request): Credentials {
  const { headers } = receivedRequest(request);
  const authorization = headers.get("authorization");
  if (authorization !== null) return { kind: "authorization", secret: BEARER.exec(authorization)?.[1] };
  return { kind: "cookie", secret: presentedSession(request) };
}
