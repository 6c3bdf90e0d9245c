import ipaddr from "ipaddr.js";

/** What IANA has handed out for the public Internet. All other IPv6 addresses lead somewhere else, or to an IPv4 address within. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR("2000::/3");

/** Where a machine or a container has its neighbours. */
const PRIVATE_RANGES = ["private", "uniqueLocal", "loopback", "carrierGradeNat"];

/** They stand in private ranges, and hand out the credentials of the machine they are asked from. */
const METADATA_ADDRESSES = ["100.100.100.200", "fd00:ec2::254"];

/**
 * Whether an image may come from an address: one of the public Internet, or with `isPrivate` of a private network. Never a
 * link-local one, where cloud machines have their credentials, nor one that only wraps another.
 */
export function isAllowedAddress(address: string, isPrivate: boolean): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  if (METADATA_ADDRESSES.includes(parsed.toString())) return false;
  const range = parsed.range();
  if (isPrivate && PRIVATE_RANGES.includes(range)) return true;
  return range === "unicast" && (parsed instanceof ipaddr.IPv4 || parsed.match(GLOBAL_UNICAST));
}
