import type { RenderConfig } from "#lib/config.ts";
import { AppError } from "#lib/errors.ts";
import { abortable } from "./abortable.ts";
import type { Progress } from "./chromium.ts";
import { BrowserLost } from "./faults.ts";
import { ATTEMPTS_PER_RENDER, RETRY_AFTER_MAX_SECONDS } from "./limits.ts";
import type { RenderJob, Screenshot } from "./page.ts";
import { encodePng } from "./png.ts";
import { Slot } from "./slot.ts";
import { type Picture, Ticket } from "./ticket.ts";

type Lane = {
  slot: Slot;
  /** The render that its browser works on. */
  ticket: Ticket | undefined;
  /** From taking a render until its page is blank again. */
  isBusy: boolean;
  /** The last picture that is still being compressed, off the browser's path. */
  encoding: Promise<void>;
};

/** Weight of the newest render in the average that `Retry-After` is computed from. */
const AVERAGE_WEIGHT = 0.1;
const FIRST_GUESS_MS = 100;

function stopping(): AppError {
  return new AppError("unavailable", "The service is stopping.", { headers: { "Retry-After": "1" } });
}

/** A bounded queue before a fixed number of workers. */
export class Pool {
  readonly #lanes: Lane[];
  readonly #queue: Ticket[] = [];
  readonly #open = new Set<Ticket>();
  #averageMs = FIRST_GUESS_MS;
  #isStopping = false;

  constructor(size: number) {
    this.#lanes = Array.from({ length: size }, () => ({
      slot: new Slot(),
      ticket: undefined,
      isBusy: false,
      encoding: Promise.resolve(),
    }));
  }

  /** Starts every worker now rather than with the first render. @throws AppError `unavailable` or `misconfigured` */
  async start(config: RenderConfig, onProgress?: Progress): Promise<void> {
    for (const { slot } of this.#lanes) await slot.ready(config, { onProgress });
  }

  /** Process numbers of the browsers that run. */
  get pids(): number[] {
    return this.#lanes.flatMap(({ slot }) => slot.worker?.pid ?? []);
  }

  /** @throws AppError `overloaded`, `unavailable`, `misconfigured`, `render_timeout` or `render_failed`, or the signal's reason */
  async render(
    job: RenderJob,
    { config, signal }: { config: RenderConfig; signal?: AbortSignal | undefined },
  ): Promise<Picture> {
    if (this.#isStopping) throw stopping();
    signal?.throwIfAborted();
    const active = this.#lanes.filter(({ ticket }) => ticket).length;
    if (this.#queue.length + active >= this.#lanes.length + config.queueLimit) throw this.#overloaded();
    const ticket = new Ticket(job, config);
    this.#open.add(ticket);
    this.#queue.push(ticket);
    this.#dispatch();
    try {
      return await ticket.answer(signal);
    } finally {
      this.#open.delete(ticket);
      const position = this.#queue.indexOf(ticket);
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

  #overloaded(): AppError {
    const waiting = this.#queue.length + 1;
    const seconds = Math.ceil((waiting * this.#averageMs) / this.#lanes.length / 1_000);
    const message = `Every browser is busy and ${this.#queue.length} renders wait for one already.`;
    return new AppError("overloaded", message, {
      headers: { "Retry-After": String(Math.min(seconds, RETRY_AFTER_MAX_SECONDS)) },
    });
  }

  #dispatch(): void {
    for (const lane of this.#lanes) {
      if (lane.isBusy) continue;
      const ticket = this.#queue.shift();
      if (!ticket) return;
      void this.#serve(lane, ticket);
    }
  }

  async #serve(lane: Lane, ticket: Ticket): Promise<void> {
    lane.isBusy = true;
    lane.ticket = ticket;
    await this.#draw(lane, ticket).catch((error) => this.#fail(ticket, error));
    lane.ticket = undefined;
    if (!this.#isStopping || this.#queue.length > 0) await lane.slot.renew(ticket.config);
    lane.isBusy = false;
    this.#dispatch();
  }

  async #draw(lane: Lane, ticket: Ticket): Promise<void> {
    const { signal, job, config } = ticket;
    const worker = await lane.slot.ready(config, { signal });
    ticket.stamp("queue");
    ticket.attempts++;
    const startedAt = performance.now();
    const screenshot = await worker.render(job, { signal, stamp: (stage) => ticket.stamp(stage) });
    this.#averageMs += AVERAGE_WEIGHT * (performance.now() - startedAt - this.#averageMs);
    // One picture is compressed while the next is drawn, never more: large ones would fill the memory.
    await abortable(lane.encoding, signal);
    lane.encoding = this.#encode(ticket, screenshot).catch((error) => ticket.reject(error));
  }

  async #encode(ticket: Ticket, { png: screenshot, ...rest }: Screenshot): Promise<void> {
    const png = await encodePng(screenshot, ticket.job);
    ticket.stamp("encode");
    ticket.resolve({ png, ...rest, timings: ticket.timings });
  }

  /** A render whose browser died under it is tried once more, before all others. */
  #fail(ticket: Ticket, error: unknown): void {
    if (ticket.isOver) return;
    const isLost = error instanceof BrowserLost;
    if (isLost && ticket.attempts < ATTEMPTS_PER_RENDER) {
      this.#queue.unshift(ticket);
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
    for (const ticket of this.#queue.splice(0)) ticket.reject(error);
  }
}
