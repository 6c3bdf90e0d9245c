import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import type { Actor, Caller } from "#lib/access/actor.ts";
import { addressNetwork } from "#lib/addresses/address-group.ts";
import { proxyCount } from "#lib/config.ts";
import { ConfigError } from "#lib/environment/config-error.ts";
import { USER_AGENT_CHARS } from "#lib/http/http-limits.ts";
import { currentRequestContext, type ReceivedRequest, receivedRequest } from "#lib/http/server/request-context.ts";

const CONTROL_CHARACTERS = /\p{Cc}/gu;

/** An address with a port, which some proxies append: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
const WITH_PORT = /^(?:\[(?<v6>[^\]]+)\]|(?<v4>[\d.]+))(?::\d+)?$/;

/** The canonical form of an address, without a zone. An IPv4-mapped IPv6 address becomes the IPv4 address. */
function plainAddress(text: string): string | undefined {
  const { v4, v6 } = WITH_PORT.exec(text)?.groups ?? {};
  const [address = ""] = (v4 ?? v6 ?? text).split("%");
  return isIP(address) ? ipaddr.process(address).toString() : undefined;
}

/**
 * The client address that the outermost trusted proxy appended to `X-Forwarded-For`: each proxy behind it has appended another one. A
 * client can forge the entries before it. Vercel replaces the header by one entry.
 * @returns undefined without such an address
 * @throws ConfigError
 */
export function forwardedClient(received: ReceivedRequest): string | undefined {
  return plainAddress(forwardedEntry(received) ?? "");
}

/**
 * The text that {@link forwardedClient} reads, which may be no address: a proxy may write `unknown`, or end the header with a comma.
 * @returns undefined without such an entry
 * @throws ConfigError
 */
export function forwardedEntry({ headers }: ReceivedRequest): string | undefined {
  const proxies = proxyCount();
  if (proxies === 0) return undefined;
  return headers.get("x-forwarded-for")?.split(",").at(-proxies)?.trim();
}

/** The address that rate limits count by; null where it is unknown. @throws ConfigError */
function clientAddress(received: ReceivedRequest): string | null {
  return forwardedClient(received) ?? plainAddress(received.address ?? "") ?? null;
}

/**
 * The same for what is decided before the route of a request: its turn, and whose connection it is. While the variables that say whom to
 * trust cannot be used, it is the address of the connection, so that probes and pages are answered. Routes that need the client refuse.
 */
export function senderAddress(received: ReceivedRequest): string | null {
  try {
    return clientAddress(received);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return plainAddress(received.address ?? "") ?? null;
  }
}

/** Who sends a request, for rate limits, sessions and the audit trail. @throws ConfigError */
export function callerOf(request: Request): Caller {
  const received = receivedRequest(request);
  const userAgent = received.headers.get("user-agent")?.replace(CONTROL_CHARACTERS, "").slice(0, USER_AGENT_CHARS);
  return {
    address: clientAddress(received),
    userAgent: userAgent || null,
    requestId: currentRequestContext()?.requestId ?? null,
  };
}

/**
 * The name under which a sender shares places, time and memory with others: a user with all of their tokens, or an address where
 * there is no account. All of an IPv6 /48 is one.
 */
export function fairCaller(actor: Actor, { address }: Pick<Caller, "address">): string {
  return actor.kind === "anonymous" ? addressNetwork(address) : actor.user.id;
}
