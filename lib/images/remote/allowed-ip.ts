import ipaddr from "ipaddr.js";

/** The IPv6 addresses of the public Internet (IANA). Others are special or contain an IPv4 address. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR("2000::/3");

/** Ranges in which a machine or a container reaches its neighbours. */
const PRIVATE_RANGES = ["private", "uniqueLocal", "loopback", "carrierGradeNat"];

/**
 * Services of clouds for their own machines, outside the link-local ranges. They hand out the credentials of the machine that asks. Amazon
 * has several in its range, such as those of EC2 and of EKS. That of Azure has an address of the public Internet.
 */
const METADATA_ADDRESSES = ["100.100.100.200", "168.63.129.16", "fd20:ce::254", "fd00:42::42"];
const AMAZON_SERVICES = ipaddr.IPv6.parseCIDR("fd00:ec2::/32");

/**
 * Whether an image may come from an IP address: one of the public Internet, or with `isPrivate` one of a private
 * network. It is never a link-local address, where clouds have their metadata services, or an address that embeds
 * another one.
 */
export function isAllowedIp(address: string, isPrivate: boolean): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  if (METADATA_ADDRESSES.includes(parsed.toString())) return false;
  if (parsed instanceof ipaddr.IPv6 && parsed.match(AMAZON_SERVICES)) return false;
  const range = parsed.range();
  if (isPrivate && PRIVATE_RANGES.includes(range)) return true;
  return range === "unicast" && (parsed instanceof ipaddr.IPv4 || parsed.match(GLOBAL_UNICAST));
}
