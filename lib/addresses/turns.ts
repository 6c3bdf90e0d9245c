import { addressNetwork } from "./address-group.ts";

/** How many of the waiting networks are asked about. A flood has thousands. */
const ASKED_NETWORKS = 32;

/** What waits, in one line for each name. */
class Lines<Waiting> {
  /** The name whose turn is next first. No set is empty. */
  readonly #waiting = new Map<string, Set<Waiting>>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(name: string, waiting: Waiting): void {
    const own = this.#waiting.get(name) ?? new Set();
    this.#waiting.set(name, own.add(waiting));
    this.#size++;
  }

  remove(name: string, waiting: Waiting): void {
    const own = this.#waiting.get(name);
    if (!own?.delete(waiting)) return;
    this.#size--;
    if (own.size === 0) this.#waiting.delete(name);
  }

  /** Takes the next one out. Its name is last then. */
  next(): Waiting | undefined {
    const [turn] = this.#waiting;
    if (!turn) return undefined;
    const [name, own] = turn;
    const [waiting] = own;
    this.#waiting.delete(name);
    this.#waiting.set(name, own);
    if (waiting !== undefined) this.remove(name, waiting);
    return waiting;
  }

  /** Takes out the newest of the name with the most. */
  takeSurplus(): Waiting | undefined {
    let [most, found]: [number, string | undefined] = [0, undefined];
    for (const [name, { size }] of this.#waiting) if (size > most) [most, found] = [size, name];
    const newest = [...(this.#waiting.get(found ?? "") ?? [])].at(-1);
    if (found !== undefined && newest !== undefined) this.remove(found, newest);
    return newest;
  }
}

/** Which of the lines of an address something waits in. */
type Line = { line?: string };

/**
 * What waits, in lines. Each address has one line or a few. Networks take turns, and the lines of a network take turns too. A new
 * request waits for one turn of each flooding network, not for its whole flood. The neighbour of a flooding address does not wait for
 * its flood either.
 * A network is an IPv4 address, or a /48 of IPv6, because one client may have all subnets of that.
 */
export class Turns<Waiting> {
  /** The network whose turn is next first. None is empty. */
  readonly #networks = new Map<string, Lines<Waiting>>();
  #size = 0;

  /** The number of those that wait. */
  get size(): number {
    return this.#size;
  }

  /** @param address as `addressGroup` names it */
  add(address: string, waiting: Waiting, { line = "" }: Line = {}): void {
    const network = addressNetwork(address);
    const lines = this.#networks.get(network) ?? new Lines();
    lines.add(`${address} ${line}`, waiting);
    this.#networks.set(network, lines);
    this.#size++;
  }

  /** @param line the one that it was added to */
  remove(address: string, waiting: Waiting, { line = "" }: Line = {}): void {
    const network = addressNetwork(address);
    this.#take(network, (lines) => lines.remove(`${address} ${line}`, waiting));
  }

  /**
   * Takes the next one out. Its network is last then, and its line the last one in it.
   * @param isLast whether a network is served only when no other one waits; called for the first {@link ASKED_NETWORKS} that wait
   */
  next(isLast?: (network: string) => boolean): Waiting | undefined {
    const turn = this.#turn(isLast);
    if (!turn) return undefined;
    const [network, lines] = turn;
    this.#networks.delete(network);
    this.#networks.set(network, lines);
    return this.#take(network, () => lines.next());
  }

  #turn(isLast: (network: string) => boolean = () => false): [network: string, lines: Lines<Waiting>] | undefined {
    const [first] = this.#networks;
    let asked = 0;
    for (const turn of this.#networks) {
      if (!isLast(turn[0])) return turn;
      if (++asked === ASKED_NETWORKS) break;
    }
    return first;
  }

  /** Takes out the newest of the longest line, in the network with the most. */
  takeSurplus(): Waiting | undefined {
    let [most, found]: [number, string] = [0, ""];
    for (const [network, { size }] of this.#networks) if (size > most) [most, found] = [size, network];
    return this.#take(found, (lines) => lines.takeSurplus());
  }

  #take<Taken>(network: string, take: (lines: Lines<Waiting>) => Taken): Taken | undefined {
    const lines = this.#networks.get(network);
    if (!lines) return undefined;
    const before = lines.size;
    const taken = take(lines);
    this.#size -= before - lines.size;
    if (lines.size === 0) this.#networks.delete(network);
    return taken;
  }
}
