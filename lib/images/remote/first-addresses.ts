import type { LookupAddress } from "node:dns";
import { MAX_HOST_ADDRESSES } from "../image-limits.ts";

/** The first {@link MAX_HOST_ADDRESSES} of each family. A machine may have no network for one of the two. */
export function firstAddresses(addresses: LookupAddress[]): LookupAddress[] {
  const taken = new Map<number, number>();
  return addresses.filter(({ family }) => {
    const count = (taken.get(family) ?? 0) + 1;
    taken.set(family, count);
    return count <= MAX_HOST_ADDRESSES;
  });
}
