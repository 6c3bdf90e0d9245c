import ipaddr from "ipaddr.js";

const SUBNET_BITS = 64;

/** What one customer gets at most: a provider or a tunnel gives a /56 or a /48 to everyone who asks, with 256 or 65,536 subnets. */
const NETWORK_BITS = 48;

/**
 * A translator shows IPv4 clients to an IPv6-only server with addresses of one /96 (RFC 6052). The last four bytes are the client's own
 * address.
 */
function withoutTranslator(address: ipaddr.IPv4 | ipaddr.IPv6): ipaddr.IPv4 | ipaddr.IPv6 {
  return address.range() === "rfc6052" ? new ipaddr.IPv4(address.toByteArray().slice(-4)) : address;
}

function nameOf(address: string | null, bits: number): string {
  if (address === null || !ipaddr.isValid(address)) return "unknown";
  const parsed = withoutTranslator(ipaddr.process(address));
  if (parsed.kind() === "ipv4") return parsed.toString();
  return ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toNormalizedString().split("%")[0]}/${bits}`).toString();
}

/**
 * The name under which attempts from an address are counted. Every spelling of an IPv4 address has the same name. An IPv6
 * address is counted by its /64, because one client usually has the whole subnet. Unreadable addresses share one name.
 */
export function addressGroup(address: string | null): string {
  return nameOf(address, SUBNET_BITS);
}

/** The same with the /48 of an IPv6 address, where subnets must not help: one client may have all of them. */
export function addressNetwork(address: string | null): string {
  return nameOf(address, NETWORK_BITS);
}
