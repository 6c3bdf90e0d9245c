import { EventEmitter } from "node:events";
import { abortable } from "#lib/abortable.ts";
import type { RenderConfig } from "#lib/config.ts";
import { AppError } from "#lib/errors.ts";
import { fetchedBytes } from "#lib/images/remote/fetched-bytes.ts";
import type { Progress } from "#lib/render/chromium/install.ts";
import { BrowserHung, BrowserLost, BrowserSpent, stopping } from "#lib/render/render-faults.ts";
import { ATTEMPTS_PER_RENDER, HANGS_PER_RENDER, LONGEST_RATIO, PREPARED_AHEAD } from "#lib/render/render-limits.ts";
import { encodePicture } from "./encode-picture.ts";
import { FairQueue, type Prepared, takesPlace } from "./fair-queue.ts";
import type { RenderWorker, StartWorker } from "./launch-backoff.ts";
import { LongCallers } from "./long-callers.ts";
import { poolState, type RenderPoolState, type WorkerSlot } from "./pool-state.ts";
import { type Picture, type PoolRequest, type PrepareJob, RenderTask } from "./render-task.ts";
import { Rests } from "./rests.ts";
import { RetryEstimate } from "./retry-estimate.ts";
import { type ReplaceReason, WorkerSupervisor } from "./worker-supervisor.ts";

type Assignment = { slot: WorkerSlot; worker: RenderWorker };

export type RenderPoolEvents = {
  /** A browser no longer serves. */
  browserReplaced: [reason: ReplaceReason];
  /** An attempt to start a browser failed. */
  launchFailed: [];
  /** A browser did not finish a picture before its deadline. */
  renderOverdue: [];
};

/** A bounded queue of renders, and a fixed number of browsers that work on them. */
export class RenderPool extends EventEmitter<RenderPoolEvents> {
  /** The slot that has been idle the longest comes first. */
  readonly #slots: WorkerSlot[];
  readonly #queue: FairQueue;
  readonly #open = new Set<RenderTask>();
  readonly #retryEstimate: RetryEstimate;
  readonly #longCallers = new LongCallers();
  readonly #rests = new Rests(() => this.#dispatch());
  #isStopping = false;

