import pLimit from "p-limit";
import { abortable } from "#lib/abortable.ts";
import { Connection } from "./connection.ts";
import { isAway } from "./database-faults.ts";

/** A bounded number of connections, each lent to one user at a time. */
export class Pool {
  readonly #limit: ReturnType<typeof pLimit>;
  #idle: Connection[] = [];
  #isClosed = false;
  #answeredAt = 0;

  constructor(size: number) {
    this.#limit = pLimit(size);
  }

  /**
   * Lends a connection, a used one where there is one, until `use` settles or the signal aborts. A connection that has not
   * answered by then is cut; those at rest go with it when none of the others has answered either.
   *
   * @throws what `use` throws, the signal's reason, or what keeps a connection from opening
   */
  lend<T>(use: (connection: Connection) => Promise<T>, signal: AbortSignal): Promise<T> {
    const turn = this.#limit(async () => {
      signal.throwIfAborted();
      const startedAt = performance.now();
      const connection = await this.#take(signal);
      try {
        const result = await abortable(use(connection), signal);
        this.#giveBack(connection);
        return result;
      } catch (error) {
        if (signal.aborted && this.#answeredAt < startedAt) this.#abandonResting();
        if (signal.aborted || isAway(error)) connection.abandon();
        else this.#giveBack(connection);
        throw error;
      }
    });
    return abortable(turn, signal);
  }

  async #take(signal: AbortSignal): Promise<Connection> {
    for (let connection = this.#idle.pop(); connection; connection = this.#idle.pop()) {
      if (await connection.isAlive(signal)) return connection;
      connection.abandon();
    }
    return await Connection.open(signal);
  }

  #giveBack(connection: Connection): void {
    this.#answeredAt = performance.now();
    connection.rest();
    if (this.#isClosed) void connection.close();
    else this.#idle.push(connection);
  }

  #abandonResting(): void {
    for (const connection of this.#idle) connection.abandon();
    this.#idle = [];
  }

  /** Ends the connections at rest, and each of the others when it comes back. Never throws. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const idle = this.#idle;
    this.#idle = [];
    await Promise.all(idle.map((connection) => connection.close()));
  }
}
