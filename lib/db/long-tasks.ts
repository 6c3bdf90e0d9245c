import { LONG_TASK_MS, NETWORKS_KEPT } from "./database-limits.ts";

/** How much the last task counts for the average of a network. */
const WEIGHT = 0.25;

/**
 * How long the tasks of each network take. After a long task, networks whose tasks take less than a quarter of it go first, for as long as it
 * has taken. So all who ask for much share half of the time, however many they are, and the others do not wait for a long task before each
 * of their own. A network of which nothing is known does not go first, or a client with ever new addresses always would.
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

  note(network: string, ms: number): void {
    const average = (1 - WEIGHT) * (this.#averageMs.get(network) ?? ms) + WEIGHT * ms;
    this.#averageMs.delete(network);
    this.#averageMs.set(network, average);
    const [oldest] = this.#averageMs.keys();
    if (oldest !== undefined && this.#averageMs.size > NETWORKS_KEPT) this.#averageMs.delete(oldest);
    const until = this.#now() + ms;
    if (ms >= LONG_TASK_MS && until > this.#rest.until) this.#rest = { until, ms };
  }

  /** Whether those who wait for this network's tasks come after the others now. */
  isLast(network: string): boolean {
    const average = this.#averageMs.get(network) ?? Number.POSITIVE_INFINITY;
    return this.#now() < this.#rest.until && average > this.#rest.ms / 4;
  }
}
