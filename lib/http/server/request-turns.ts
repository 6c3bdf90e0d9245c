import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { Turns } from "#lib/addresses/turns.ts";
import { AppError } from "#lib/errors.ts";
import {
  ARRIVAL_ROUNDS,
  BODY_LIMIT_BYTES,
  CONCURRENT_REQUESTS,
  LATER_ARRIVAL_ROUNDS,
  PAGE_IN_FLIGHT_MS,
  ROUTE_IN_FLIGHT_MS,
  WAITING_REQUESTS,
} from "#lib/http/http-limits.ts";
import { whenKnownWhetherGone } from "./connections/half-closed.ts";
import { isForPage } from "./head.ts";

function tooMany(): AppError {
  const message = "Too many requests wait, most of them from this address. Please try again shortly.";
  return new AppError("overloaded", message, { headers: { "Retry-After": "2", Connection: "close" } });
}

/** `line` is the one of its address in which it waits. */
type Waiting = { line: string; begin: () => void; refuse: () => void };

/**
 * Whether the body of a request may fill its connection while nobody reads it. Then it is not noticed that the client is gone, because
 * the end of the connection comes behind the body. A body below {@link BODY_LIMIT_BYTES} is taken in before anybody reads it.
 */
function mayHideEnd({ complete, headers }: IncomingMessage): boolean {
  const length = headers["content-length"];
  if (complete || (length === undefined && headers["transfer-encoding"] === undefined)) return false;
  return !(Number(length) < BODY_LIMIT_BYTES);
}

/**
 * Lets requests begin one after the other, one in each round of the event loop. Node hands over every request that has arrived at
 * once: hundreds of small ones would hold back new connections, probes among them, until all are handled. Only a few are in flight at
 * a time, because each makes every round longer. Addresses take turns. Requests with large bodies ({@link mayHideEnd}) wait in a second
 * line of their address: hundreds of them, whose clients were gone, kept the others waiting for seconds. A pipelined request begins when the one
 * before it on the connection is answered, so that a client that does not read has one response in memory. Without a flood no request
 * waits.
 */
export class RequestTurns {
  readonly #turns = new Turns<Waiting>();
  readonly #waitingLimit: number;
  readonly #concurrency: number;
  /** Resolves when the last request of a connection is answered. */
  readonly #last = new WeakMap<Socket, Promise<void>>();
  #pause: NodeJS.Immediate | undefined;
  readonly #inFlight = new Set<ServerResponse>();
  #hasArrival = false;
  #deferred = 0;

  /**
   * @param waiting how many may wait; beyond it the newest of the address with the most is refused
   * @param concurrency how many may be in flight at a time
   */
  constructor({ waiting = WAITING_REQUESTS, concurrency = CONCURRENT_REQUESTS } = {}) {
    this.#waitingLimit = waiting;
    this.#concurrency = concurrency;
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

  /**
   * For a request whose body has arrived after it began. If it has lost its place, it waits for another turn, because hundreds of bodies that
   * arrive at once would hold back everything else. Returns and throws as {@link take}.
   */
  async takeAgain(address: string, response: ServerResponse): Promise<boolean> {
    return this.#inFlight.has(response) || (await this.#turn(address, response));
  }

  /**
   * To be called for each new connection. Node accepts one in each round, so that a request in every round would keep the connections
   * behind it waiting, probes among them: as long as more arrive, no request begins, for {@link ARRIVAL_ROUNDS} at most. While they go
   * on, one request begins after each {@link LATER_ARRIVAL_ROUNDS}, so that neither a flood of connections nor one of requests stops
   * the other.
   */
  noteConnection(): void {
    this.#hasArrival = true;
  }

  #isArriving(): boolean {
    const isArriving = this.#hasArrival && this.#deferred < ARRIVAL_ROUNDS;
    if (isArriving) this.#deferred++;
    else this.#deferred = this.#hasArrival ? ARRIVAL_ROUNDS - LATER_ARRIVAL_ROUNDS : 0;
    this.#hasArrival = false;
    return isArriving;
  }

  #turn(address: string, response: ServerResponse): Promise<boolean> {
    return new Promise((resolve, reject) => {
      const begin = () => {
        const known = whenKnownWhetherGone(response.req.socket);
        // Most clients that close their side are gone. Pages that were made for them kept others waiting for seconds.
        if (known) return void known.then(() => response.destroyed || this.#add(address, waiting));
        this.#countInFlight(response);
        resolve(!response.destroyed);
      };
      const line = mayHideEnd(response.req) ? "large bodies" : "";
      const waiting = { line, begin, refuse: () => reject(tooMany()) };
      response.once("close", () => {
        this.#turns.remove(address, waiting, waiting);
        resolve(false);
      });
      this.#add(address, waiting);
    });
  }

  #add(address: string, waiting: Waiting): void {
    this.#turns.add(address, waiting, waiting);
    if (this.#turns.size > this.#waitingLimit) this.#turns.takeSurplus()?.refuse();
    if (this.#pause === undefined) this.#next();
  }

  /** Counts a request as in flight until its response is complete, however slowly its client reads. */
  #countInFlight(response: ServerResponse): void {
    this.#inFlight.add(response);
    const stop = () => {
      clearTimeout(timer);
      if (!this.#inFlight.delete(response)) return;
      this.#pause ??= setImmediate(() => this.#next());
    };
    const timer = setTimeout(stop, isForPage(response.req.url ?? "") ? PAGE_IN_FLIGHT_MS : ROUTE_IN_FLIGHT_MS);
    response.once("close", stop);
    const end = response.end;
    response.end = function endAndStop(...args: unknown[]) {
      stop();
      return Reflect.apply(end, response, args);
    } as typeof end;
  }

  #next(): void {
    this.#pause = undefined;
    if (this.#inFlight.size >= this.#concurrency) return;
    if (this.#isArriving()) {
      this.#pause = setImmediate(() => this.#next());
      return;
    }
    const waiting = this.#turns.next();
    if (!waiting) return;
    this.#pause = setImmediate(() => this.#next());
    waiting.begin();
  }
}
