import type { Socket } from "node:net";
import { drizzle, type PostgresJsDatabase } from "drizzle-orm/postgres-js";
import postgres, { type Options, type PostgresType, type Sql } from "postgres";
import { abortable } from "#lib/abortable.ts";
import { ConfigError } from "#lib/environment/config-error.ts";
import { BYTEA } from "./bytea.ts";
import { type Address, type CancelKey, cancelStatement, connectTo } from "./cancel-statement.ts";
import { type ConnectionOptions, connectionOptions } from "./connection-options.ts";
import {
  CLOSE_TIMEOUT_SECONDS,
  CONNECT_TIMEOUT_MS,
  CONNECTION_LIFETIME_MS,
  EMBEDDED_QUERY_TIMEOUT_MS,
  KEEP_ALIVE_SECONDS,
  PROBE_AFTER_MS,
  PROBE_TIMEOUT_MS,
} from "./database-limits.ts";
import { MOMENT_OID, readableMoment } from "./moments.ts";

/** Runs statements on one connection, inside or outside a transaction. Transactions cannot be nested. */
export type Database = Omit<PostgresJsDatabase, "transaction">;

type DriverOptions = Options<{ bytea: PostgresType<Buffer> }>;
function createClient({ url, options }: ConnectionOptions, extra: object): Sql {
  const all = {
    ...options,
    ...extra,
    max: 1,
    // A database or a role may have another DateStyle, whose dates JavaScript cannot read or reads with day and month swapped.
    connection: { application_name: "platen", DateStyle: "ISO" },
    fetch_types: false,
    types: { bytea: BYTEA },
    idle_timeout: 0,
    max_lifetime: null,
    keep_alive: KEEP_ALIVE_SECONDS,
    onnotice: () => undefined,
  } as DriverOptions;
  try {
    return url ? postgres(url, all) : postgres(all);
  } catch {
    throw new ConfigError([
      { variable: "DATABASE_URL", message: "a part of it cannot be read; encode special characters" },
    ]);
  }
}

/**
 * One connection, used by one request at a time. The driver's own pool sends new requests on a connection that no longer
 * answers, and cannot close a single connection. So each connection is a driver client of its own, which connects once.
 */
export class Connection {
  readonly isEmbedded: boolean;
  readonly client: Sql;
  /** By `performance.now()`. */
  readonly openedAt = performance.now();
  #idleSince = performance.now();
  /** When a statement was last sent behind another one of the same query or transaction, which was answered. By `performance.now()`. */
  answeredAt = 0;
  #hasAsked = false;
  #socket: Socket | undefined;
  #address: Address | undefined;
  #cancelKey: CancelKey | undefined;
  #isClosed = false;
  readonly #lost = Promise.withResolvers<void>();

  private constructor(options: ConnectionOptions, connectTimeoutMs: number) {
    this.isEmbedded = options.isEmbedded;
    this.client = createClient(options, {
      connect_timeout: connectTimeoutMs / 1000,
      socket: (address: Address) => this.#connect(address),
      onclose: () => {
        this.#isClosed = true;
        this.#lost.resolve();
      },
    });
  }

  /**
   * Opens a connection to the configured database, or to the one of `options`.
   * @throws ConfigError when there is no database to connect to; the connection error; the signal's reason
   */
  static async open(
    signal: AbortSignal,
    connectTimeoutMs?: number,
    options = connectionOptions(),
  ): Promise<Connection> {
    const usualMs = options.isEmbedded ? EMBEDDED_QUERY_TIMEOUT_MS : CONNECT_TIMEOUT_MS;
    const connection = new Connection(options, connectTimeoutMs ?? usualMs);
    try {
      const { state } = await abortable(connection.client.unsafe("select 1").execute(), signal);
      connection.#cancelKey = state as unknown as CancelKey;
      return connection;
    } catch (error) {
      connection.destroy();
      throw error;
    }
  }

