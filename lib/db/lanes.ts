import { addressNetwork } from "#lib/addresses/address-group.ts";
import { Turns } from "#lib/addresses/turns.ts";
import { processState } from "#lib/process-state.ts";
import { LongTasks } from "./long-tasks.ts";

/** Who needs a connection. Logins wait behind most of the rest, because strangers can cause any number of them. */
export type Lane = "requests" | "logins";

/** How many other tasks start before a login does, while both wait. So a flood of requests does not keep logins out. */
const REQUESTS_PER_LOGIN = 3;

/** Tells the address that the running request comes from. Tasks of one address wait for each other. */
const requester = processState("database-requester", (): { name: () => string } => ({ name: () => "" }));

/** Sets how the address of the running request is found. Until then, all tasks count as of one address. */
export function nameRequesters(name: () => string): void {
  requester.replace({ name });
}

/**
 * Lets a bounded number of tasks run at once. Addresses take turns, and those with long tasks leave half of the time to others. Logins never
 * hold all places, and start at the latest after {@link REQUESTS_PER_LOGIN} other tasks.
 */
export class Lanes {
  readonly #places: number;
  readonly #loginPlaces: number;
  readonly #now: () => number;
  readonly #longTasks: LongTasks;
  readonly #waiting: Record<Lane, Turns<() => void>> = { requests: new Turns(), logins: new Turns() };
  #running = 0;
  #runningLogins = 0;
  #sinceLogin = 0;

  /**
   * @param places at least 1; with a single one, logins and other tasks take turns on it
   * @param now a monotonic clock in milliseconds
   */
  constructor(places: number, now: () => number = () => performance.now()) {
    this.#places = places;
    this.#now = now;
    this.#longTasks = new LongTasks(now);
    this.#loginPlaces = Math.max(1, Math.floor(places / 2));
  }

  /** How many tasks run and wait now. */
  get load(): { running: number; waiting: number } {
    return { running: this.#running, waiting: this.#waiting.requests.size + this.#waiting.logins.size };
  }

  /**
   * Runs `task` when a place is free.
   * @param task calls `begin` once it has its connection: its time counts from then on. A task that never calls it counts for nothing.
   * @throws what `task` throws
   */
  async run<T>(lane: Lane, task: (begin: () => void) => Promise<T>): Promise<T> {
    const address = requester.get().name();
    await new Promise<void>((start) => {
      this.#waiting[lane].add(address, start);
      this.#startNext();
    });
    let begunAt: number | undefined;
    const begin = () => {
      begunAt = this.#now();
    };
    try {
      return await task(begin);
    } finally {
      if (begunAt !== undefined) this.#longTasks.note(addressNetwork(address), this.#now() - begunAt);
      this.#running--;
      if (lane === "logins") this.#runningLogins--;
      this.#startNext();
    }
  }

  #nextLane(): Lane {
    const { requests, logins } = this.#waiting;
    if (logins.size === 0 || this.#runningLogins >= this.#loginPlaces) return "requests";
    return requests.size === 0 || this.#sinceLogin >= REQUESTS_PER_LOGIN ? "logins" : "requests";
  }

  #startNext(): void {
    if (this.#running >= this.#places) return;
    const lane = this.#nextLane();
    const isLast = (network: string) => this.#longTasks.isLast(network);
    const start = this.#waiting[lane].next(this.#longTasks.isResting ? isLast : undefined);
    if (!start) return;
    this.#running++;
    if (lane === "logins") this.#runningLogins++;
    this.#sinceLogin = lane === "logins" ? 0 : this.#sinceLogin + 1;
    start();
  }
}
