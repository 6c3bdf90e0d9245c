import { describe, expect, it } from "vitest";
import { addressGroup } from "#lib/addresses/address-group.ts";
import { Turns } from "#lib/addresses/turns.ts";

/** Lets addresses wait in this order. What waits is the address, with a letter. */
function turnsOf(addresses: string[]): Turns<string> {
  const turns = new Turns<string>();
  for (const [at, address] of addresses.entries()) turns.add(addressGroup(address), `${address} ${"abcdef"[at] ?? ""}`);
  return turns;
}

const inOrder = (turns: Turns<string>) => Array.from({ length: turns.size }, () => turns.next());

/** An address in each of the first subnets of one IPv6 network. */
const subnets = (count: number) => Array.from({ length: count }, (_, at) => `2001:db8:1:${(at + 1).toString(16)}::1`);

describe("turns", () => {
  it("are shared by all subnets of an IPv6 network", () => {
    const turns = turnsOf(["192.0.2.1", ...subnets(500), "192.0.2.2", "2001:db8:2::1"]);
    expect(inOrder(turns).slice(0, 4)).toEqual(["192.0.2.1 a", "2001:db8:1:1::1 b", "192.0.2.2 ", "2001:db8:2::1 "]);
    expect([turns.size, turns.next()]).toEqual([0, undefined]);
  });

  it("are taken by the subnets of a network one after the other", () => {
    const [one = "", other = ""] = subnets(2);
    const turns = turnsOf([one, one, one, other, "192.0.2.1"]);
    expect(inOrder(turns)).toEqual([`${one} a`, "192.0.2.1 e", `${other} d`, `${one} b`, `${one} c`]);
  });

  it("that are too many are taken from the network with the most", () => {
    const [one = "", other = "", third = ""] = subnets(3);
    const turns = turnsOf([one, other, third, "192.0.2.1", "192.0.2.1"]);
    expect(turns.takeSurplus()).toBe(`${one} a`);
    turns.remove(addressGroup(other), `${other} b`);
    expect(inOrder(turns)).toEqual([`${third} c`, "192.0.2.1 d", "192.0.2.1 e"]);
  });

  it("go to networks that are not last, of which a bounded number is asked for", () => {
    const networks = Array.from({ length: 100 }, (_, at) => `192.0.2.${at}`);
    const turns = turnsOf(networks);
    expect(turns.next((network) => network !== "192.0.2.9")).toBe("192.0.2.9 ");
    let asked = 0;
    const isLast = () => ++asked > 0;
    expect(turns.next(isLast)).toBe("192.0.2.0 a");
    expect(asked).toBe(32);
  });
});

it("clients of an IPv4-to-IPv6 translator are told apart, under the names of their IPv4 addresses", () => {
  const names = ["64:ff9b::192.0.2.1", "64:ff9b::c000:202", "64:ff9b:1::192.0.2.3"].map(addressGroup);
  expect(names).toEqual(["192.0.2.1", "192.0.2.2", "192.0.2.3"]);
});
