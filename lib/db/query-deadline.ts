import { busy, unavailable } from "./database-faults.ts";
import { BUSY_WAIT_MS, STOOD_STILL_GRACE_MS, STOOD_STILL_MS } from "./database-limits.ts";

/** Signs that the database answers, and until when they count. By `performance.now()`. */
type Signs = { lastAt: () => number; until: number };

/**
 * When a query is given up: `timeoutMs` after the last sign that the database answers. While the query waits for a connection, answers to
 * others are such signs, and then the answers to its own statements. So neither a queue counts as an outage, nor a transaction of many
 * statements whose answers come from far away. The wait may take {@link BUSY_WAIT_MS} at most, and the statements as long again.
 *
 * A timer that is late shows that this process stood still, as for a snapshot of its machine. Node runs late timers before it reads what
 * has arrived, so that answers of a database that works would count as missing. The query then gets as much time as the timer was late,
 * {@link STOOD_STILL_GRACE_MS} at most.
 */
export class QueryDeadline {
  readonly #timeoutMs: number;
  readonly #controller = new AbortController();
  /** The answers to others, which count while the query waits. */
  readonly #ofOthers: Signs;
  /** Undefined while a connection is opened. */
  #signs: Signs | undefined;
  /** When it was last known that the database answers, or when the query started. */
  #knownSince = performance.now();
  #hasSeenAnswer = false;
  #isBusy = false;
  #graceMs = STOOD_STILL_GRACE_MS;
  #dueAt = 0;
  #timer: NodeJS.Timeout;

  /**
   * @param answeredAt when any query was last answered, by `performance.now()`
   * @param timeoutMs the most that one statement may take, in milliseconds
   */
  constructor(answeredAt: () => number, timeoutMs: number) {
    this.#ofOthers = { lastAt: answeredAt, until: this.#knownSince + BUSY_WAIT_MS };
    this.#signs = this.#ofOthers;
    this.#timeoutMs = timeoutMs;
    this.#timer = this.#startTimer(timeoutMs);
  }

  /** Aborts with an AppError `unavailable` at the deadline. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Whether it was given up because the database does not answer, rather than because of a queue or too many statements. */
  get isOutage(): boolean {
    return this.signal.aborted && !this.#isBusy;
  }

  /** The query has its turn. Does nothing when it has had it already. */
  endWait(): void {
    if (this.#signs !== this.#ofOthers) return;
    if (this.#noteAnswer()) this.#restartTimer(this.#timeoutMs);
    this.#signs = undefined;
  }

  /** The query had its turn, and waits for a connection once more. Ended by {@link endWait}. */
  waitAgain(): void {
    this.#signs = this.#ofOthers;
  }

  /**
   * The query has its connection.
   * @param answeredAt when one of its own statements was last answered, by `performance.now()`
   */
  follow(answeredAt: () => number): void {
    this.#hasSeenAnswer = false;
    this.#signs = { lastAt: answeredAt, until: performance.now() + BUSY_WAIT_MS };
  }

  /** The query is answered, or has failed. */
  clear(): void {
    clearTimeout(this.#timer);
  }

  /** Whether the database has answered since it was last known to. */
  #noteAnswer(): boolean {
    const answeredAt = this.#signs?.lastAt() ?? 0;
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
      this.#giveUpOrGoOn();
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

  #giveUpOrGoOn(): void {
    const { until } = this.#signs ?? { until: Number.POSITIVE_INFINITY };
    const mayGoOn = this.#knownSince + this.#timeoutMs < until;
    const hasGoneOn = this.#hasSeenAnswer;
    if (this.#noteAnswer() && mayGoOn) {
      this.#restartTimer(Math.min(this.#timeoutMs, until - this.#knownSince));
      return;
    }
    this.#isBusy = this.#signs === this.#ofOthers ? this.#hasSeenAnswer : hasGoneOn && !mayGoOn;
    this.#controller.abort(this.#isBusy ? busy() : unavailable());
  }
}
