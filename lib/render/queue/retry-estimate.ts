import { AppError } from "#lib/errors.ts";
import { RETRY_AFTER_MAX_SECONDS } from "#lib/render/render-limits.ts";

/** Weight of the newest render in the average. */
const AVERAGE_WEIGHT = 0.1;
const FIRST_GUESS_MS = 100;

/** Knows how long a picture takes to draw, and so when it is worth asking again. */
export class RetryEstimate {
  readonly #supervisors: number;
  #averageMs = FIRST_GUESS_MS;

  constructor(supervisors: number) {
    this.#supervisors = supervisors;
  }

  /** Takes the drawing of one more picture into account. */
  note(ms: number): void {
    this.#averageMs += AVERAGE_WEIGHT * (ms - this.#averageMs);
  }

  /** What one is told who comes when `waiting` renders wait already and no place is left. */
  refuse(waiting: number): AppError {
    return this.#error(`Every browser is busy and ${waiting} renders wait for one already.`, waiting);
  }

  /** What one is told whose place was needed for somebody who has fewer. */
  displace(waiting: number): AppError {
    return this.#error("Every browser is busy, and others who wait have fewer renders than this caller.", waiting);
  }

  #error(message: string, waiting: number): AppError {
    const seconds = Math.ceil(((waiting + 1) * this.#averageMs) / this.#supervisors / 1_000);
    return new AppError("overloaded", message, {
      headers: { "Retry-After": String(Math.min(seconds, RETRY_AFTER_MAX_SECONDS)) },
    });
  }
}
