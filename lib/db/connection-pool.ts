import { abortable } from "#lib/abortable.ts";
import { Connection } from "./connection.ts";
import { isUnavailable } from "./database-faults.ts";
import { type Lane, Lanes } from "./lanes.ts";
import type { QueryDeadline } from "./query-deadline.ts";

/** A bounded number of connections, each used by one request at a time. */
export class ConnectionPool {
  readonly #lanes: Lanes;
  #idle: Connection[] = [];
  #isClosed = false;
  #answeredAt = 0;

  constructor(size: number) {
    this.#lanes = new Lanes(size);
  }

  /** How many queries and transactions use a connection, and how many wait for one. */
  get load(): { running: number; waiting: number } {
    return this.#lanes.load;
  }

  /** When a connection was last released after an answer, by `performance.now()`. 0 when none was yet. */
  get answeredAt(): number {
    return this.#answeredAt;
  }

  /**
   * Runs `use` with its own connection until `use` settles or the deadline passes. It takes an idle connection if
   * possible. When the deadline passes, the connection is cut. The idle ones are cut too, unless another connection has
   * answered meanwhile.
   *
   * @throws what `use` throws, the reason of the deadline's signal, or the connection error
   */
  withConnection<T>(lane: Lane, use: (connection: Connection) => Promise<T>, deadline: QueryDeadline): Promise<T> {
    const { signal } = deadline;
    const work = this.#lanes.run(lane, async () => {
      signal.throwIfAborted();
      deadline.endWait();
      const startedAt = performance.now();
      const connection = await this.#acquire(signal);
      try {
        const result = await abortable(use(connection), signal);
        this.#release(connection);
        return result;
      } catch (error) {
        if (signal.aborted && this.#answeredAt < startedAt) this.#destroyIdle();
        if (signal.aborted || isUnavailable(error)) connection.destroy();
        else this.#release(connection);
        throw error;
      }
    });
    return abortable(work, signal);
  }

  async #acquire(signal: AbortSignal): Promise<Connection> {
    for (let connection = this.#idle.pop(); connection; connection = this.#idle.pop()) {
      if (await connection.isUsable(signal)) return connection;
      connection.destroy();
    }
    return await Connection.open(signal);
  }

  #release(connection: Connection): void {
    this.#answeredAt = performance.now();
    connection.markIdle();
    if (this.#isClosed) void connection.close();
    else this.#idle.push(connection);
  }

  #destroyIdle(): void {
    for (const connection of this.#idle) connection.destroy();
    this.#idle = [];
  }

  /** Closes the idle connections now and each of the others when it is released. Never throws. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const idle = this.#idle;
    this.#idle = [];
    await Promise.all(idle.map((connection) => connection.close()));
  }
}
