import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { AppError } from "#lib/errors.ts";
import { BEGUN_MS, BEGUN_REQUESTS, WAITING_REQUESTS } from "#lib/http/http-limits.ts";
import { Turns } from "#lib/turns.ts";

function tooMany(): AppError {
  const message = "Too many requests wait, most of them from this address. Please try again shortly.";
  return new AppError("overloaded", message, { headers: { "Retry-After": "2", Connection: "close" } });
}

/**
 * Lets requests begin one after the other, one in each round of the event loop. Node hands over every request that has arrived at
 * once: hundreds of small ones would hold back new connections, probes among them, until all are handled. Only a few are under way at
 * a time, because each makes every round longer. Addresses take turns, and the requests of one connection (pipelining) begin
 * when the one before is answered, so that a client which does not read has one response in memory. Without a flood no request waits.
 */
export class RequestTurns {
  readonly #turns = new Turns<{ begin: () => void; refuse: () => void }>();
  readonly #limit: number;
  readonly #mostUnderWay: number;
  /** Resolves when the last request of a connection is answered. */
  readonly #last = new WeakMap<Socket, Promise<void>>();
  #pause: NodeJS.Immediate | undefined;
  #underWay = 0;

  /**
   * @param limit how many may wait; beyond it the newest of the address with the most is refused
   * @param options.underWay how many may be under way at a time; see {@link BEGUN_REQUESTS}
   */
  constructor(limit = WAITING_REQUESTS, { underWay = BEGUN_REQUESTS } = {}) {
    this.#limit = limit;
    this.#mostUnderWay = underWay;
  }

  /**
   * Waits for a turn.
   * @returns false when the client has disconnected meanwhile
   * @throws AppError `overloaded` when too many wait
   */
  async take(address: string, response: ServerResponse): Promise<boolean> {
    // A pipelined response has no connection before its turn. Its request has.
    const { socket } = response.req;
    const before = this.#last.get(socket);
    const answered = Promise.withResolvers<void>();
    this.#last.set(socket, answered.promise);
    response.once("close", answered.resolve);
    if (before) await before;
    const isThere = !socket.destroyed && (await this.#turn(address, response));
    if (!isThere) answered.resolve();
    return isThere;
  }

  #turn(address: string, response: ServerResponse): Promise<boolean> {
    return new Promise((resolve, reject) => {
      const begin = () => {
        this.#count(response);
        resolve(!response.destroyed);
      };
      const waiting = { begin, refuse: () => reject(tooMany()) };
      this.#turns.add(address, waiting);
      response.once("close", () => {
        this.#turns.remove(address, waiting);
        resolve(false);
      });
      if (this.#turns.size > this.#limit) this.#turns.takeSurplus()?.refuse();
      if (this.#pause === undefined) this.#next();
    });
  }

  /** Counts a request as under way until its response is complete, however slowly its client reads. */
  #count(response: ServerResponse): void {
    this.#underWay++;
    let isCounted = true;
    const stop = () => {
      if (!isCounted) return;
      isCounted = false;
      clearTimeout(timer);
      this.#underWay--;
      this.#pause ??= setImmediate(() => this.#next());
    };
    const timer = setTimeout(stop, BEGUN_MS);
    response.once("close", stop);
    const end = response.end;
    response.end = function endAndStop(...args: unknown[]) {
      stop();
      return Reflect.apply(end, response, args);
    } as typeof end;
  }

  #next(): void {
    this.#pause = undefined;
    if (this.#underWay >= this.#mostUnderWay) return;
    const waiting = this.#turns.next();
    if (!waiting) return;
    this.#pause = setImmediate(() => this.#next());
    waiting.begin();
  }
}
