import { LONG_TASK_MS, NETWORKS_KEPT } from "./database-limits.ts";

/**
 * How long the tasks of each network take. After a long task, networks whose own last one took less than half as long go first, for as long
 * as the long one took. So all who ask for much share half of the time, however many they are, and the others do not wait for a long task
 * before each of their own. A network of which nothing is known does not go first, or a client with ever new addresses always would.
 */
export class LongTasks {
  readonly #now: () => number;
  /** How long the last task of each network took. The network that had one last is at the end. */
  readonly #tookMs = new Map<string, number>();
  #rest = { until: 0, ms: 0 };

  /** @param now a monotonic clock in milliseconds */
  constructor(now: () => number) {
    this.#now = now;
  }

  note(network: string, ms: number): void {
    this.#tookMs.delete(network);
    this.#tookMs.set(network, ms);
    const [oldest] = this.#tookMs.keys();
    if (oldest !== undefined && this.#tookMs.size > NETWORKS_KEPT) this.#tookMs.delete(oldest);
    if (ms >= LONG_TASK_MS) this.#rest = { until: this.#now() + ms, ms };
  }

  /** Whether those who wait for this network's tasks come after the others now. */
  isLast(network: string): boolean {
    return (
      this.#now() < this.#rest.until && (this.#tookMs.get(network) ?? Number.POSITIVE_INFINITY) > this.#rest.ms / 2
    );
  }
}