  constructor({ size, startWorker }: { size: number; startWorker: StartWorker }) {
    super();
    this.#retryEstimate = new RetryEstimate(size);
    const onReady = () => this.#dispatch();
    const onPrepared = () => {
      // An attempt that failed meanwhile did not end it.
      if (this.#queue.prepared.length > 0) this.#hurry();
      onReady();
    };
    this.#queue = new FairQueue({ ahead: size + PREPARED_AHEAD, onReady: onPrepared });
    this.#slots = Array.from({ length: size }, () => ({
      supervisor: new WorkerSupervisor({
        startWorker,
        onReady,
        onLaunchFailed: (error) => this.#onLaunchFailed(error),
        onReplaced: (reason) => this.emit("browserReplaced", reason),
      }),
      caller: undefined,
      leavesBrowser: false,
      encoding: Promise.resolve(),
    }));
  }

  /** Starts every browser now rather than with the first renders. Failures are logged and attempts repeated. */
  start(config: RenderConfig, onProgress?: Progress): void {
    for (const { supervisor } of this.#slots) supervisor.want(config, onProgress);
  }

  get state(): RenderPoolState {
    return poolState(this.#slots, this.#queue);
  }

  /**
   * Renders the document that `prepare` makes. The render takes its place in the queue first, so a refused render is
   * never prepared. The deadline counts from this call.
   * @throws AppError `overloaded`, `unavailable`, `misconfigured`, `render_timeout` or `render_failed`, the signal's reason,
   * or whatever `prepare` throws
   */
  async render(prepare: PrepareJob, { signal, ...asked }: PoolRequest): Promise<Picture> {
    const { caller, config } = asked;
    if (this.#isStopping) throw stopping();
    if (takesPlace(caller)) this.#longCallers.see(caller);
    signal?.throwIfAborted();
    this.#requirePlace(asked);
    const task = new RenderTask({ ...asked, prepare });
    this.#open.add(task);
    try {
      const answer = task.answer(signal);
      this.#startBrowsers(config);
      this.#queue.enter(task);
      return await answer;
    } catch (error) {
      const isOverdue = error instanceof AppError && error.code === "render_timeout" && task.attempts > 0;
      if (isOverdue) this.emit("renderOverdue");
      throw error;
    } finally {
      this.#open.delete(task);
      this.#queue.leave(task);
      fetchedBytes().release(task.images);
    }
  }

  /** Refuses new renders, lets the accepted ones finish until `signal` aborts, and ends every browser. */
  async stop(signal: AbortSignal): Promise<void> {
    this.#isStopping = true;
    this.#rests.stop();
    const finished = Promise.allSettled([...this.#open].map((task) => task.settled));
    await abortable(finished, signal).catch(() => undefined);
    for (const task of this.#open) task.reject(stopping());
    await Promise.all(this.#slots.map(({ supervisor }) => supervisor.close()));
  }

  #requirePlace({ caller, sender = "", config: { queueLimit } }: PoolRequest): void {
    if (!takesPlace(caller)) return;
    const rendering = this.#slots.filter((slot) => takesPlace(slot.caller)).length;
    if (this.#queue.placesTaken + rendering < this.#slots.length + queueLimit) return;
    const displaced = this.#queue.displaceFor(caller, sender);
    if (!displaced) throw this.#retryEstimate.refuse(this.#queue.size);
    displaced.reject(this.#retryEstimate.displace(this.#queue.size));
  }

  /** Starts as many browsers as there are renders: one render alone is not worth starting all of them. */
  #startBrowsers(config: RenderConfig): void {
    const supervisors = this.#slots.map(({ supervisor }) => supervisor);
    let missing = this.#open.size - supervisors.filter(({ isWanted }) => isWanted).length;
    for (const supervisor of supervisors) if (supervisor.isWanted || missing-- > 0) supervisor.want(config);
    this.#hurry();
  }

  /** Where no browser serves, shortens the pause before the next attempt to start one: a render waits. */
  #hurry(): void {
    const isServed = this.#slots.some(({ supervisor }) => supervisor.serving);
    if (!isServed) for (const { supervisor } of this.#slots) supervisor.hurry();
  }

  #dispatch(): void {
    // A render may have become ready after the rest began.
    if (this.#rests.isUnderWay) this.#rests.endWithin(this.#spareMs());
    for (const slot of [...this.#slots]) {
      if (!slot.supervisor.isIdle) continue;
      const { startedAt = 0 } = slot.supervisor.serving ?? {};
      const prepared = this.#queue.take((task) => task.mayUse({ startedAt }) && this.#mayBegin(task));
      if (prepared) void this.#serve({ slot, worker: slot.supervisor.take() }, prepared);
    }
  }

  #mayBegin(task: RenderTask): boolean {
    // A render whose browser was lost has had its turn.
    if (this.#slots.length === 1) return task.attempts > 0 || this.#rests.mayBegin(task.caller);
    return this.#longCallers.mayBegin(task, this.#slots);
  }

  async #serve({ slot, worker }: Assignment, prepared: Prepared): Promise<void> {
    const { task } = prepared;
    slot.caller = task.caller;
    slot.leavesBrowser = task.leavesBrowser;
    let isFinished = true;
    const isPutBack = await this.#render({ slot, worker }, prepared).then(
      () => false,
      (error) => {
        isFinished = false;
        return this.#fail(prepared, error);
      },
    );
    slot.caller = undefined;
    this.#slots.push(...this.#slots.splice(this.#slots.indexOf(slot), 1));
    const cleaningSince = performance.now();
    await slot.supervisor.release(worker, () => {
      slot.leavesBrowser = false;
      if (isPutBack) return;
      // A browser still draws an abandoned picture, often for longer than before its client disconnected. That time counts too. After a
      // finished one it takes long only if the machine is busy.
      if (!isFinished) task.browserMs += performance.now() - cleaningSince;
      this.#queue.end(prepared);
      if (!takesPlace(task.caller)) return;
      this.#longCallers.note(task.caller, task.browserMs);
      this.#rests.note(task.caller, task.browserMs);
    });
  }

  async #render({ slot, worker }: Assignment, prepared: Prepared): Promise<void> {
    const { task, job } = prepared;
    const { signal } = task;
    task.stamp("queue");
    task.attempts++;
    const startedAt = performance.now();
    const screenshot = await worker.render(job, { signal, stamp: (stage) => task.stamp(stage) }).finally(() => {
      const ms = performance.now() - startedAt;
      task.browserMs += ms;
      if (this.#slots.length === 1 && takesPlace(task.caller)) this.#rest(task, startedAt);
    });
    this.#retryEstimate.note(performance.now() - startedAt);
    // One picture is compressed while the next is rendered, never more: large ones would fill the memory.
    await abortable(slot.encoding, signal);
    slot.encoding = encodePicture(prepared, screenshot).catch((error) => task.reject(error));
  }

  /** Lets the only browser rest after a long render. Probes and pictures of pages neither cause a rest nor wait for its end. */
  #rest({ caller }: RenderTask, startedAt: number): void {
    const ms = performance.now() - startedAt;
    const others = this.#queue.prepared.filter(({ task }) => takesPlace(task.caller) && task.caller !== caller);
    const readyAt = others.flatMap((other) => (this.#rests.isQuicker(other.task.caller, ms) ? other.readyAt : []));
    const waitedMs = readyAt.length === 0 ? 0 : performance.now() - Math.max(startedAt, Math.min(...readyAt));
    this.#rests.begin({ ms, waitedMs });
  }

  /** How long the renders that wait for the end of a rest can wait before one of them is late. Those that will be late anyway do not count. */
  #spareMs(): number {
    const held = this.#queue.prepared.filter(({ task }) => !this.#mayBegin(task));
    const spareMs = held.flatMap(({ task }) => {
      const longestMs = this.#rests.longestMs(task.caller);
      return task.remainingMs < longestMs ? [] : task.remainingMs - LONGEST_RATIO * longestMs;
    });
    return Math.min(...spareMs);
  }

  /**
   * A render whose browser died is tried once more, and more often where browsers hung or were spent, before all others of its caller.
   * @returns whether it was put back into the queue
   */
  #fail(prepared: Prepared, error: unknown): boolean {
    const { task } = prepared;
    const isLost = error instanceof BrowserLost;
    const isSpent = error instanceof BrowserSpent;
    if (error instanceof BrowserHung || isSpent) task.hangs++;
    const attempts = ATTEMPTS_PER_RENDER + Math.min(task.hangs, HANGS_PER_RENDER);
    if (isLost && task.attempts < attempts && !task.isOver) {
      this.#queue.putBack(prepared);
      task.noteLoss();
      // Another browser may be idle. The one that was lost has yet to be replaced.
      this.#dispatch();
      return true;
    }
    const reason = isSpent ? error.cause : error;
    const what = isLost ? "ended twice while it rendered" : "failed to render";
    const message = `The browser ${what} this picture.`;
    task.reject(reason instanceof AppError ? reason : new AppError("render_failed", message, { cause: error }));
    return false;
  }

  /** When no browser serves or is being started, waiting renders fail at once, with the reason. */
  #onLaunchFailed(error: unknown): void {
    this.emit("launchFailed");
    // The browsers that serve were not lost with the one that does not start again.
    for (const task of this.#open) task.forgetLoss();
    this.#dispatch();
    if (this.#slots.some(({ supervisor }) => supervisor.isHopeful)) return;
    for (const task of this.#queue.clear()) task.reject(error);
  }
}
