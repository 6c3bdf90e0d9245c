import { isIP } from "node:net";
import { LRUCache } from "lru-cache";
import { type HostConfig, hostConfig, trustsProxy } from "#lib/config.ts";
import { AppError } from "#lib/errors.ts";
import type { ReceivedRequest } from "#lib/http/server/request-context.ts";
import { plainHost, plainOrigin } from "./authority.ts";
import { foreignFetchSite } from "./origin.ts";

/** The longest name of DNS, with a port. Longer hosts are not kept. */
const NAME_CHARS = 260;

/** Names below these are in no public DNS (RFC 6761, 6762, 8375, and ICANN's reservation of `internal`). */
const PRIVATE_SUFFIXES = [".local", ".localhost", ".internal", ".test", ".lan", ".home.arpa"];

/** Names of hosts that were asked for before. Nearly all requests are for the same one or two. */
const known = new LRUCache<string, { name: string | undefined }>({ max: 100 });

function readName(host: string): string | undefined {
  if (plainHost(host, "http") === undefined) return undefined;
  const name = URL.parse(`http://${host}`)
    ?.hostname.replace(/\.$/, "")
    .replace(/^\[(.*)\]$/, "$1");
  return name === "" ? undefined : name;
}

/** The name that a host names, as browsers write it: lower case, without port, brackets and trailing dot, addresses in full. */
function nameOf(host: string): string | undefined {
  const kept = known.get(host);
  if (kept) return kept.name;
  const name = readName(host);
  if (host.length <= NAME_CHARS) known.set(host, { name });
  return name;
}

/** Whether no foreign site can be served under a name: it is an address, or public DNS cannot hold it. */
function isPrivate(name: string): boolean {
  return isIP(name) !== 0 || !name.includes(".") || PRIVATE_SUFFIXES.some((suffix) => name.endsWith(suffix));
}

function isOwn(name: string, { names, publicOrigin }: HostConfig): boolean {
  return names.includes(name) || (publicOrigin !== undefined && nameOf(new URL(publicOrigin).host) === name);
}

/** The host that a request was sent to. A request without one comes from no browser. */
function requestedHost({ headers }: ReceivedRequest): string {
  return (trustsProxy() ? headers.get("x-forwarded-host") : null) ?? headers.get("host") ?? "localhost";
}

/**
 * Requires that a request names a host of this service. A foreign site whose name resolves to the service (DNS rebinding) could
 * otherwise read and render with the browser of anyone who visits it.
 * @throws AppError `misdirected_request`, which does not repeat the host
 */
export function requireOwnHost(received: ReceivedRequest): void {
  const config = hostConfig();
  if (config.names.includes("*")) return;
  const name = nameOf(requestedHost(received));
  if (name !== undefined && (isPrivate(name) || isOwn(name, config))) return;
  throw new AppError(
    "misdirected_request",
    "Got a host that this service does not answer to, want one that SERVICE_HOSTS or SERVICE_PUBLIC_ORIGIN names. Set one of the two to use this host.",
  );
}

/**
 * The reason why a request of open mode counts as sent by a foreign site. A page of any site can send a POST request without a
 * body to a service that its visitor reaches. Programs send neither header.
 */
export function foreignSiteFault(received: ReceivedRequest): string | undefined {
  const sent = received.headers.get("origin");
  const site = foreignFetchSite(received);
  if (site !== undefined || sent === null) return site;
  const name = nameOf(plainOrigin(sent)?.host ?? "");
  if (name !== undefined && (isPrivate(name) || isOwn(name, hostConfig()) || name === nameOf(requestedHost(received))))
    return undefined;
  return "Origin is not this service's";
}
