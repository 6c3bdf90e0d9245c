import type { Socket } from "node:net";
import { expect, it } from "vitest";
import { Peers } from "#lib/http/server/connections/peers.ts";

const subnets = Array.from({ length: 5 }, (_, at) => `2001:db8:7:${at + 1}::1`);

/** Opens connections from these addresses, each with a running request. */
function serving(addresses: string[]) {
  const peers = new Peers();
  const opened = addresses.map((remoteAddress) => {
    const socket = { remoteAddress } as Socket;
    peers.add(socket);
    peers.setIdle(socket, false);
    return socket;
  });
  return { peers, opened };
}

function arrive(peers: Peers, remoteAddress: string): Socket {
  const socket = { remoteAddress } as Socket;
  peers.add(socket);
  return socket;
}

it("a client with a connection from each of its subnets gives way to one with a single connection", () => {
  const { peers, opened } = serving(subnets);
  const added = arrive(peers, "192.0.2.1");
  expect(peers.toClose(added, () => true)).toEqual({ socket: opened[0], address: "2001:db8:7::" });
});

it("of clients with one connection each, the new one gives way", () => {
  const { peers } = serving(["192.0.2.2", "2001:db8:8::1", "2001:db8:9::1"]);
  const added = arrive(peers, "192.0.2.1");
  expect(peers.toClose(added, () => true)).toEqual({ socket: added, address: "192.0.2.1" });
});

it("a client whose connections all wait for the server gives way with the newest one to a client with fewer", () => {
  const { peers, opened } = serving(Array(3).fill("192.0.2.2"));
  const added = arrive(peers, "192.0.2.1");
  expect(peers.toClose(added, () => false)).toEqual({ socket: opened.at(-1), address: "192.0.2.2" });
});

it("clients with as many connections each cut off none of each other's requests", () => {
  const { peers } = serving(["192.0.2.1", "192.0.2.2", "192.0.2.2"]);
  const added = arrive(peers, "192.0.2.1");
  expect(peers.toClose(added, () => false)).toEqual({ socket: added, address: "192.0.2.1" });
});

it("a client that opens connections and sends nothing cuts off no more requests than a browser opens connections", () => {
  const { peers } = serving(Array(40).fill("192.0.2.2"));
  const closed = Array.from({ length: 20 }, () => {
    const given = peers.toClose(arrive(peers, "192.0.2.1"), () => false);
    if (given) peers.remove(given.socket);
    return given?.address;
  });
  expect(closed).toEqual([...Array(6).fill("192.0.2.2"), ...Array(14).fill("192.0.2.1")]);
});

it("clients behind a proxy with no more requests than a browser opens connections lose none of them", () => {
  const { peers, opened } = serving(Array(12).fill("192.0.2.2"));
  for (const [index, socket] of opened.entries()) peers.setClient(socket, `198.51.100.${index % 2}`);
  const added = arrive(peers, "192.0.2.2");
  expect(peers.toClose(added, () => true)).toEqual({ socket: added, address: "192.0.2.2" });
});

it("thousands of slow requests of one client behind a proxy are not all looked at for each new connection", () => {
  const { peers, opened } = serving(Array(4_000).fill("192.0.2.2"));
  for (const [index, socket] of opened.entries()) peers.setClient(socket, index < 20 ? "198.51.100.1" : "198.51.100.2");
  let looked = 0;
  const found = peers.toClose(arrive(peers, "192.0.2.2"), () => ++looked > 0);
  expect(found).toEqual({ socket: opened[20], address: "198.51.100.2", isProxied: true });
  expect(looked).toBe(21);
});

it("of the clients behind a proxy, the one with the most slow requests gives way, not the one with the most requests", () => {
  const { peers, opened } = serving(Array(40).fill("192.0.2.2"));
  for (const [index, socket] of opened.entries()) peers.setClient(socket, index < 25 ? "198.51.100.1" : "198.51.100.2");
  const slow = new Set([...opened.slice(0, 10), ...opened.slice(26)]);
  const found = peers.toClose(arrive(peers, "192.0.2.2"), (socket) => slow.has(socket));
  expect(found).toEqual({ socket: opened[26], address: "198.51.100.2", isProxied: true });
});
