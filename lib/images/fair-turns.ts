import { FairClock, type Share } from "#lib/fair-clock.ts";

/** A task in the queue. `start` gets the group of which it takes a place. */
type Waiting = { share: Share; group: Turn["group"]; start: (group: string | undefined) => void };

/** A task that waits for its turn. */
export type Turn = {
  /** Aborts when the result is no longer wanted. */
  signal?: AbortSignal | undefined;
  /** An estimate of how long it takes, in milliseconds. */
  costMs?: number;
  /** What it depends on, such as the name of a server. A function is called anew when a place becomes free and the task may be next. */
  group?: string | undefined | (() => string);
};

function nameOf(group: Turn["group"]): string | undefined {
  return typeof group === "function" ? group() : group;
}

type Places = {
  places: number;
  /** How many of the places one group may take. */
  placesOfGroup?: number;
};

/**
 * Limits how many tasks run at once. Callers share the time: a caller with many slow tasks does not delay another caller's only task.
 * Groups share the places: tasks that depend on a silent server leave places to other tasks.
 */
export class FairTurns {
  readonly #places: number;
  readonly #placesOfGroup: number;
  readonly #clock = new FairClock();
  readonly #waiting = new Set<Waiting>();
  /** How many tasks of each group run. */
  readonly #runningIn = new Map<string, number>();
  #taken = 0;

  constructor({ places, placesOfGroup = places }: Places) {
    this.#places = places;
    this.#placesOfGroup = placesOfGroup;
  }

  /** Runs `act` when it is the caller's turn. @throws the signal's reason, before `act` begins; what `act` throws */
  async run<T>(caller: string, act: () => Promise<T>, { signal, costMs = 0, group }: Turn = {}): Promise<T> {
    signal?.throwIfAborted();
    const share = this.#clock.enter(caller, costMs);
    const counted = await this.#turn({ share, group }, signal);
    const startedAt = performance.now();
    try {
      return await act();
    } finally {
      this.#clock.end(share, performance.now() - startedAt);
      this.#taken--;
      this.#addTo(counted, -1);
      this.#startNext();
    }
  }

  #turn({ share, group }: Omit<Waiting, "start">, signal: AbortSignal | undefined): Promise<string | undefined> {
    return new Promise((resolve, reject) => {
      const start = (counted: string | undefined) => {
        signal?.removeEventListener("abort", leave);
        resolve(counted);
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
    for (let next = this.#next(); next; next = this.#next()) {
      const group = nameOf(next.group);
      this.#waiting.delete(next);
      this.#taken++;
      this.#addTo(group, 1);
      next.start(group);
    }
  }

  #next(): Waiting | undefined {
    if (this.#taken >= this.#places) return undefined;
    let next: Waiting | undefined;
    for (const waiting of this.#waiting) {
      const isEarlier = !next || waiting.share.endsAt < next.share.endsAt;
      if (isEarlier && this.#countIn(nameOf(waiting.group)) < this.#placesOfGroup) next = waiting;
    }
    return next;
  }

  #countIn(group: string | undefined): number {
    return group === undefined ? 0 : (this.#runningIn.get(group) ?? 0);
  }

  #addTo(group: string | undefined, change: number): void {
    if (group === undefined) return;
    const count = this.#countIn(group) + change;
    if (count > 0) this.#runningIn.set(group, count);
    else this.#runningIn.delete(group);
  }
}
