import { LONG_TASK_MS, LONG_TASKS_KEPT } from "./database-limits.ts";

/**
 * Who has taken long. After a long task, those whose own last one took less than half as long go first, for as long as it has taken. So all who
 * ask for much share half of the time, however many they are, and the others do not wait for one such task before each of their own.
 */
export class LongTasks {
  readonly #now: () => number;
  /** How long the last task of each network took that took long. */
  readonly #tookMs = new Map<string, number>();
  #rest = { until: 0, ms: 0 };

  /** @param now a monotonic clock in milliseconds */
  constructor(now: () => number) {
    this.#now = now;
  }

  note(network: string, ms: number): void {
    this.#tookMs.delete(network);
    if (ms < LONG_TASK_MS) return;
    if (this.#tookMs.size >= LONG_TASKS_KEPT) this.#tookMs.clear();
    this.#tookMs.set(network, ms);
    this.#rest = { until: this.#now() + ms, ms };
  }

  /** Whether those who wait for this network's tasks come after the others now. */
  isLast(network: string): boolean {
    return this.#now() < this.#rest.until && (this.#tookMs.get(network) ?? 0) > this.#rest.ms / 2;
  }
}
