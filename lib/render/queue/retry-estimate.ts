import { AppError } from "#lib/errors.ts";
import { RETRY_AFTER_MAX_SECONDS } from "#lib/render/render-limits.ts";

/** Weight of the newest render in the moving average. */
const AVERAGE_WEIGHT = 0.1;

/** Average before the first render. */
const FIRST_GUESS_MS = 100;

/** Estimates when a refused render is worth repeating: the queue's length × the average render, divided by the workers. */
export class RetryEstimate {
  readonly #workers: number;
  #averageMs = FIRST_GUESS_MS;

  constructor(workers: number) {
    this.#workers = workers;
  }

  /** Adds the milliseconds of one render in the browser to the average. */
  note(ms: number): void {
    this.#averageMs += AVERAGE_WEIGHT * (ms - this.#averageMs);
  }

  /** Error for a render that found the queue full. @param waiting how many renders wait */
  refuse(waiting: number): AppError {
    return this.#error(`All browsers are busy and ${waiting} renders are waiting.`, waiting);
  }

  /** Error for a waiting render that gave its place to another caller. @param waiting how many renders wait */
  displace(waiting: number): AppError {
    return this.#error(
      "All browsers are busy, and the place of this render went to a caller that asked for less.",
      waiting,
    );
  }

  #error(message: string, waiting: number): AppError {
    const seconds = Math.ceil(((waiting + 1) * this.#averageMs) / this.#workers / 1_000);
    return new AppError("overloaded", message, {
      headers: { "Retry-After": String(Math.min(seconds, RETRY_AFTER_MAX_SECONDS)) },
    });
  }
}
