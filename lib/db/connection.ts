import { createConnection, type Socket } from "node:net";
import { drizzle, type PostgresJsDatabase } from "drizzle-orm/postgres-js";
import postgres, { type Options, type Sql } from "postgres";
import { abortable } from "#lib/abortable.ts";
import { ConfigError } from "#lib/environment/config-error.ts";
import {
  CANCEL_TIMEOUT_MS,
  CLOSE_TIMEOUT_SECONDS,
  CONNECT_TIMEOUT_MS,
  CONNECTION_LIFETIME_MS,
  KEEP_ALIVE_SECONDS,
  PROBE_AFTER_MS,
  PROBE_TIMEOUT_MS,
} from "./database-limits.ts";
import { type Endpoint, findEndpoint } from "./endpoint.ts";

/** Where statements are run: a connection, with or without a transaction begun on it. Nothing can be nested. */
export type Database = Omit<PostgresJsDatabase, "transaction">;

type DriverOptions = Options<Record<string, never>>;
/** What the driver hands to `socket`, an option that its types leave out. */
type Address = { host: string[]; port: number[]; path: string | false };
/** What a server wants to hear before it cancels what a connection runs. */
type CancelKey = { pid: number; secret: number };

/** https://www.postgresql.org/docs/current/protocol-message-formats.html#PROTOCOL-MESSAGE-FORMATS-CANCELREQUEST */
const CANCEL_REQUEST_CODE = 80_877_102;

function connectTo({ host, port, path }: Address): Socket {
  if (path) return createConnection({ path });
  const address = { host: host[0] ?? "localhost", port: port[0] ?? 5432 };
  // The driver reads the name for the server's certificate from the socket.
  return Object.assign(createConnection(address), address);
}

function createClient({ url, options }: Endpoint, extra: object): Sql {
  const all = {
    ...options,
    ...extra,
    max: 1,
    connection: { application_name: "platen" },
    connect_timeout: CONNECT_TIMEOUT_MS / 1000,
    fetch_types: false,
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
 * One connection, used by one request at a time. The driver's own pool would send a new request on a connection that
 * answers no more, and cannot let go of a single one; so each connection is a client of its own here, and is never
 * connected twice.
 */
export class Connection {
  readonly isEmbedded: boolean;
  readonly client: Sql;
  readonly #openedAt = performance.now();
  #restedAt = performance.now();
  #socket: Socket | undefined;
  #address: Address | undefined;
  #cancelKey: CancelKey | undefined;
  #isClosed = false;

  private constructor(endpoint: Endpoint) {
    this.isEmbedded = endpoint.isEmbedded;
    this.client = createClient(endpoint, {
      socket: (address: Address) => this.#connect(address),
      onclose: () => {
        this.#isClosed = true;
      },
    });
  }

  /** @throws ConfigError when there is no database to connect to; whatever keeps it from connecting; the signal's reason */
  static async open(signal: AbortSignal): Promise<Connection> {
    const connection = new Connection(findEndpoint());
    try {
      const { state } = await abortable(connection.client.unsafe("select 1").execute(), signal);
      connection.#cancelKey = state as unknown as CancelKey;
      return connection;
    } catch (error) {
      connection.abandon();
      throw error;
    }
  }

  #connect(address: Address): Socket {
    // The driver wants to connect again: the server has hung up before it was ready, or later.
    if (this.#socket) this.abandon();
    this.#address = address;
    this.#socket = connectTo(address);
    // Before the driver hears of it: what is asked between an error and the end of a socket, it never answers.
    this.#socket.once("error", () => {
      this.#isClosed = true;
    });
    if (this.#isClosed) this.#socket.destroy();
    return this.#socket;
  }

  /** The driver would connect again, and do there what was begun here. */
  #requireOpen(): void {
    if (this.#isClosed) throw Object.assign(new Error("The connection was lost."), { code: "CONNECTION_LOST" });
  }

  /** Runs one statement without parameters. */
  async run(statement: string): Promise<readonly Record<string, unknown>[]> {
    this.#requireOpen();
    return await this.client.unsafe(statement);
  }

  /**
   * Lends it for some statements. What is still asked after `end` fails, so that nothing that was forgotten to be waited for
   * slips into the next one's transaction.
   */
  lend(): { database: PostgresJsDatabase; end(): void } {
    let isOver = false;
    const { client, isEmbedded } = this;
    const borrowed = {
      options: client.options,
      unsafe: (text: string, values: never[] = [], options: object = {}) => {
        if (isOver) throw new Error("A statement came after its question or transaction had ended.");
        this.#requireOpen();
        // drizzle asks for a named statement only where one was prepared by hand.
        return client.unsafe(text, values, { ...options, prepare: isEmbedded });
      },
      // For the migrator, which has its transaction already.
      begin: <T>(within: (client: unknown) => T) => within(borrowed),
    };
    const end = () => {
      isOver = true;
    };
    return { database: drizzle(borrowed as unknown as Sql), end };
  }

  /**
   * Does `work` in a transaction. The driver's own `begin` writes to a connection that it has lost, and the process dies of it.
   *
   * @throws what `work` throws, after everything was rolled back
   */
  async transact<T>(work: () => Promise<T>): Promise<T> {
    await this.run("begin");
    try {
      const result = await work();
      await this.run("commit");
      return result;
    } catch (error) {
      await this.run("rollback").catch(() => this.abandon());
      throw error;
    }
  }

  /** Says that nobody uses it for now. */
  rest(): void {
    this.#restedAt = performance.now();
  }

  /** Whether it can be used, as far as can be known. */
  async isAlive(signal: AbortSignal): Promise<boolean> {
    const now = performance.now();
    if (this.#isClosed || now - this.#openedAt > CONNECTION_LIFETIME_MS) return false;
    if (now - this.#restedAt < PROBE_AFTER_MS) return true;
    const probe = this.client.unsafe("select 1").execute();
    const patience = AbortSignal.any([signal, AbortSignal.timeout(PROBE_TIMEOUT_MS)]);
    return await abortable(probe, patience).then(
      () => !this.#isClosed,
      () => false,
    );
  }

  /** Cuts it, whatever runs on it: the server is asked to stop that, and what waits for it here fails. */
  abandon(): void {
    if (this.#cancelKey && this.#address && !this.#isClosed && !this.isEmbedded) cancel(this.#address, this.#cancelKey);
    this.#isClosed = true;
    this.#socket?.destroy();
    void this.client.end({ timeout: 0 }).catch(() => undefined);
  }

  /** Ends it properly. Never throws. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.client.end({ timeout: CLOSE_TIMEOUT_SECONDS }).catch(() => undefined);
    this.#socket?.destroy();
  }
}

/** Asks the server to stop what a connection runs, on a connection of its own as the protocol wants it. */
function cancel(address: Address, { pid, secret }: CancelKey): void {
  const message = Buffer.alloc(16);
  for (const [index, value] of [message.length, CANCEL_REQUEST_CODE, pid, secret].entries())
    message.writeUInt32BE(value, index * 4);
  const socket = connectTo(address);
  socket.on("error", () => socket.destroy());
  socket.setTimeout(CANCEL_TIMEOUT_MS, () => socket.destroy());
  socket.resume().end(message);
}
