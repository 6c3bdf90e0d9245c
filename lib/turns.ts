/**
 * What waits, in one line for each client's address. Addresses take turns: whoever arrives waits for one turn of each flooding
 * address, not for its whole flood.
 */
export class Turns<Waiting> {
  /** The address whose turn is next first. No set is empty. */
  readonly #waiting = new Map<string, Set<Waiting>>();
  #size = 0;

  /** The number of those that wait. */
  get size(): number {
    return this.#size;
  }

  add(address: string, waiting: Waiting): void {
    const own = this.#waiting.get(address) ?? new Set();
    this.#waiting.set(address, own.add(waiting));
    this.#size++;
  }

  remove(address: string, waiting: Waiting): void {
    const own = this.#waiting.get(address);
    if (!own?.delete(waiting)) return;
    this.#size--;
    if (own.size === 0) this.#waiting.delete(address);
  }

  /** Takes the next one out. Its address is last then. */
  next(): Waiting | undefined {
    const [turn] = this.#waiting;
    if (!turn) return undefined;
    const [address, own] = turn;
    const [waiting] = own;
    this.#waiting.delete(address);
    this.#waiting.set(address, own);
    if (waiting !== undefined) this.remove(address, waiting);
    return waiting;
  }

  /** Takes out the newest of the address with the most. */
  takeSurplus(): Waiting | undefined {
    let [most, found]: [number, string | undefined] = [0, undefined];
    for (const [address, { size }] of this.#waiting) if (size > most) [most, found] = [size, address];
    const newest = [...(this.#waiting.get(found ?? "") ?? [])].at(-1);
    if (found !== undefined && newest !== undefined) this.remove(found, newest);
    return newest;
  }
}
