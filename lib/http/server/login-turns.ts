import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { Turns } from "#lib/addresses/turns.ts";
import { AppError } from "#lib/errors.ts";
import { LOGIN_SPACING_MS } from "#lib/http/http-limits.ts";

const PIPELINED = new AppError("overloaded", "Got a login before the last one of this connection was answered.", {
  headers: { "Retry-After": "1" },
});

/**
 * Lets logins begin one after the other, {@link LOGIN_SPACING_MS} apart, so that a flood of them leaves the event loop to
 * everyone else. Addresses take turns. Without a flood no login waits.
 */
export class LoginTurns {
  readonly #turns = new Turns<{ begin: () => void }>();
  readonly #sockets = new WeakSet<Socket>();
  #pause: NodeJS.Timeout | undefined;

  /**
   * Waits for a turn.
   * @returns false when the client has disconnected meanwhile
   * @throws AppError `overloaded` when another login of the same connection waits: their number would have no bound
   */
  async take(address: string, response: ServerResponse): Promise<boolean> {
    // A pipelined response has no connection before its turn. Its request has.
    const { socket } = response.req;
    if (socket.destroyed) return false;
    if (this.#sockets.has(socket)) throw PIPELINED;
    this.#sockets.add(socket);
    const isThere = await this.takeAgain(address, response);
    this.#sockets.delete(socket);
    return isThere;
  }

  /** Waits for another turn, for a login whose body has arrived after it began. @returns false when the client has disconnected meanwhile */
  takeAgain(address: string, response: ServerResponse): Promise<boolean> {
    return new Promise((resolve) => {
      const waiting = { begin: () => resolve(!response.destroyed && !response.req.socket.destroyed) };
      this.#turns.add(address, waiting);
      response.once("close", () => {
        this.#turns.remove(address, waiting);
        resolve(false);
      });
      if (this.#pause === undefined) this.#next();
    });
  }

  #next(): void {
    this.#pause = undefined;
    const waiting = this.#turns.next();
    if (!waiting) return;
    this.#pause = setTimeout(() => this.#next(), LOGIN_SPACING_MS);
    waiting.begin();
  }
}
