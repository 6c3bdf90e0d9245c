/** One piece of work of a caller, from the time it waits until it ends. */
export type Share = {
  readonly caller: string;
  /** How long it takes by the estimate, in milliseconds. */
  readonly costMs: number;
  /** When it would end by the clock. Of what waits, the lowest is next. */
  endsAt: number;
};

/** How many callers are remembered, at most. One that is forgotten counts as new. */
const CALLERS_KEPT = 1_000;

/**
 * Shares time among callers, not turns: a caller with short work does not wait for the long work of others. The clock runs at
 * the speed at which each caller would be served if all were served at once. Work begins where its caller's last ends by that
 * clock, or now, and what ends first is next. So work that arrives later cannot delay long work for ever.
 *
 * This is weighted fair queuing with equal weights (Demers, Keshav and Shenker, 1989). The time of work is estimated first, and
 * the caller's later work is moved by the difference once the real time is known.
 */
export class FairClock {
  /** All that waits or is under way. */
  readonly #open = new Set<Share>();
  /** When each caller's last work ends. */
  readonly #ends = new Map<string, number>();
  #now = 0;

  enter(caller: string, costMs: number): Share {
    const endsAt = Math.max(this.#now, this.#ends.get(caller) ?? 0) + costMs;
    const share = { caller, costMs, endsAt };
    this.#ends.set(caller, endsAt);
    this.#open.add(share);
    return share;
  }

  /** Tells that work took this long. Zero is for work that never began. A second call has no effect. */
  end(share: Share, ms: number): void {
    if (!this.#open.has(share)) return;
    this.#now += ms / new Set([...this.#open].map(({ caller }) => caller)).size;
    this.#open.delete(share);
    const { caller, costMs, endsAt } = share;
    const late = ms - costMs;
    for (const other of this.#open) if (other.caller === caller && other.endsAt >= endsAt) other.endsAt += late;
    this.#ends.set(caller, (this.#ends.get(caller) ?? endsAt) + late);
    this.#forget();
  }

  #forget(): void {
    if (this.#ends.size <= CALLERS_KEPT) return;
    for (const [caller, end] of this.#ends) if (end <= this.#now) this.#ends.delete(caller);
    if (this.#ends.size > CALLERS_KEPT) this.#ends.clear();
  }
}
