import type { Connection } from "./connection.ts";
import { databaseRemedy } from "./connection-options.ts";
import { sqlState, unavailableReason } from "./database-faults.ts";
import { SHORTAGE_PAUSE_MS } from "./database-limits.ts";
import { warnRarely } from "./rare-warnings.ts";

/** What PostgreSQL, PgBouncer (`max_client_conn`) and Supavisor refuse a further connection with. */
const NO_FURTHER_CONNECTION = ["53300", "08P01", "XX000"];

const SHORTAGE_REMEDY =
  "Lower SERVICE_DATABASE_POOL, or raise max_connections of PostgreSQL, the CONNECTION LIMIT of the role or database, or max_client_conn of PgBouncer.";

/** SQLSTATEs of a refused login, as after the password of the role was changed. Connections that are open stay open. */
const REFUSED_LOGIN = ["28000", "28P01"];

function isRefusedLogin(error: unknown): boolean {
  return REFUSED_LOGIN.includes(sqlState(error) ?? "");
}

/** @param connection undefined when the query has to try again by itself */
type Waiter = (connection: Connection | undefined) => void;

/**
 * Whether an error of opening means that PostgreSQL, or the pooler before it, gives out no further connection. Other errors, such as
 * a refused connection, are not among them: then the open connections are about to fail too.
 */
export function isShortage(error: unknown): boolean {
  return isRefusedLogin(error) || NO_FURTHER_CONNECTION.includes(sqlState(error) ?? "");
}

/**
 * The queries of a pool that wait for another query's connection, because PostgreSQL gives the pool fewer connections than its
 * size: a role has a `CONNECTION LIMIT`, other programs use up `max_connections` or the clients of a pooler, or the role got another
 * password.
 */
export class ConnectionShortage {
  #retryAt = 0;
  readonly #waiters = new Set<Waiter>();

  /** How many queries wait. */
  get waiting(): number {
    return this.#waiters.size;
  }

  /** PostgreSQL refused a connection. No other is opened for {@link SHORTAGE_PAUSE_MS}. */
  begin(error: unknown): void {
    this.#retryAt = performance.now() + SHORTAGE_PAUSE_MS;
    const [cause, remedy] = isRefusedLogin(error)
      ? ["PostgreSQL refuses further connections of this server.", databaseRemedy()]
      : ["PostgreSQL gives this server fewer connections than SERVICE_DATABASE_POOL.", SHORTAGE_REMEDY];
    warnRarely({ reason: unavailableReason(error), remedy }, `${cause} Queries wait for those that are open.`);
  }

  /** PostgreSQL may have a free connection again. Of the queries that wait, one at a time tries to open it. */
  retry(): void {
    this.#retryAt = this.#waiters.size > 0 ? performance.now() : 0;
    for (const waiter of [...this.#waiters]) waiter(undefined);
  }

  /** Whether a connection may be opened. After a shortage, one caller at a time may try. */
  mayOpen(): boolean {
    if (this.#retryAt === 0) return true;
    const now = performance.now();
    if (now < this.#retryAt) return false;
    this.#retryAt = now + SHORTAGE_PAUSE_MS;
    return true;
  }

  /** Gives a connection to the query that has waited longest. @returns whether one waits */
  handOver(connection: Connection): boolean {
    const [first] = this.#waiters;
    first?.(connection);
    return first !== undefined;
  }

  /**
   * Waits for a connection of another query, until a connection may be opened again at the latest.
   * @returns undefined when the caller has to try again
   * @throws the signal's reason
   */
  async wait(signal: AbortSignal): Promise<Connection | undefined> {
    signal.throwIfAborted();
    return await new Promise((resolve, reject) => {
      const leave = () => {
        this.#waiters.delete(waiter);
        clearTimeout(timer);
        signal.removeEventListener("abort", onAbort);
      };
      const waiter: Waiter = (connection) => {
        leave();
        resolve(connection);
      };
      const onAbort = () => {
        leave();
        reject(signal.reason);
      };
      const timer = setTimeout(waiter, Math.max(0, this.#retryAt - performance.now()), undefined);
      signal.addEventListener("abort", onAbort, { once: true });
      this.#waiters.add(waiter);
    });
  }
}
