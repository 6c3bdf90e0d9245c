import { abortable } from "#lib/abortable.ts";
import { Connection } from "./connection.ts";
import { ConnectionShortage, isShortage } from "./connection-shortage.ts";
import { isConflict, isReadOnly, isUnavailable } from "./database-faults.ts";
import { REPLACEMENT_PAUSE_MS, STUCK_SECONDS } from "./database-limits.ts";
import { type Lane, Lanes } from "./lanes.ts";
import type { QueryDeadline } from "./query-deadline.ts";

/** A bounded number of connections, each used by one request at a time. */
export class ConnectionPool {
  readonly #lanes: Lanes;
  readonly #shortage = new ConnectionShortage();
  #idle: Connection[] = [];
  /** Connections whose statements are being cancelled. */
  readonly #abandoned = new Set<Promise<void>>();
  /** Connections of logins and background work whose statements PostgreSQL has not ended yet. */
  readonly #stuck = new Set<Connection>();
  readonly #size: number;
  /** How many queries use, open or wait for a connection. */
  #queries = 0;
  #isClosed = false;
  #answeredAt = 0;
  /** Connections that were opened until then are not used again. By `performance.now()`. */
  #replacedAt = Number.NEGATIVE_INFINITY;

  constructor(size: number) {
    this.#size = size;
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
    const work = this.#lanes.run(lane, async (begin, end) => {
      signal.throwIfAborted();
      deadline.endWait();
      const startedAt = performance.now();
      const connection = await this.#acquire(deadline);
      begin();
      deadline.follow(() => connection.answeredAt);
      try {
        const result = await abortable(use(connection), signal);
        this.#release(connection);
        return result;
      } catch (error) {
        if (signal.aborted && this.#answeredAt < startedAt) this.#destroyIdle();
        const isSilent = Math.max(this.#answeredAt, connection.answeredAt) < startedAt;
        if (signal.aborted && isSilent) this.#destroyStuck();
        if (isReadOnly(error)) this.#replaceAll();
        const isWatched = lane !== "requests" && !connection.isEmbedded && !isSilent;
        end();
        if (signal.aborted && isWatched) await this.#abandonSlowly(connection);
        else if (signal.aborted) this.#abandon(connection.abandon());
        else if (isUnavailable(error) && !isConflict(error)) this.#destroy(connection);
        else this.#release(connection);
        throw error;
      }
    });
    return abortable(work, signal);
  }

  /** How many queries use or open a connection. Those that wait rely on one of these to end. */
  get #active(): number {
    return this.#queries - this.#shortage.waiting;
  }

  async #acquire(deadline: QueryDeadline): Promise<Connection> {
    const startedAt = performance.now();
    this.#queries++;
    try {
      for (;;) {
        const connection = this.#idle.pop() ?? (await this.#openOrWait(deadline));
        if (!connection) continue;
        if (await connection.isUsable(deadline.signal)) {
          deadline.endWait();
          return connection;
        }
        connection.destroy();
        this.#shortage.retry();
      }
    } catch (error) {
      if (this.#answeredAt < startedAt && !isShortage(error)) this.#destroyStuck();
      this.#endQuery();
      throw error;
    }
  }

  /** @returns undefined when the caller has to try again */
  async #openOrWait(deadline: QueryDeadline): Promise<Connection | undefined> {
    deadline.signal.throwIfAborted();
    // Without another query, nobody would release a connection.
    if (this.#active === 1 || this.#shortage.mayOpen()) return await this.#open(deadline.signal);
    // The answers to others show that there is no outage, as in the queue for a place of the pool.
    deadline.waitAgain();
    return await this.#shortage.wait(deadline.signal);
  }

  /** @returns undefined when PostgreSQL has no connection left, and this pool has others */
  async #open(signal: AbortSignal): Promise<Connection | undefined> {
    try {
      const connection = await Connection.open(signal);
      this.#shortage.retry();
      return connection;
    } catch (error) {
      const hasOthers = this.#active > 1 || this.#idle.length > 0;
      if (!isShortage(error) || !hasOthers) throw error;
      this.#shortage.begin(error);
      return undefined;
    }
  }

  #endQuery(): void {
    this.#queries--;
    if (this.#active === 0) this.#shortage.retry();
  }

  /** Destroys the connection of a query, whose place PostgreSQL may give to one that waits. */
  #destroy(connection: Connection): void {
    connection.destroy();
    this.#queries--;
    this.#shortage.retry();
  }

  /** Cancels the statement of a query that was not answered in time. PostgreSQL has a free place only after that. */
  #abandon(cancelled: Promise<void>): void {
    this.#queries--;
    this.#shortage.retry();
    const abandoned = cancelled.then(() => {
      this.#abandoned.delete(abandoned);
      this.#shortage.retry();
    });
    this.#abandoned.add(abandoned);
  }

  /**
   * Gives up a login, or background work. PostgreSQL cannot cancel a commit: on a disk that stands still, each login would leave one behind,
   * until no connection is left for requests and other programs. So beyond the size of the pool, each keeps its place until its statement has
   * ended. All are cut off once PostgreSQL answers nothing at all: it may have disappeared behind a PgBouncer, which keeps a connection that
   * leads nowhere for as long as its client does.
   */
  async #abandonSlowly(connection: Connection): Promise<void> {
    this.#stuck.add(connection);
    const cancelled = connection.cancel();
    this.#abandon(cancelled);
    const ended = cancelled
      .then(() => (this.#isClosed ? connection.destroy() : connection.close(STUCK_SECONDS)))
      .then(() => void this.#stuck.delete(connection));
    if (this.#stuck.size > this.#size) await ended;
  }

  #release(connection: Connection): void {
    this.#answeredAt = performance.now();
    if (connection.openedAt <= this.#replacedAt) {
      this.#destroy(connection);
      return;
    }
    connection.markIdle();
    this.#queries--;
    if (this.#shortage.handOver(connection)) return;
    if (this.#isClosed) void connection.close();
    else this.#idle.push(connection);
  }

  /**
   * Replaces all connections after one refused to write: after a failover, they may lead to the same stand-by, and read what is old. Those
   * in use are destroyed when they are released. A database that stays read-only costs new connections once in {@link REPLACEMENT_PAUSE_MS}.
   */
  #replaceAll(): void {
    const now = performance.now();
    if (now - this.#replacedAt < REPLACEMENT_PAUSE_MS) return;
    this.#replacedAt = now;
    this.#destroyIdle();
  }

  #destroyStuck(): void {
    for (const connection of this.#stuck) connection.destroy();
  }

  #destroyIdle(): void {
    for (const connection of this.#idle) connection.destroy();
    this.#idle = [];
  }

  /**
   * Closes the idle connections now and each of the others when it is released. Resolves when no statement is left to cancel, because the
   * process may end after that. Never throws.
   */
  async close(): Promise<void> {
    this.#isClosed = true;
    const idle = this.#idle;
    this.#idle = [];
    await Promise.all([...idle.map((connection) => connection.close()), ...this.#abandoned]);
    this.#destroyStuck();
  }
}
