import type { AppError } from "#lib/errors.ts";
import { busy, unavailable } from "./database-faults.ts";
import { BUSY_WAIT_MS, STOOD_STILL_GRACE_MS, STOOD_STILL_MS } from "./database-limits.ts";

/**
 * When a query is given up. While it waits for a connection, it is given up `timeoutMs` after the last sign of life
 * of the database, and {@link BUSY_WAIT_MS} after its own start at the latest: other queries that get their answers show that
 * there is no outage, only a queue. Once it has a connection, only its own answer counts.
 *
 * A timer that is late shows that this process stood still, as for a snapshot of its machine. Node runs late timers before it reads what
 * has arrived, so that answers of a database that works would count as missing. The query then gets as much time as the timer was late,
 * {@link STOOD_STILL_GRACE_MS} at most.
 */
export class QueryDeadline {
  readonly #answeredAt: () => number;
  readonly #timeoutMs: number;
  readonly #controller = new AbortController();
  readonly #startedAt = performance.now();
  /** When it was last known that the database answers, or when the query started. */
  #knownSince = this.#startedAt;
  #isWaiting = true;
  #hasSeenAnswer = false;
  #graceMs = STOOD_STILL_GRACE_MS;
  #dueAt = 0;
  #timer: NodeJS.Timeout;

  /**
   * @param answeredAt when any query was last answered, by `performance.now()`
   * @param timeoutMs the most that the query may take, in milliseconds
   */
  constructor(answeredAt: () => number, timeoutMs: number) {
    this.#answeredAt = answeredAt;
    this.#timeoutMs = timeoutMs;
    this.#timer = this.#startTimer(timeoutMs);
  }

  /** Aborts with an AppError `unavailable` at the deadline. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Whether it was given up because the database does not answer, rather than because too many others were before it. */
  get isOutage(): boolean {
    return this.signal.aborted && !(this.#isWaiting && this.#hasSeenAnswer);
  }

  /** The query has its turn. Does nothing when it has had it already. */
  endWait(): void {
    if (!this.#isWaiting) return;
    if (this.#noteAnswer()) this.#restartTimer(this.#timeoutMs);
    this.#isWaiting = false;
  }

  /** The query had its turn, and waits for a connection once more. Ended by {@link endWait}. */
  waitAgain(): void {
    this.#isWaiting = true;
  }

  /** The query is answered, or has failed. */
  clear(): void {
    clearTimeout(this.#timer);
  }

  /** Whether the database has answered since it was last known to. */
  #noteAnswer(): boolean {
    const answeredAt = this.#answeredAt();
    if (answeredAt <= this.#knownSince) return false;
    this.#knownSince = answeredAt;
    this.#hasSeenAnswer = true;
    return true;
  }

  #startTimer(ms: number): NodeJS.Timeout {
    this.#dueAt = performance.now() + ms;
    return setTimeout(() => this.#endOrReadOn(), ms);
  }

  #endOrReadOn(): void {
    const lateMs = Math.min(performance.now() - this.#dueAt, this.#graceMs);
    if (lateMs < STOOD_STILL_MS) {
      this.#giveUpOrWait();
      return;
    }
    this.#graceMs -= lateMs;
    this.#timer = this.#startTimer(lateMs);
  }

  /** @param allowedMs counted from the last sign of life, which may be longer ago where the process stood still */
  #restartTimer(allowedMs: number): void {
    clearTimeout(this.#timer);
    this.#timer = this.#startTimer(Math.max(0, this.#knownSince + allowedMs - performance.now()));
  }

  #giveUpOrWait(): void {
    const mayWaitMs = this.#startedAt + BUSY_WAIT_MS - performance.now();
    if (this.#isWaiting && this.#noteAnswer() && mayWaitMs > 0)
      this.#restartTimer(Math.min(this.#timeoutMs, this.#startedAt + BUSY_WAIT_MS - this.#knownSince));
    else this.#controller.abort(this.#reason());
  }

  #reason(): AppError {
    return this.#isWaiting && this.#hasSeenAnswer ? busy() : unavailable();
  }
}
