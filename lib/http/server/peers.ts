import type { Socket } from "node:net";
import { addressGroup } from "#lib/access/address-group.ts";
import { NEW_CONNECTION_MS } from "#lib/http/http-limits.ts";

/** The connections of one address, the oldest first: a client's, or those of a proxy for many clients. */
type Peer = {
  address: string;
  open: Set<Socket>;
  /** Those without a running request. */
  idle: Set<Socket>;
  /** The idle ones that are new: a second old at most, and still without a request. The value is when they were opened. */
  fresh: Map<Socket, number>;
};

/** Ends the time in which connections count as new. */
function ageConnections({ fresh }: Peer, now: number): void {
  for (const [socket, since] of fresh) {
    if (now - since < NEW_CONNECTION_MS) return;
    fresh.delete(socket);
  }
}

/** The connection of an address that has been idle for longest. New ones do not count. */
function oldestIdle({ idle, fresh }: Peer): Socket | undefined {
  for (const socket of idle) if (!fresh.has(socket)) return socket;
  return undefined;
}

/** The peer with the most of something, if any has it. */
function peerWithMost(peers: Iterable<Peer>, countOf: (peer: Peer) => number): Peer | undefined {
  let [most, found]: [number, Peer | undefined] = [0, undefined];
  for (const peer of peers) {
    const count = countOf(peer);
    if (count > most) [most, found] = [count, peer];
  }
  return found;
}

/** Open connections by their address, and which of them are without a running request. */
export class Peers {
  readonly #byAddress = new Map<string, Peer>();
  readonly #bySocket = new Map<Socket, Peer>();

  /** The number of open connections. */
  get size(): number {
    return this.#bySocket.size;
  }

  /** A new connection is idle. */
  add(socket: Socket): void {
    const address = addressGroup(socket.remoteAddress ?? null);
    const peer = this.#byAddress.get(address) ?? { address, open: new Set(), idle: new Set(), fresh: new Map() };
    this.#byAddress.set(address, peer);
    this.#bySocket.set(socket, peer);
    peer.open.add(socket);
    peer.idle.add(socket);
    peer.fresh.set(socket, performance.now());
  }

  remove(socket: Socket): void {
    const peer = this.#bySocket.get(socket);
    if (!peer) return;
    this.#bySocket.delete(socket);
    peer.open.delete(socket);
    peer.idle.delete(socket);
    peer.fresh.delete(socket);
    if (peer.open.size === 0) this.#byAddress.delete(peer.address);
  }

  setIdle(socket: Socket, isIdle: boolean): void {
    const peer = this.#bySocket.get(socket);
    peer?.idle.delete(socket);
    peer?.fresh.delete(socket);
    if (isIdle) peer?.idle.add(socket);
  }

  /** The idle connections of every address. */
  *idle(): Generator<Socket> {
    for (const { idle } of this.#byAddress.values()) yield* idle;
  }

  /**
   * The connection that gives way to a new one: the one that is idle for longest of the address with the most idle connections.
   * Where none is idle, one that waits for its client, of the address with the most connections, if that has more than the new
   * one's. A proxy holds many connections, but it sends requests on them, and a client beside it does not. A new
   * connection does not count as idle, because its first request is on its way. It gives way only where all else is busy, and not to
   * an address that has more connections.
   * @param waitsForClient whether a connection with a running request waits for bytes that its client has to send or to read
   * @returns the new connection itself where it has to give way
   */
  toClose(added: Socket, waitsForClient: (socket: Socket) => boolean): { socket: Socket; address: string } | undefined {
    const own = this.#bySocket.get(added);
    if (!own) return undefined;
    const peers = [...this.#byAddress.values()];
    for (const peer of peers) ageConnections(peer, performance.now());
    const idle = peerWithMost(peers, (peer) => peer.idle.size - peer.fresh.size);
    const oldest = idle && oldestIdle(idle);
    if (idle && oldest) return { socket: oldest, address: idle.address };
    const largest = peerWithMost(peers, ({ open }) => open.size);
    const slow = largest && largest.open.size > own.open.size ? [...largest.open].find(waitsForClient) : undefined;
    if (largest && slow) return { socket: slow, address: largest.address };
    const notSmaller = peers.filter(({ open }) => open.size >= own.open.size);
    const crowding = peerWithMost(notSmaller, ({ fresh }) => fresh.size) ?? own;
    const [oldestNew = added] = crowding.fresh.keys();
    return { socket: oldestNew, address: crowding.address };
  }
}
