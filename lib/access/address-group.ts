import ipaddr from "ipaddr.js";

const SUBNET_BITS = 64;

/**
 * The name under which attempts from an address are counted. Every spelling of an IPv4 address has the same name. An IPv6
 * address is counted by its /64, because one client usually has the whole subnet. Unreadable addresses share one name.
 */
export function addressGroup(address: string | null): string {
  if (address === null || !ipaddr.isValid(address)) return "unknown";
  const parsed = ipaddr.process(address);
  if (parsed.kind() === "ipv4") return parsed.toString();
  return ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toNormalizedString().split("%")[0]}/${SUBNET_BITS}`).toString();
}
