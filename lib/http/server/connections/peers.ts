import type { Socket } from "node:net";
import { addressNetwork } from "#lib/addresses/address-group.ts";
import { NEW_CONNECTION_MS } from "#lib/http/http-limits.ts";

/** The connections of one address, or of an IPv6 /48, the oldest first: a client's, or those of a proxy for many clients. */
type Peer = {
  address: string;
  open: Set<Socket>;
  /** Those without a running request. The value is since when. */
  idle: Map<Socket, number>;
  /** Of the idle ones, those that were opened less than a second ago and have sent no request. The value is when they were opened. */
  fresh: Map<Socket, number>;
};

/** Forgets which connections were new, once they are no longer. */
function ageConnections({ fresh }: Peer, now: number): void {
  for (const [socket, since] of fresh) {
    if (now - since < NEW_CONNECTION_MS) return;
    fresh.delete(socket);
  }
}

/** How many connections a browser opens to a server at once. */
const OPENED_AT_ONCE = 6;

/** The connection of an address that has been idle for longest. New ones do not count. */
function oldestIdle({ idle, fresh }: Peer): Socket | undefined {
  for (const socket of idle.keys()) if (!fresh.has(socket)) return socket;
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

/** The connection that has been idle for longest, of the peer with the most idle ones. Where `running` are more: for at least a second. */
function longestIdle(peers: Peer[], running: number): Socket | undefined {
  const countOf = ({ idle, fresh }: Peer) => idle.size - fresh.size;
  const peer = peerWithMost(peers, countOf);
  const socket = peer && oldestIdle(peer);
  if (!socket || running <= countOf(peer)) return socket;
  return performance.now() - (peer.idle.get(socket) ?? 0) >= NEW_CONNECTION_MS ? socket : undefined;
}

/**
 * The oldest request that waits for its client, of the client that has most of them, if it has more than a browser opens connections.
 * @param clients the sockets of each, those of the client with most first
 */
function oldestSlow(clients: Set<Socket>[], waitsForClient: (socket: Socket) => boolean): Socket | undefined {
  let most: Socket[] = [];
  for (const [index, sockets] of clients.entries()) {
    if (sockets.size <= most.length) break;
    // More than any other client can have. While all of 4,000 requests were looked at for each new connection, others waited for seconds.
    const enough = 1 + Math.max(most.length, clients[index + 1]?.size ?? 0, OPENED_AT_ONCE);
    const slow: Socket[] = [];
    for (const socket of sockets) {
      if (waitsForClient(socket)) slow.push(socket);
      if (slow.length === enough) return slow[0];
    }
    if (slow.length > most.length) most = slow;
  }
  return most.length > OPENED_AT_ONCE ? most[0] : undefined;
}

type Closing = { socket: Socket; address: string; isProxied?: true };

/** Open connections by their address, and which of them are without a running request. */
export class Peers {
  readonly #byAddress = new Map<string, Peer>();
  readonly #bySocket = new Map<Socket, Peer>();
  /** The clients of running requests that come through a trusted proxy. */
  readonly #clients = new Map<Socket, string>();
  /** The same by client, the oldest request first. Counting 4,000 of them for each new connection took a millisecond. */
  readonly #byClient = new Map<string, Set<Socket>>();

  /** The number of open connections. */
  get size(): number {
    return this.#bySocket.size;
  }

  /** A new connection is idle. */
  add(socket: Socket): void {
    const address = addressNetwork(socket.remoteAddress ?? null);
    const peer = this.#byAddress.get(address) ?? { address, open: new Set(), idle: new Map(), fresh: new Map() };
    this.#byAddress.set(address, peer);
    this.#bySocket.set(socket, peer);
    peer.open.add(socket);
    peer.idle.set(socket, performance.now());
    peer.fresh.set(socket, performance.now());
  }

  remove(socket: Socket): void {
    const peer = this.#bySocket.get(socket);
    if (!peer) return;
    this.#bySocket.delete(socket);
    this.#forgetClient(socket);
    peer.open.delete(socket);
    peer.idle.delete(socket);
    peer.fresh.delete(socket);
    if (peer.open.size === 0) this.#byAddress.delete(peer.address);
  }

  setIdle(socket: Socket, isIdle: boolean): void {
    const peer = this.#bySocket.get(socket);
    peer?.idle.delete(socket);
    peer?.fresh.delete(socket);
    if (!isIdle) return;
    this.#forgetClient(socket);
    peer?.idle.set(socket, performance.now());
  }

  /** @param client the network that the running request of a connection comes from, as `addressNetwork` names it */
  setClient(socket: Socket, client: string): void {
    const peer = this.#bySocket.get(socket);
    if (!peer || this.#clients.get(socket) === client) return;
    this.#forgetClient(socket);
    if (peer.address === client) return;
    this.#clients.set(socket, client);
    this.#byClient.set(client, (this.#byClient.get(client) ?? new Set()).add(socket));
  }

  #forgetClient(socket: Socket): void {
    const client = this.#clients.get(socket);
    if (client === undefined) return;
    this.#clients.delete(socket);
    const sockets = this.#byClient.get(client);
    sockets?.delete(socket);
    if (sockets?.size === 0) this.#byClient.delete(client);
  }

  networkOf(socket: Socket): string {
    return this.#clients.get(socket) ?? this.#bySocket.get(socket)?.address ?? addressNetwork(null);
  }

  /** The sockets of each client behind a proxy that has more running requests than a browser opens connections, the most first. */
  #crowdingClients(): Set<Socket>[] {
    const crowding = [...this.#byClient.values()].filter(({ size }) => size > OPENED_AT_ONCE);
    return crowding.toSorted((a, b) => b.size - a.size);
  }

  #closing(socket: Socket): Closing {
    return { socket, address: this.networkOf(socket), ...(this.#clients.has(socket) && { isProxied: true }) };
  }

  /** The idle connections of every address. */
  *idle(): Generator<Socket> {
    for (const { idle } of this.#byAddress.values()) yield* idle.keys();
  }

  /**
   * The connection that gives way to a new one. In this order:
   * - Of the address with the most idle connections, the one that has been idle for longest. A new connection does not count as idle,
   *   because its first request may be on its way. Where a client behind a trusted proxy has more running requests than a browser opens
   *   at once and than that address has idle connections, it is one that has been idle for a second: a proxy that is about to use a
   *   connection takes a server that closes it for broken.
   * - Of the client behind a trusted proxy with the most requests whose bytes have to arrive or to be read, the oldest one, if it has
   *   more of them than a browser opens at once. Otherwise one client of the proxy could keep out all others.
   * - Of the address with the most connections, one that waits for its client, if that address has more than the new one's. A proxy
   *   has many connections too, but it sends requests on them.
   * - Of the client behind a trusted proxy with the most running requests, the newest one, if it has more of them than a browser opens
   *   at once. All of them wait for the server, such as thousands of logins, and would keep out all others.
   * - Of the address with the most new connections, the oldest new one, unless that address has fewer connections than the new one's.
   * - Instead of one of the new one's own address, the newest one of the address with the most connections, if that has more, and the
   *   new one's has no more new connections than a browser opens at once. A running request is cut off: a client whose requests all
   *   wait for something would keep everyone else out.
   * @param waitsForClient whether a connection with a running request waits for bytes that its client has to send or to read
   * @returns the new connection itself where it has to give way; `isProxied` for one of a client behind a proxy
   */
  toClose(added: Socket, waitsForClient: (socket: Socket) => boolean): Closing | undefined {
    const own = this.#bySocket.get(added);
    if (!own) return undefined;
    const peers = [...this.#byAddress.values()];
    for (const peer of peers) ageConnections(peer, performance.now());
    const clients = this.#crowdingClients();
    const [crowding = new Set<Socket>()] = clients;
    const found =
      longestIdle(peers, crowding.size) ??
      oldestSlow(clients, waitsForClient) ??
      this.#larger(own).find(waitsForClient) ??
      [...crowding].at(-1) ??
      this.#newest(own, added);
    return this.#closing(found);
  }

  #larger(own: Peer): Socket[] {
    const most = peerWithMost(this.#byAddress.values(), ({ open }) => open.size);
    return most && most.open.size > own.open.size ? [...most.open] : [];
  }

  /** Where no connection waits for its client: see the last two rules of {@link toClose}. */
  #newest(own: Peer, added: Socket): Socket {
    const notSmaller = [...this.#byAddress.values()].filter(({ open }) => open.size >= own.open.size);
    const crowding = peerWithMost(notSmaller, ({ fresh }) => fresh.size) ?? own;
    const newest = this.#larger(own).at(-1);
    if (newest && crowding === own && own.fresh.size <= OPENED_AT_ONCE) return newest;
    const [oldestNew = added] = crowding.fresh.keys();
    return oldestNew;
  }
}
