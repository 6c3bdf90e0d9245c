import { abortable } from "#lib/abortable.ts";
import type { RenderConfig } from "#lib/config.ts";
import { AppError } from "#lib/errors.ts";
import type { Progress } from "./chromium.ts";
import { BrowserLost, stopping } from "./faults.ts";
import { ATTEMPTS_PER_RENDER } from "./limits.ts";
import { Overload } from "./overload.ts";
import type { RenderJob, Screenshot } from "./page.ts";
import { encodePng } from "./png.ts";
import { Slot } from "./slot.ts";
import { type Picture, Ticket } from "./ticket.ts";

/** Makes what is to be drawn. It may stop early when `signal` aborts: nobody waits for it any more. */
export type PrepareJob = (signal: AbortSignal) => Promise<RenderJob>;

type Prepared = { ticket: Ticket; job: RenderJob };

type Lane = {
  slot: Slot;
  /** While its browser works on a render. */
  isDrawing: boolean;
  /** From taking a render until its page is blank again. */
  isBusy: boolean;
  /** The last picture that is still being compressed, off the browser's path. */
  encoding: Promise<void>;
};

/** A bounded queue before a fixed number of workers. */
export class Pool {
  readonly #lanes: Lane[];
  readonly #queue: Prepared[] = [];
  readonly #open = new Set<Ticket>();
  readonly #overload: Overload;
  /** Renders that have a place and are not ready to be drawn. */
  #preparing = 0;
  #isStopping = false;

  constructor(size: number) {
    this.#overload = new Overload(size);
    this.#lanes = Array.from({ length: size }, () => ({
      slot: new Slot(),
      isDrawing: false,
      isBusy: false,
      encoding: Promise.resolve(),
    }));
  }

  /**
   * Starts every worker now rather than with the first render. Resolves once one of them is ready; a failure of another
   * is logged where it happens.
   * @throws AppError `unavailable` or `misconfigured`
   */
  async start(config: RenderConfig, onProgress?: Progress): Promise<void> {
    const [first, ...others] = this.#lanes;
    await first?.slot.ready(config, { onProgress });
    for (const { slot } of others) void slot.ready(config).catch(() => undefined);
  }

  /** Process numbers of the browsers that run. */
  get pids(): number[] {
    return this.#lanes.flatMap(({ slot }) => slot.worker?.pid ?? []);
  }

  /**
   * Draws what `prepare` makes. A place is taken before it is asked, so that nothing is made that cannot be drawn, and
   * the deadline counts from here.
   * @throws AppError `overloaded`, `unavailable`, `misconfigured`, `render_timeout` or `render_failed`, the signal's reason,
   * or whatever `prepare` throws
   */
  async render(
    prepare: PrepareJob,
    { config, signal }: { config: RenderConfig; signal?: AbortSignal | undefined },
  ): Promise<Picture> {
    if (this.#isStopping) throw stopping();
    signal?.throwIfAborted();
    const drawing = this.#lanes.filter(({ isDrawing }) => isDrawing).length;
    if (this.#waiting + drawing >= this.#lanes.length + config.queueLimit) throw this.#overload.error(this.#waiting);
    const ticket = new Ticket(config);
    this.#open.add(ticket);
    try {
      const answer = ticket.answer(signal);
      void this.#prepare(ticket, prepare);
      return await answer;
    } finally {
      this.#open.delete(ticket);
      const position = this.#queue.findIndex((prepared) => prepared.ticket === ticket);
      if (position >= 0) this.#queue.splice(position, 1);
    }
  }

  /** Refuses new renders, lets the accepted ones finish until `signal` aborts, and ends every browser. */
  async stop(signal: AbortSignal): Promise<void> {
    this.#isStopping = true;
    const finished = Promise.allSettled([...this.#open].map((ticket) => ticket.settled));
    await abortable(finished, signal).catch(() => undefined);
    for (const ticket of this.#open) ticket.reject(stopping());
    await Promise.all(this.#lanes.map(({ slot }) => slot.close()));
  }

  get #waiting(): number {
    return this.#preparing + this.#queue.length;
  }

  /** The place of a render that is given up comes back when its work has really ended, not before. */
  async #prepare(ticket: Ticket, prepare: PrepareJob): Promise<void> {
    this.#preparing++;
    try {
      const job = await prepare(ticket.signal);
      ticket.stamp("compose");
      if (!ticket.isOver) this.#queue.push({ ticket, job });
    } catch (error) {
      ticket.reject(error);
    } finally {
      this.#preparing--;
    }
    this.#dispatch();
  }

  #dispatch(): void {
    for (const lane of this.#lanes) {
      if (lane.isBusy) continue;
      const prepared = this.#queue.shift();
      if (!prepared) return;
      void this.#serve(lane, prepared);
    }
  }

  async #serve(lane: Lane, prepared: Prepared): Promise<void> {
    lane.isBusy = true;
    lane.isDrawing = true;
    await this.#draw(lane, prepared).catch((error) => this.#fail(prepared, error));
    lane.isDrawing = false;
    if (!this.#isStopping || this.#waiting > 0) await lane.slot.renew(prepared.ticket.config);
    lane.isBusy = false;
    this.#dispatch();
  }

  async #draw(lane: Lane, { ticket, job }: Prepared): Promise<void> {
    const { signal, config } = ticket;
    const worker = await lane.slot.ready(config, { signal });
    ticket.stamp("queue");
    ticket.attempts++;
    const startedAt = performance.now();
    const screenshot = await worker.render(job, { signal, stamp: (stage) => ticket.stamp(stage) });
    this.#overload.note(performance.now() - startedAt);
    // One picture is compressed while the next is drawn, never more: large ones would fill the memory.
    await abortable(lane.encoding, signal);
    lane.encoding = this.#encode({ ticket, job }, screenshot).catch((error) => ticket.reject(error));
  }

  async #encode({ ticket, job }: Prepared, { png: screenshot, ...rest }: Screenshot): Promise<void> {
    const png = await encodePng(screenshot, { ...job, effort: ticket.config.png });
    ticket.stamp("encode");
    ticket.resolve({ png, ...rest, timings: ticket.timings });
  }

  /** A render whose browser died under it is tried once more, before all others. */
  #fail({ ticket, job }: Prepared, error: unknown): void {
    if (ticket.isOver) return;
    const isLost = error instanceof BrowserLost;
    if (isLost && ticket.attempts < ATTEMPTS_PER_RENDER) {
      this.#queue.unshift({ ticket, job });
      return;
    }
    const message = isLost
      ? "The browser ended while it drew this picture, twice."
      : "The browser failed to draw this picture.";
    ticket.reject(error instanceof AppError ? error : new AppError("render_failed", message, { cause: error }));
    if (!isLost && this.pids.length === 0) this.#failWaiting(error);
  }

  /** Without any browser those who wait would only meet the same failure one after the other. */
  #failWaiting(error: unknown): void {
    for (const { ticket } of this.#queue.splice(0)) ticket.reject(error);
  }
}
