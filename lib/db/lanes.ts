import { addressNetwork } from "#lib/addresses/address-group.ts";
import { Turns } from "#lib/addresses/turns.ts";
import { processState } from "#lib/process-state.ts";
import { LongTasks } from "./long-tasks.ts";

/**
 * Who needs a connection. Logins wait behind most of the rest, because strangers can cause any number of them. Background work is what no
 * response needs, such as the last use of a token.
 */
export type Lane = "requests" | "logins" | "background";

/** All lanes, in order of precedence. */
const LANES: Lane[] = ["logins", "background", "requests"];

/**
 * How many tasks of other lanes start before one of this lane does, while both wait. So a flood of requests keeps neither logins nor
 * background work out.
 */
const OTHERS_FIRST: Record<Lane, number> = { requests: 0, logins: 3, background: 7 };

/**
 * How many places the tasks of each lane hold at most. While PostgreSQL reads but does not write, as with a lost stand-by or a lock, each
 * write holds its place until its deadline. Requests that only read need the others.
 */
function placesOfLanes(places: number): Record<Lane, number> {
  return {
    requests: places,
    logins: Math.max(1, Math.floor(places / 2)),
    background: Math.max(1, Math.floor(places / 4)),
  };
}

/** Tells the address that the running request comes from. Tasks of one address wait for each other. */
const requester = processState("database-requester", (): { name: () => string } => ({ name: () => "" }));

/** Sets how the address of the running request is found. Until then, all tasks count as of one address. */
export function nameRequesters(name: () => string): void {
  requester.replace({ name });
}

/**
 * Lets a bounded number of tasks run at once. Addresses take turns, and those with long tasks leave half of the time to others. Logins and
 * background work never hold all places, not even together. Each starts after a number of other tasks at the latest: {@link OTHERS_FIRST}.
 */
export class Lanes {
  readonly #places: number;
  readonly #placesOf: Record<Lane, number>;
  readonly #now: () => number;
  readonly #longTasks: LongTasks;
  readonly #waiting: Record<Lane, Turns<() => void>> = {
    requests: new Turns(),
    logins: new Turns(),
    background: new Turns(),
  };
  readonly #running: Record<Lane, number> = { requests: 0, logins: 0, background: 0 };
  /** How many tasks of other lanes have started since the last one of each lane. */
  readonly #since: Record<Lane, number> = { requests: 0, logins: 0, background: 0 };

  /**
   * @param places at least 1; with a single one, all lanes take turns on it
   * @param now a monotonic clock in milliseconds
   */
  constructor(places: number, now: () => number = () => performance.now()) {
    this.#places = places;
    this.#placesOf = placesOfLanes(places);
    this.#now = now;
    this.#longTasks = new LongTasks(now);
  }

  /** How many tasks run and wait now. */
  get load(): { running: number; waiting: number } {
    const sum = (count: (lane: Lane) => number) => LANES.reduce((total, lane) => total + count(lane), 0);
    return { running: sum((lane) => this.#running[lane]), waiting: sum((lane) => this.#waiting[lane].size) };
  }

  /**
   * Runs `task` when a place is free.
   * @param task calls `begin` once it has its connection: its time counts from then on. A task that never calls it counts for nothing. It calls
   * `end` where it keeps its place for longer than its time counts.
   * @throws what `task` throws
   */
  async run<T>(lane: Lane, task: (begin: () => void, end: () => void) => Promise<T>): Promise<T> {
    const address = requester.get().name();
    await new Promise<void>((start) => {
      this.#waiting[lane].add(address, start);
      this.#startNext();
    });
    let begunAt: number | undefined;
    const begin = () => {
      begunAt = this.#now();
    };
    const end = () => {
      if (begunAt !== undefined) this.#longTasks.note(addressNetwork(address), this.#now() - begunAt);
      begunAt = undefined;
    };
    try {
      return await task(begin, end);
    } finally {
      end();
      this.#running[lane]--;
      this.#startNext();
    }
  }

  /** Whether a lane may take one more place. Logins and background work together leave one to requests, unless there is only one. */
  #hasPlace(lane: Lane): boolean {
    if (this.#running[lane] >= this.#placesOf[lane]) return false;
    return lane === "requests" || this.#running.logins + this.#running.background < Math.max(1, this.#places - 1);
  }

  #nextLane(): Lane | undefined {
    const ready = LANES.filter((lane) => this.#waiting[lane].size > 0 && this.#hasPlace(lane));
    return ready.find((lane) => this.#since[lane] >= OTHERS_FIRST[lane]) ?? ready[0];
  }

  #startNext(): void {
    const lane = this.load.running < this.#places ? this.#nextLane() : undefined;
    if (!lane) return;
    const isLast = (network: string) => this.#longTasks.isLast(network);
    const start = this.#waiting[lane].next(this.#longTasks.isResting ? isLast : undefined);
    if (!start) return;
    this.#running[lane]++;
    for (const each of LANES) this.#since[each] = each === lane ? 0 : this.#since[each] + 1;
    start();
  }
}
