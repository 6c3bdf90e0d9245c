import { abortable } from "#lib/abortable.ts";
import type { RenderConfig } from "#lib/config.ts";
import { AppError } from "#lib/errors.ts";
import type { Progress } from "./chromium.ts";
import { BrowserLost, stopping } from "./faults.ts";
import { Lane } from "./lane.ts";
import { ATTEMPTS_PER_RENDER, PREPARED_AHEAD } from "./limits.ts";
import { Overload } from "./overload.ts";
import type { Screenshot } from "./page.ts";
import { encodePng } from "./png.ts";
import { type Picture, type PrepareJob, Ticket } from "./ticket.ts";
import { PAGES, type Prepared, WaitingRoom } from "./waiting-room.ts";
import type { Worker } from "./worker.ts";

type Station = {
  lane: Lane;
  /** Whose render its browser works on, while it does. */
  caller: string | undefined;
  /** The last picture that is still being compressed, off the browser's path. */
  encoding: Promise<void>;
};

type Turn = { station: Station; worker: Worker };

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

/** A bounded waiting room before a fixed number of lanes. */
export class Pool {
  /** The one that has been idle the longest is the first. */
  readonly #stations: Station[];
  readonly #room: WaitingRoom;
  readonly #open = new Set<Ticket>();
  readonly #overload: Overload;
  #isStopping = false;

  constructor(size: number) {
    this.#overload = new Overload(size);
    const onReady = () => this.#dispatch();
    this.#room = new WaitingRoom({ ahead: size + PREPARED_AHEAD, onReady });
    this.#stations = Array.from({ length: size }, () => ({
      lane: new Lane({ onReady, onFailure: (error) => this.#failWaiting(error) }),
      caller: undefined,
      encoding: Promise.resolve(),
    }));
  }

  /** Starts every browser now rather than with the first renders. Failures are logged where they happen. */
  start(config: RenderConfig, onProgress?: Progress): void {
    for (const { lane } of this.#stations) lane.want(config, onProgress);
  }

  /** Process numbers of the browsers that serve. */
  get pids(): number[] {
    return this.#stations.flatMap(({ lane }) => lane.worker?.pid ?? []);
  }

  /** What the pool is at. */
  get state(): PoolState {
    const lanes = this.#stations.map(({ lane }) => lane);
    return {
      waiting: this.#room.size,
      placesTaken: this.#room.placesTaken,
      drawing: this.#stations.filter(({ caller }) => caller !== undefined).length,
      workers: lanes.flatMap(({ worker }) => worker ?? []),
      failing: lanes.filter(({ isFailing }) => isFailing).length,
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
    const ticket = new Ticket({ config, caller, prepare });
    this.#open.add(ticket);
    try {
      const answer = ticket.answer(signal);
      this.#summon(config);
      this.#room.enter(ticket);
      return await answer;
    } finally {
      this.#open.delete(ticket);
      this.#room.leave(ticket);
    }
  }

  /** Refuses new renders, lets the accepted ones finish until `signal` aborts, and ends every browser. */
  async stop(signal: AbortSignal): Promise<void> {
    this.#isStopping = true;
    const finished = Promise.allSettled([...this.#open].map((ticket) => ticket.settled));
    await abortable(finished, signal).catch(() => undefined);
    for (const ticket of this.#open) ticket.reject(stopping());
    await Promise.all(this.#stations.map(({ lane }) => lane.close()));
  }

  #requirePlace(caller: string, { queueLimit }: RenderConfig): void {
    if (caller === PAGES) return;
    const drawing = this.#stations.filter((station) => station.caller !== undefined && station.caller !== PAGES).length;
    if (this.#room.placesTaken + drawing < this.#stations.length + queueLimit) return;
    const displaced = this.#room.displaceFor(caller);
    if (!displaced) throw this.#overload.refuse(this.#room.size);
    displaced.reject(this.#overload.displace(this.#room.size));
  }

  /** As many browsers as there are renders: one picture alone is not worth starting all of them. */
  #summon(config: RenderConfig): void {
    const lanes = this.#stations.map(({ lane }) => lane);
    let missing = this.#open.size - lanes.filter(({ isWanted }) => isWanted).length;
    for (const lane of lanes) if (lane.isWanted || missing-- > 0) lane.want(config);
    if (lanes.every(({ worker }) => !worker)) for (const lane of lanes) lane.hurry();
  }

  #dispatch(): void {
    for (const station of [...this.#stations]) {
      if (!station.lane.isIdle || !this.#room.hasReady) continue;
      const worker = station.lane.take();
      const prepared = this.#room.take();
      void this.#serve({ station, worker }, prepared);
    }
  }

  async #serve({ station, worker }: Turn, prepared: Prepared): Promise<void> {
    station.caller = prepared.ticket.caller;
    await this.#draw({ station, worker }, prepared).catch((error) => this.#fail(prepared, error));
    station.caller = undefined;
    this.#stations.push(...this.#stations.splice(this.#stations.indexOf(station), 1));
    await station.lane.release(worker);
  }

  async #draw({ station, worker }: Turn, { ticket, job }: Prepared): Promise<void> {
    const { signal } = ticket;
    ticket.stamp("queue");
    ticket.attempts++;
    const startedAt = performance.now();
    const screenshot = await worker.render(job, { signal, stamp: (stage) => ticket.stamp(stage) });
    this.#overload.note(performance.now() - startedAt);
    // One picture is compressed while the next is drawn, never more: large ones would fill the memory.
    await abortable(station.encoding, signal);
    station.encoding = this.#encode({ ticket, job }, screenshot).catch((error) => ticket.reject(error));
  }

  async #encode({ ticket, job }: Prepared, { png: screenshot, ...rest }: Screenshot): Promise<void> {
    const { png: chosen, browserWs } = ticket.config;
    // What comes from elsewhere is read before it is passed on, and then it is written anew.
    const effort = browserWs && chosen === "fast" ? "balanced" : chosen;
    const png = await encodePng(screenshot, { ...job, effort });
    ticket.stamp("encode");
    ticket.resolve({ png, ...rest, timings: ticket.timings });
  }

  /** A render whose browser died under it is tried once more, before all others of its caller. */
  #fail({ ticket, job }: Prepared, error: unknown): void {
    if (ticket.isOver) return;
    const isLost = error instanceof BrowserLost;
    if (isLost && ticket.attempts < ATTEMPTS_PER_RENDER) {
      this.#room.putBack({ ticket, job });
      return;
    }
    const message = isLost
      ? "The browser ended while it drew this picture, twice."
      : "The browser failed to draw this picture.";
    ticket.reject(error instanceof AppError ? error : new AppError("render_failed", message, { cause: error }));
  }

  /** Where no lane has a browser or is about to, those who wait hear why rather than wait for their deadline. */
  #failWaiting(error: unknown): void {
    if (this.#stations.some(({ lane }) => lane.isHopeful)) return;
    for (const ticket of this.#room.clear()) ticket.reject(error);
  }
}
