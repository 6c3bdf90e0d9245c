import { abortable } from "#lib/abortable.ts";
import type { RenderConfig } from "#lib/config.ts";
import { AppError } from "#lib/errors.ts";
import type { Progress } from "#lib/render/chromium/install.ts";
import type { Screenshot } from "#lib/render/chromium/page.ts";
import type { Worker } from "#lib/render/chromium/worker.ts";
import { encodePng } from "#lib/render/encode-png.ts";
import { BrowserLost, stopping } from "#lib/render/render-faults.ts";
import { ATTEMPTS_PER_RENDER, PREPARED_AHEAD } from "#lib/render/render-limits.ts";
import { FairQueue, PAGES, type Prepared } from "./fair-queue.ts";
import { type Picture, type PrepareJob, RenderTask } from "./render-task.ts";
import { RetryEstimate } from "./retry-estimate.ts";
import { WorkerSupervisor } from "./worker-supervisor.ts";

type WorkerSlot = {
  supervisor: WorkerSupervisor;
  /** Whose render its browser works on, while it does. */
  caller: string | undefined;
  /** The last picture that is still being compressed, off the browser's path. */
  encoding: Promise<void>;
};

type Turn = { slot: WorkerSlot; worker: Worker };

export type Asked = {
  config: RenderConfig;
  signal?: AbortSignal | undefined;
  /** Whoever asks: callers take turns. */
  caller: string;
};

export type PoolState = {
  /** How many renders wait. */
  waiting: number;
  /** How many of them may not be more than the queue is long: those of the service's own pages have no place in it. */
  placesTaken: number;
  drawing: number;
  /** The browsers that serve. */
  workers: Worker[];
  /** How many browsers are wanted and do not start. */
  failing: number;
};

/** A bounded waiting room before a fixed number of supervisors. */
export class Pool {
  /** The one that has been idle the longest is the first. */
  readonly #slots: WorkerSlot[];
  readonly #queue: FairQueue;
  readonly #open = new Set<RenderTask>();
  readonly #retryEstimate: RetryEstimate;
  #isStopping = false;

