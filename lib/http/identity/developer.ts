import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import { accessConfig } from "#lib/config.ts";
import type { ReceivedRequest } from "#lib/http/server/request-context.ts";
import { isForwardedRequest } from "./entry-point.ts";
import { foreignFetchSite, targetOrigin } from "./origin.ts";

const LOOPBACK_HOST = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/i;

/** Whether an address is of this machine alone. */
export function isLoopback(address: string): boolean {
  return isIP(address) !== 0 && ipaddr.process(address).range() === "loopback";
}

/**
 * The origin that the service wants, for a program on the same machine that asks for a loopback host. Undefined for everyone else:
 * a request that came through a proxy, or that a browser sent for another site.
 */
export function originForDeveloper(received: ReceivedRequest): string | undefined {
  const { headers, address = "" } = received;
  const isLocal = isLoopback(address) && LOOPBACK_HOST.test(headers.get("host") ?? "");
  if (!isLocal || isForwardedRequest(received) || foreignFetchSite(received) !== undefined) return undefined;
  const target = targetOrigin(received, accessConfig());
  return "origin" in target ? target.origin : undefined;
}
