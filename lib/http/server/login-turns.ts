import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { AppError } from "#lib/errors.ts";
import { LOGIN_SPACING_MS } from "#lib/http/http-limits.ts";

const PIPELINED = new AppError("overloaded", "Got a login before the last one of this connection was answered.", {
  headers: { "Retry-After": "1" },
});

/**
 * Lets logins begin one after the other, {@link LOGIN_SPACING_MS} apart, so that a flood of them leaves the event loop to
 * everyone else. Addresses take turns: a login waits for one other of each flooding address, and not for the whole flood.
 * Without a flood no login waits.
 */
export class LoginTurns {
  /** By address, the one whose turn is next first. No set is empty. */
  readonly #waiting = new Map<string, Set<() => void>>();
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
    const isThere = await new Promise<boolean>((resolve) => {
      const begin = () => resolve(!response.destroyed && !socket.destroyed);
      const own = this.#waiting.get(address) ?? new Set();
      this.#waiting.set(address, own.add(begin));
      response.once("close", () => {
        this.#remove(address, begin);
        resolve(false);
      });
      if (this.#pause === undefined) this.#next();
    });
    this.#sockets.delete(socket);
    return isThere;
  }

  #remove(address: string, begin: () => void): void {
    const own = this.#waiting.get(address);
    own?.delete(begin);
    if (own?.size === 0) this.#waiting.delete(address);
  }

  #next(): void {
    this.#pause = undefined;
    const [turn] = this.#waiting;
    if (!turn) return;
    const [address, own] = turn;
    const [begin] = own;
    this.#waiting.delete(address);
    if (begin) own.delete(begin);
    if (own.size > 0) this.#waiting.set(address, own);
    this.#pause = setTimeout(() => this.#next(), LOGIN_SPACING_MS);
    begin?.();
  }
}
