import { FairClock, type Share } from "#lib/fair-clock.ts";

type Waiting = { share: Share; group: string | undefined; start: () => void };

/** Work that waits for its turn. */
export type Turn = {
  /** Whether the answer is still wanted. */
  signal?: AbortSignal | undefined;
  /** How long it will take, as far as that is known. */
  costMs?: number;
  /** What it waits for: the name of a server, for example. */
  group?: string;
};

type Places = {
  places: number;
  /** How many of the places one group may take. */
  placesOfGroup?: number;
};

/**
 * Lets a bounded number of things run at once. Callers share the time: one with many that take long delays no other caller's only
 * one. Groups share the places: a server that does not answer leaves some to the others.
 */
export class FairTurns {
  readonly #places: number;
  readonly #placesOfGroup: number;
  readonly #clock = new FairClock();
  readonly #waiting = new Set<Waiting>();
  /** How many of a group run. */
  readonly #runningOf = new Map<string, number>();
  #taken = 0;

  constructor({ places, placesOfGroup = places }: Places) {
    this.#places = places;
    this.#placesOfGroup = placesOfGroup;
  }

  /** Runs `act` when it is the caller's turn. @throws the signal's reason, before `act` begins; what `act` throws */
  async run<T>(caller: string, act: () => Promise<T>, { signal, costMs = 0, group }: Turn = {}): Promise<T> {
    signal?.throwIfAborted();
    const share = this.#clock.enter(caller, costMs);
    await this.#turn({ share, group }, signal);
    const startedAt = performance.now();
    try {
      return await act();
    } finally {
      this.#clock.end(share, performance.now() - startedAt);
      this.#taken--;
      this.#countOf(group, -1);
      this.#startNext();
    }
  }

  #turn({ share, group }: Omit<Waiting, "start">, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const start = () => {
        signal?.removeEventListener("abort", leave);
        resolve();
      };
      const waiting = { share, group, start };
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
      .filter(({ group }) => this.#runsOf(group) < this.#placesOfGroup)
      .toSorted(({ share: a }, { share: b }) => a.endsAt - b.endsAt);
    if (!next) return;
    this.#waiting.delete(next);
    this.#taken++;
    this.#countOf(next.group, 1);
    next.start();
  }

  #runsOf(group: string | undefined): number {
    return group === undefined ? 0 : (this.#runningOf.get(group) ?? 0);
  }

  #countOf(group: string | undefined, change: number): void {
    if (group === undefined) return;
    const count = this.#runsOf(group) + change;
    if (count > 0) this.#runningOf.set(group, count);
    else this.#runningOf.delete(group);
  }
}
