import { FairClock, type Share } from "#lib/fair-clock.ts";

type Waiting = { share: Share; host: string | undefined; start: () => void };

/** Work that waits for its turn. */
export type Turn = {
  /** Whether the answer is still wanted. */
  signal?: AbortSignal | undefined;
  /** How long it will take, as far as that is known. */
  costMs?: number;
  /** The server that it waits for. */
  host?: string;
};

type Places = {
  places: number;
  /** How many of the places the work for one server may take. */
  placesOfHost?: number;
};

/**
 * Lets a bounded number of things run at once. Callers share the time: one with many that take long delays no other caller's only
 * one. Servers share the places: one that does not answer leaves some to the others.
 */
export class FairTurns {
  readonly #places: number;
  readonly #placesOfHost: number;
  readonly #clock = new FairClock();
  readonly #waiting = new Set<Waiting>();
  /** How many run for a server. */
  readonly #runningFor = new Map<string, number>();
  #taken = 0;

  constructor({ places, placesOfHost = places }: Places) {
    this.#places = places;
    this.#placesOfHost = placesOfHost;
  }

  /** Runs `act` when it is the caller's turn. @throws the signal's reason, before `act` begins; what `act` throws */
  async run<T>(caller: string, act: () => Promise<T>, { signal, costMs = 0, host }: Turn = {}): Promise<T> {
    signal?.throwIfAborted();
    const share = this.#clock.enter(caller, costMs);
    await this.#turn({ share, host }, signal);
    const startedAt = performance.now();
    try {
      return await act();
    } finally {
      this.#clock.end(share, performance.now() - startedAt);
      this.#taken--;
      this.#countFor(host, -1);
      this.#startNext();
    }
  }

  #turn({ share, host }: Omit<Waiting, "start">, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const start = () => {
        signal?.removeEventListener("abort", leave);
        resolve();
      };
      const waiting = { share, host, start };
      const leave = () => {
        this.#waiting.delete(waiting);
        this.#clock.end(share, 0);
        reject(signal?.reason);
      };
      signal?.addEventListener("abort", leave, { once: true });
      this.#waiting.add(waiting);
      this.#startNext();
    });
  }

  #startNext(): void {
    if (this.#taken >= this.#places) return;
    const [next] = [...this.#waiting]
      .filter(({ host }) => this.#runsFor(host) < this.#placesOfHost)
      .toSorted(({ share: a }, { share: b }) => a.endsAt - b.endsAt);
    if (!next) return;
    this.#waiting.delete(next);
    this.#taken++;
    this.#countFor(next.host, 1);
    next.start();
  }

  #runsFor(host: string | undefined): number {
    return host === undefined ? 0 : (this.#runningFor.get(host) ?? 0);
  }

  #countFor(host: string | undefined, change: number): void {
    if (host === undefined) return;
    const count = this.#runsFor(host) + change;
    if (count > 0) this.#runningFor.set(host, count);
    else this.#runningFor.delete(host);
  }
}
