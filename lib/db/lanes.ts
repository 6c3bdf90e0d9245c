import { addressNetwork } from "#lib/addresses/address-group.ts";
import { Turns } from "#lib/addresses/turns.ts";
import { processState } from "#lib/process-state.ts";
import { LongTasks } from "./long-tasks.ts";

/**
 * Who needs a connection. Logins wait behind most of the rest, because strangers can cause any number of them. `owners` are logins whose
 * browser is known, or whose password was right. Background work is what no response needs, such as the last use of a token.
 */
export type Lane = "requests" | "owners" | "logins" | "background";

/** What shares places and turns: both lanes of logins do. */
type Group = Exclude<Lane, "owners">;

const groupOf = (lane: Lane): Group => (lane === "owners" ? "logins" : lane);

/** All groups, in order of precedence. */
const GROUPS: Group[] = ["logins", "background", "requests"];

/**
 * How many tasks of other groups start before one of this group does, while both wait. So a flood of requests keeps neither logins nor
 * background work out.
 */
const OTHERS_FIRST: Record<Group, number> = { requests: 0, logins: 3, background: 7 };

/**
 * How many places the tasks of each group hold at most. While PostgreSQL reads but does not write, as with a lost stand-by or a lock, each
 * write holds its place until its deadline. Requests that only read need the others.
 */
function placesOfGroups(places: number): Record<Group, number> {
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
 * A login needs about ten tasks, one after the other. So those of owners take turns with all others together, and do not wait for a task of
 * each address of a flood.
 */
export class Lanes {
  readonly #places: number;
  readonly #placesOf: Record<Group, number>;
  readonly #now: () => number;
  readonly #longTasks: LongTasks;
  readonly #waiting: Record<Lane, Turns<() => void>> = {
    requests: new Turns(),
    owners: new Turns(),
    logins: new Turns(),
    background: new Turns(),
  };
  readonly #running: Record<Group, number> = { requests: 0, logins: 0, background: 0 };
  /** How many tasks of other groups have started since the last one of each group. */
  readonly #since: Record<Group, number> = { requests: 0, logins: 0, background: 0 };
  /** Whether the last login that started was an owner's. */
  #wasOwner = false;

  /**
   * @param places at least 1; with a single one, all groups take turns on it
   * @param now a monotonic clock in milliseconds
   */
  constructor(places: number, now: () => number = () => performance.now()) {
    this.#places = places;
    this.#placesOf = placesOfGroups(places);
    this.#now = now;
    this.#longTasks = new LongTasks(now);
  }

  /** How many tasks run and wait now. */
  get load(): { running: number; waiting: number } {
    const sum = (count: (group: Group) => number) => GROUPS.reduce((total, group) => total + count(group), 0);
    const waiting = sum((group) => this.#waiting[group].size) + this.#waiting.owners.size;
    return { running: sum((group) => this.#running[group]), waiting };
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
      this.#running[groupOf(lane)]--;
      this.#startNext();
    }
  }

  /** Whether a group may take one more place. Logins and background work together leave one to requests, unless there is only one. */
  #hasPlace(group: Group): boolean {
    if (this.#running[group] >= this.#placesOf[group]) return false;
    return group === "requests" || this.#running.logins + this.#running.background < Math.max(1, this.#places - 1);
  }

  /** The lane of a group whose task starts next. */
  #laneOf(group: Group): Lane {
    if (group !== "logins" || this.#waiting.owners.size === 0) return group;
    return this.#wasOwner && this.#waiting.logins.size > 0 ? "logins" : "owners";
  }

  #nextGroup(): Group | undefined {
    const ready = GROUPS.filter((group) => this.#waiting[this.#laneOf(group)].size > 0 && this.#hasPlace(group));
    return ready.find((group) => this.#since[group] >= OTHERS_FIRST[group]) ?? ready[0];
  }

  #startNext(): void {
    const group = this.load.running < this.#places ? this.#nextGroup() : undefined;
    if (!group) return;
    const lane = this.#laneOf(group);
    const isLast = (network: string) => this.#longTasks.isLast(network);
    const start = this.#waiting[lane].next(this.#longTasks.isResting ? isLast : undefined);
    if (!start) return;
    this.#running[group]++;
    if (group === "logins") this.#wasOwner = lane === "owners";
    for (const each of GROUPS) this.#since[each] = each === group ? 0 : this.#since[each] + 1;
    start();
  }
}