  #connect(address: Address): Socket {
    // A second call means that the driver lost its connection and wants to reconnect.
    if (this.#socket) this.destroy();
    this.#address = address;
    this.#socket = connectTo(address);
    // Registered before the driver's listener: the driver never answers a statement sent between an error and the close.
    this.#socket.once("error", () => {
      this.#isClosed = true;
    });
    if (this.#isClosed) this.#socket.destroy();
    return this.#socket;
  }

  /** Called before each statement. Without this check, the driver would reconnect and run the rest of a transaction outside of it. */
  #beginStatement(): void {
    if (this.#isClosed) throw Object.assign(new Error("The connection was lost."), { code: "CONNECTION_LOST" });
    if (this.#hasAsked) this.answeredAt = performance.now();
    this.#hasAsked = true;
  }

  /** Runs one statement. @param values texts for its parameters */
  async run(statement: string, values: string[] = []): Promise<readonly Record<string, unknown>[]> {
    this.#beginStatement();
    return await this.client.unsafe(statement, values);
  }

  /**
   * Opens the connection for one query or transaction. Statements after `end` fail, so that a statement that nobody awaited
   * does not run in the transaction of another request.
   */
  lease(): { database: PostgresJsDatabase; end(): void } {
    let isOver = false;
    const { client, isEmbedded } = this;
    const leased = {
      options: client.options,
      unsafe: (text: string, values: never[] = [], options: object = {}) => {
        if (isOver) throw new Error("A statement was sent after its query or transaction had ended.");
        this.#beginStatement();
        // By itself, drizzle uses named statements only for queries on which `prepare` was called.
        return client.unsafe(text, values, { ...options, prepare: isEmbedded });
      },
    };
    const end = () => {
      isOver = true;
    };
    const database = drizzle(leased as unknown as Sql);
    // drizzle has replaced it.
    client.options.parsers[MOMENT_OID] = readableMoment;
    return { database, end };
  }

  /**
   * Begins a transaction whose statements each see what was committed before them. A database or a role may have another
   * `default_transaction_isolation`, with which no check after waiting for a lock would see why it waited.
   */
  async begin(): Promise<void> {
    await this.run("begin isolation level read committed");
  }

  /**
   * Runs `work` in a transaction. The driver's own `begin` crashes the process when the connection is lost meanwhile.
   *
   * @throws what `work` throws, after the rollback
   */
  async transact<T>(work: () => Promise<T>): Promise<T> {
    await this.begin();
    try {
      const result = await work();
      await this.run("commit");
      return result;
    } catch (error) {
      await this.run("rollback").catch(() => this.destroy());
      throw error;
    }
  }

  /**
   * Makes the server end this connection once its transaction was idle for so many milliseconds, or never with 0. The embedded database
   * has such a limit for every connection. A second one would end its only session, in which its thread would hang.
   */
  async limitIdleTime(ms: number): Promise<void> {
    if (!this.isEmbedded) await this.run(`set local idle_in_transaction_session_timeout = ${ms}`);
  }

  /**
   * Lifts the limit that a database or a role may have for the time of a statement (`statement_timeout`). Migrations, indexes and moves
   * of large tables take as long as they take. The embedded database has no such limit.
   * @param scope until the transaction ends, or the session
   */
  async allowLongStatements(scope: "local" | "session"): Promise<void> {
    if (!this.isEmbedded) await this.run(`set ${scope} statement_timeout = 0`);
  }

  /** Called after each query or transaction. */
  markIdle(): void {
    this.#hasAsked = false;
    this.#idleSince = performance.now();
  }

  /** Whether the connection can be used. Probes it when it was idle for long, unless it leads to this process. */
  async isUsable(signal: AbortSignal): Promise<boolean> {
    const now = performance.now();
    if (this.#isClosed || now - this.openedAt > CONNECTION_LIFETIME_MS) return false;
    if (this.isEmbedded || now - this.#idleSince < PROBE_AFTER_MS) return true;
    const probe = this.client.unsafe("select 1").execute();
    const timeout = AbortSignal.any([signal, AbortSignal.timeout(PROBE_TIMEOUT_MS)]);
    return await abortable(probe, timeout).then(
      () => !this.#isClosed,
      () => false,
    );
  }

  /** Cuts the connection at once. Everything that waits for it fails. */
  destroy(): void {
    this.#isClosed = true;
    this.#socket?.destroy();
    void this.client.end({ timeout: 0 }).catch(() => undefined);
  }

  /**
   * Gives up a connection whose statement may still run: asks the server to cancel it, and cuts the connection after that. PgBouncer cancels
   * nothing for a client that is gone, and opens another connection instead. PostgreSQL goes on with each such statement until it is done.
   * Resolves when the connection is cut. Never throws.
   */
  async abandon(): Promise<void> {
    await this.cancel();
    this.destroy();
  }

  /** Asks the server to cancel the current statement, after which no other one is sent. Never throws. */
  async cancel(): Promise<void> {
    const key = this.#isClosed || this.isEmbedded ? undefined : this.#cancelKey;
    this.#isClosed = true;
    if (key && this.#address) await cancelStatement(this.#address, key);
  }

  /**
   * Closes the connection after its current statement, or after so many seconds. Never throws. The driver itself does not notice when the
   * connection is lost meanwhile, such as by a crash of PostgreSQL.
   */
  async close(timeoutSeconds = CLOSE_TIMEOUT_SECONDS): Promise<void> {
    this.#isClosed = true;
    const tooLong = Promise.withResolvers<void>();
    const timer = setTimeout(tooLong.resolve, timeoutSeconds * 1000);
    const ended = this.client.end().catch(() => undefined);
    await Promise.race([ended, this.#lost.promise, tooLong.promise]);
    clearTimeout(timer);
    this.#socket?.destroy();
  }
}
