import { arrivalOf } from "#lib/http/server/request-context.ts";
import { sessionCookies } from "./cookies.ts";

/** RFC 6750: the scheme in any case, and one token. A list of two is none. */
const BEARER = /^Bearer +([\w.~+/-]+=*)$/i;

/**
 * What a request brings to be known by, none of it verified. An `Authorization` header decides alone, whatever else there is.
 * The secret is undefined where there is nothing that could be one: another scheme, a list, two cookies, nothing at all.
 */
export type Credentials = { kind: "authorization" | "cookie"; secret: string | undefined };

/** The secret of the session that a request names by its cookie, whatever it is worth. */
export function presentedSession(request: Request): string | undefined {
  const [secret, ...others] = sessionCookies(arrivalOf(request).headers);
  return others.length === 0 ? secret : undefined;
}

/** The credentials that count. Nothing in the address or the body is ever one. */
export function credentialsOf(request: Request): Credentials {
  const { headers } = arrivalOf(request);
  const authorization = headers.get("authorization");
  if (authorization !== null) return { kind: "authorization", secret: BEARER.exec(authorization)?.[1] };
  return { kind: "cookie", secret: presentedSession(request) };
}
