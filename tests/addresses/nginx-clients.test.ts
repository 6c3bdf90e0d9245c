import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { addressNetwork } from "#lib/addresses/address-group.ts";

/** What the map of `deploy/nginx.conf` makes of an address. Of several patterns, nginx takes the first one that fits. */
function clientOf(address: string): string {
  const config = readFileSync("deploy/nginx.conf", "utf8");
  const map = /^map \$remote_addr \$platen_client \{(.*?)^\}/ms.exec(config)?.[1] ?? "";
  const patterns = [...map.matchAll(/^ +"~(?<pattern>.*)" \$(?<value>\w+);$/gm)].map(({ groups = {} }) => groups);
  for (const { pattern = "", value = "" } of patterns) {
    const found = new RegExp(pattern).exec(address);
    if (found) return found.groups?.[value] ?? address;
  }
  return address;
}

// As nginx writes them.
const ADDRESSES = [
  "198.51.100.1",
  "198.51.100.2",
  "2001:db8:1:2::3",
  "2001:db8:1:ffff:ffff::4",
  "2001:db8:2::",
  "2002:c000:201::1",
  "64:ff9b::c000:201",
  "64:ff9b::c000:202",
];

it("addresses are one client for nginx where they are one for Platen", () => {
  const together = (nameOf: (address: string) => string) =>
    ADDRESSES.map((one) => ADDRESSES.filter((other) => nameOf(other) === nameOf(one)));
  expect(together(clientOf)).toEqual(together(addressNetwork));
});
