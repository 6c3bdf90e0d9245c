import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import type { Caller } from "#lib/access/actor.ts";
import { trustsProxy } from "#lib/config.ts";
import { USER_AGENT_CHARS } from "#lib/http/http-limits.ts";
import { type Arrival, arrivalOf, currentRequestContext } from "#lib/http/server/request-context.ts";

const CONTROL_CHARACTERS = /\p{Cc}/gu;

/** Some proxies append the port: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
const WITH_PORT = /^(?:\[(?<v6>[^\]]+)\]|(?<v4>[\d.]+))(?::\d+)?$/;

/** An address in its one usual spelling, with no zone; an IPv4 one in IPv6 clothes is itself. */
function plainAddress(text: string): string | undefined {
  const { v4, v6 } = WITH_PORT.exec(text)?.groups ?? {};
  const [address = ""] = (v4 ?? v6 ?? text).split("%");
  return isIP(address) ? ipaddr.process(address).toString() : undefined;
}

/**
 * Whom the trusted proxy saw: what it appended to `X-Forwarded-For`, which is the last entry. Those before are the client's own
 * words. Vercel replaces the header, so that its only entry is the last one too. Behind a chain of proxies the last entry is a
 * proxy's, and whoever comes through it counts as one: the outermost has to replace the header, and the inner ones to leave it.
 */
function forwardedAddress(headers: Headers): string | undefined {
  return plainAddress(headers.get("x-forwarded-for")?.split(",").at(-1)?.trim() ?? "");
}

/** The address that attempts are counted by; null where none is known. */
function addressOf({ headers, address }: Arrival): string | null {
  const forwarded = trustsProxy() ? forwardedAddress(headers) : undefined;
  return forwarded ?? plainAddress(address ?? "") ?? null;
}

/** Where a request comes from, for limits, sessions and the audit trail. @throws ConfigError */
export function callerOf(request: Request): Caller {
  const arrival = arrivalOf(request);
  const userAgent = arrival.headers.get("user-agent")?.replace(CONTROL_CHARACTERS, "").slice(0, USER_AGENT_CHARS);
  return {
    address: addressOf(arrival),
    userAgent: userAgent || null,
    requestId: currentRequestContext()?.requestId ?? null,
  };
}
