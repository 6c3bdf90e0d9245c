import { LONG_TASK_MS, NETWORKS_KEPT } from "./database-limits.ts";

/** How much the last task counts for the average of a network. */
const WEIGHT = 0.25;

/**
 * How long the tasks of each network take. After a long task, networks whose average task takes less than a quarter as long go first, for as
 * long as the task took: a rest. All heavy clients together get half of the time. Unknown networks do not go first; otherwise a client
 * could use a new address for each task.
 */
export class LongTasks {
  readonly #now: () => number;
  /** How long the tasks of a network take on average. The network that had one last is at the end. */
  readonly #averageMs = new Map<string, number>();
  #rest = { until: 0, ms: 0 };

  /** @param now a monotonic clock in milliseconds */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Whether some networks go first now. */
  get isResting(): boolean {
    return this.#now() < this.#rest.until;
  }

  /** Tells of a task that has ended now. A task that began in a rest starts no new one, or rests would follow each other without end. */
  note(network: string, ms: number): void {
    const average = (1 - WEIGHT) * (this.#averageMs.get(network) ?? ms) + WEIGHT * ms;
    this.#averageMs.delete(network);
    this.#averageMs.set(network, average);
    const [oldest] = this.#averageMs.keys();
    if (oldest !== undefined && this.#averageMs.size > NETWORKS_KEPT) this.#averageMs.delete(oldest);
    const now = this.#now();
    if (ms >= LONG_TASK_MS && now - ms >= this.#rest.until) this.#rest = { until: now + ms, ms };
  }

  /** Whether this network's tasks must wait for those of other networks in a rest. */
  isLast(network: string): boolean {
    return (this.#averageMs.get(network) ?? Number.POSITIVE_INFINITY) > this.#rest.ms / 4;
  }
}
