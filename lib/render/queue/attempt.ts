import type { RenderTask } from "./render-task.ts";

type Patience = {
  /** For how long the attempt may keep other callers waiting, in milliseconds. */
  patienceMs: number;
  /** Called once it has kept them waiting for longer. */
  onOverdue: () => void;
};

/** The reason of {@link Attempt.signal} when the attempt gives way. */
const GAVE_WAY = new Error("The render gave way to others.");

/** A browser's work on a render, from now until {@link end}. While it keeps other callers waiting, it is timed, and it can give way to them. */
export class Attempt {
  readonly task: RenderTask;
  readonly startedAt = performance.now();
  #endedAt: number | undefined;
  /** Aborts once the task is over, or the attempt gives way. */
  readonly signal: AbortSignal;
  readonly #patience: Patience;
  readonly #way = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  /** Since when others wait for it, on the clock of `performance.now()`. */
  #since: number | undefined;
  #isOverdue = false;

  constructor(task: RenderTask, patience: Patience) {
    this.task = task;
    this.signal = AbortSignal.any([task.signal, this.#way.signal]);
    this.#patience = patience;
  }

  /** Whether it has kept others waiting for too long, and they still wait. */
  get isOverdue(): boolean {
    return this.#isOverdue && this.#endedAt === undefined;
  }

  get hasGivenWay(): boolean {
    return this.#way.signal.aborted;
  }

  /** How long it has taken, in milliseconds. */
  get ms(): number {
    return (this.#endedAt ?? performance.now()) - this.startedAt;
  }

  /** For how long others wait for it, or waited for it at its end, in milliseconds; 0 where none does. */
  get keptWaitingMs(): number {
    return this.#since === undefined ? 0 : (this.#endedAt ?? performance.now()) - this.#since;
  }

  /** Tells whether others wait for it now. */
  note(othersWait: boolean): void {
    if (this.#endedAt !== undefined || othersWait === (this.#since !== undefined)) return;
    clearTimeout(this.#timer);
    this.#isOverdue = false;
    this.#since = othersWait ? performance.now() : undefined;
    if (othersWait) this.#timer = setTimeout(() => this.#runOut(), this.#patience.patienceMs).unref();
  }

  giveWay(): void {
    this.end();
    this.#way.abort(GAVE_WAY);
  }

  /** The browser has drawn the picture, or has failed to: others no longer wait for it. */
  end(): void {
    this.#endedAt ??= performance.now();
    clearTimeout(this.#timer);
  }

  #runOut(): void {
    this.#isOverdue = true;
    this.#patience.onOverdue();
  }
}

/**
 * Makes the attempt that began last give way, where every one keeps others waiting for too long.
 * @param attempts what each browser draws; undefined for a browser that is free soon
 * @param keepsWaiting whether another caller waits that an attempt may give way to
 */
export function makeWay(attempts: readonly (Attempt | undefined)[], keepsWaiting: (attempt: Attempt) => boolean): void {
  for (const attempt of attempts) attempt?.note(keepsWaiting(attempt));
  if (!attempts.every((attempt) => attempt?.isOverdue)) return;
  const [last] = attempts.flatMap((attempt) => attempt ?? []).toSorted((a, b) => b.startedAt - a.startedAt);
  last?.giveWay();
}
