import ipaddr from "ipaddr.js";

const SUBNET_BITS = 64;

/**
 * Whom an address stands for when attempts are counted: an IPv4 address for itself, however it is written, and an IPv6
 * address for its /64, because whoever has one of those has all of them. Addresses that cannot be read share one name.
 */
export function addressGroup(address: string | null): string {
  if (address === null || !ipaddr.isValid(address)) return "unknown";
  const parsed = ipaddr.process(address);
  if (parsed.kind() === "ipv4") return parsed.toString();
  return ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toNormalizedString().split("%")[0]}/${SUBNET_BITS}`).toString();
}
