import type { ServerResponse } from "node:http";
import { LoginTurns } from "./login-turns.ts";
import { currentRequestContext } from "./request-context.ts";
import { routeOf } from "./request-metrics.ts";
import { RequestTurns } from "./request-turns.ts";

/** The paths that do not wait beside all others. `health` and `readiness` tell whether the service lives, also in a flood. */
type OwnLines = { login: string; health: string; readiness: string };

/**
 * Where requests wait for their turns. Logins, probes, requests that bypass Next, and those for Next wait apart, so that none of
 * these makes the server refuse another: behind a balancer all may come from one address.
 */
export class RequestLines {
  readonly #logins = new LoginTurns();
  readonly #probes: RequestTurns;
  readonly #direct: RequestTurns;
  readonly #others: RequestTurns;
  readonly #paths: OwnLines;

  /** @param limits how many may wait in a line */
  constructor(paths: OwnLines, limits: { waiting?: number } = {}) {
    this.#paths = paths;
    // Probes are quick, and renders have a queue of their own, so any number may be in flight. One begins in each round of the event
    // loop all the same: thousands in one round would hold it for seconds.
    const unbounded = { ...limits, concurrency: Number.POSITIVE_INFINITY };
    [this.#probes, this.#direct] = [new RequestTurns(unbounded), new RequestTurns(unbounded)];
    this.#others = new RequestTurns(limits);
  }

  /** To be called for each new connection. */
  noteConnection(): void {
    for (const line of [this.#direct, this.#others]) line.noteConnection();
  }

  #of(url = "", isDirect: boolean): LoginTurns | RequestTurns {
    const { login, health, readiness } = this.#paths;
    // Next also serves a path that ends with a slash.
    if (routeOf(url) === login) return this.#logins;
    if (url === health || url === readiness) return this.#probes;
    return isDirect ? this.#direct : this.#others;
  }

  /**
   * Waits for the turn of a request. One whose body is still to come waits once more when it is there.
   * @param isDirect whether it bypasses Next
   * @returns false when the client has disconnected meanwhile
   * @throws AppError `overloaded` when too many wait
   */
  take(address: string, isDirect: boolean, response: ServerResponse): Promise<boolean> {
    const line = this.#of(response.req.url, isDirect);
    const context = currentRequestContext();
    if (context && !response.req.complete) context.turnAfterBody = () => line.takeAgain(address, response);
    return line.take(address, response);
  }
}