  constructor(size: number) {
    this.#retryEstimate = new RetryEstimate(size);
    const onReady = () => this.#dispatch();
    this.#queue = new FairQueue({ ahead: size + PREPARED_AHEAD, onReady });
    this.#slots = Array.from({ length: size }, () => ({
      supervisor: new WorkerSupervisor({ onReady, onFailure: (error) => this.#failWaiting(error) }),
      caller: undefined,
      encoding: Promise.resolve(),
    }));
  }

  /** Starts every browser now rather than with the first renders. Failures are logged where they happen. */
  start(config: RenderConfig, onProgress?: Progress): void {
    for (const { supervisor } of this.#slots) supervisor.want(config, onProgress);
  }

  /** Process numbers of the browsers that serve. */
  get pids(): number[] {
    return this.#slots.flatMap(({ supervisor }) => supervisor.worker?.pid ?? []);
  }

  /** What the pool is at. */
  get state(): PoolState {
    const supervisors = this.#slots.map(({ supervisor }) => supervisor);
    return {
      waiting: this.#queue.size,
      placesTaken: this.#queue.placesTaken,
      drawing: this.#slots.filter(({ caller }) => caller !== undefined).length,
      workers: supervisors.flatMap(({ worker }) => worker ?? []),
      failing: supervisors.filter(({ isFailing }) => isFailing).length,
    };
  }

  /**
   * Draws what `prepare` makes. A place is taken before it is asked, so that nothing is made that cannot be drawn, and
   * the deadline counts from here.
   * @throws AppError `overloaded`, `unavailable`, `misconfigured`, `render_timeout` or `render_failed`, the signal's reason,
   * or whatever `prepare` throws
   */
  async render(prepare: PrepareJob, { config, signal, caller }: Asked): Promise<Picture> {
    if (this.#isStopping) throw stopping();
    signal?.throwIfAborted();
    this.#requirePlace(caller, config);
    const task = new RenderTask({ config, caller, prepare });
    this.#open.add(task);
    try {
      const answer = task.answer(signal);
      this.#summon(config);
      this.#queue.enter(task);
      return await answer;
    } finally {
      this.#open.delete(task);
      this.#queue.leave(task);
    }
  }

  /** Refuses new renders, lets the accepted ones finish until `signal` aborts, and ends every browser. */
  async stop(signal: AbortSignal): Promise<void> {
    this.#isStopping = true;
    const finished = Promise.allSettled([...this.#open].map((task) => task.settled));
    await abortable(finished, signal).catch(() => undefined);
    for (const task of this.#open) task.reject(stopping());
    await Promise.all(this.#slots.map(({ supervisor }) => supervisor.close()));
  }

  #requirePlace(caller: string, { queueLimit }: RenderConfig): void {
    if (caller === PAGES) return;
    const drawing = this.#slots.filter((slot) => slot.caller !== undefined && slot.caller !== PAGES).length;
    if (this.#queue.placesTaken + drawing < this.#slots.length + queueLimit) return;
    const displaced = this.#queue.displaceFor(caller);
    if (!displaced) throw this.#retryEstimate.refuse(this.#queue.size);
    displaced.reject(this.#retryEstimate.displace(this.#queue.size));
  }

  /** As many browsers as there are renders: one picture alone is not worth starting all of them. */
  #summon(config: RenderConfig): void {
    const supervisors = this.#slots.map(({ supervisor }) => supervisor);
    let missing = this.#open.size - supervisors.filter(({ isWanted }) => isWanted).length;
    for (const supervisor of supervisors) if (supervisor.isWanted || missing-- > 0) supervisor.want(config);
    if (supervisors.every(({ worker }) => !worker)) for (const supervisor of supervisors) supervisor.hurry();
  }

  #dispatch(): void {
    for (const slot of [...this.#slots]) {
      if (!slot.supervisor.isIdle || !this.#queue.hasReady) continue;
      const worker = slot.supervisor.take();
      const prepared = this.#queue.take();
      void this.#serve({ slot, worker }, prepared);
    }
  }

  async #serve({ slot, worker }: Turn, prepared: Prepared): Promise<void> {
    slot.caller = prepared.task.caller;
    await this.#draw({ slot, worker }, prepared).catch((error) => this.#fail(prepared, error));
    slot.caller = undefined;
    this.#slots.push(...this.#slots.splice(this.#slots.indexOf(slot), 1));
    await slot.supervisor.release(worker);
  }

  async #draw({ slot, worker }: Turn, { task, job }: Prepared): Promise<void> {
    const { signal } = task;
    task.stamp("queue");
    task.attempts++;
    const startedAt = performance.now();
    const screenshot = await worker.render(job, { signal, stamp: (stage) => task.stamp(stage) });
    this.#retryEstimate.note(performance.now() - startedAt);
    // One picture is compressed while the next is drawn, never more: large ones would fill the memory.
    await abortable(slot.encoding, signal);
    slot.encoding = this.#encode({ task, job }, screenshot).catch((error) => task.reject(error));
  }

  async #encode({ task, job }: Prepared, { png: screenshot, ...rest }: Screenshot): Promise<void> {
    const { png: chosen, browserWs } = task.config;
    // What comes from elsewhere is read before it is passed on, and then it is written anew.
    const effort = browserWs && chosen === "fast" ? "balanced" : chosen;
    const png = await encodePng(screenshot, { ...job, effort });
    task.stamp("encode");
    task.resolve({ png, ...rest, timings: task.timings });
  }

  /** A render whose browser died under it is tried once more, before all others of its caller. */
  #fail({ task, job }: Prepared, error: unknown): void {
    if (task.isOver) return;
    const isLost = error instanceof BrowserLost;
    if (isLost && task.attempts < ATTEMPTS_PER_RENDER) {
      this.#queue.putBack({ task, job });
      return;
    }
    const message = isLost
      ? "The browser ended while it drew this picture, twice."
      : "The browser failed to draw this picture.";
    task.reject(error instanceof AppError ? error : new AppError("render_failed", message, { cause: error }));
  }

  /** Where no supervisor has a browser or is about to, those who wait hear why rather than wait for their deadline. */
  #failWaiting(error: unknown): void {
    if (this.#slots.some(({ supervisor }) => supervisor.isHopeful)) return;
    for (const task of this.#queue.clear()) task.reject(error);
  }
}
