import type { Socket } from "node:net";
import type { PGlite } from "@electric-sql/pglite";
import { SESSION_IDLE_MS } from "./embedded-limits.ts";
import { encodeMessage, heldCursor, MessageReader, statementName } from "./protocol.ts";
import type { SessionQueue, SessionUser } from "./session-queue.ts";

/** After these messages the server is ready for another query, of any connection: start-up, simple query and Sync. */
const QUERY_ENDS = ["", "Q", "S"];

/** `type` is the letter that the protocol gives the message. The first message of a connection has none. */
type Message = { type: string; bytes: Buffer };
type Options = { socket: Socket; database: PGlite; queue: SessionQueue };

/**
 * One connection of a client. PGlite has a single session. A connection keeps it from the first message of a query to the end
 * of its transaction, because unnamed statements, portals and transactions of two connections would be mixed up.
 */
export class ClientConnection implements SessionUser {
  readonly #socket: Socket;
  readonly #database: PGlite;
  readonly #queue: SessionQueue;
  readonly #reader = new MessageReader();
  /** Complete messages that were not executed yet. */
  #pending: Message[] = [];
  #isDisconnected = false;
  #isCleaned = false;
  /** Prepared statements of this connection, which would otherwise stay in the session. */
  readonly #statements = new Set<string>();
  /** Cursors of this connection that outlive their transaction. A backup that is killed leaves them, with a copy of all rows. */
  readonly #cursors = new Set<string>();
  #idleTimer: NodeJS.Timeout | undefined;

  constructor({ socket, database, queue }: Options) {
    this.#socket = socket;
    this.#database = database;
    this.#queue = queue;
    socket.on("data", (chunk) => this.#receive(chunk));
    socket.on("error", () => socket.destroy());
    socket.on("close", () => this.#disconnect());
  }

  hasWork(): boolean {
    return this.#isDisconnected ? !this.#isCleaned : this.#pending.length > 0;
  }

  async work(): Promise<boolean> {
    clearTimeout(this.#idleTimer);
    if (this.#isDisconnected) {
      await this.#cleanUp();
      return false;
    }
    const messages = this.#pending;
    this.#pending = [];
    for (const bytes of batch(messages)) this.#reply(await this.#execute(bytes));
    const isInQuery = !QUERY_ENDS.includes(messages.at(-1)?.type ?? "");
    const keepsSession = isInQuery || this.#database.isInTransaction();
    if (keepsSession) this.#idleTimer = setTimeout(() => this.#socket.destroy(), SESSION_IDLE_MS);
    return keepsSession;
  }

  #receive(chunk: Buffer): void {
    try {
      this.#reader.push(chunk);
      for (let message = this.#reader.next(); message; message = this.#reader.next()) {
        if (message.kind === "encryption") this.#socket.write("N");
        else if (message.kind === "end") this.#socket.end();
        else this.#accept(message.kind === "message" ? message.type : "", message.bytes);
      }
    } catch {
      this.#socket.destroy();
    }
    if (this.#pending.length > 0) this.#queue.add(this);
  }

  #accept(type: string, bytes: Buffer): void {
    this.#pending.push({ type, bytes });
    if (type === "P" && statementName(bytes) !== "") this.#statements.add(statementName(bytes));
    const cursor = type === "Q" ? heldCursor(bytes) : undefined;
    if (cursor?.isClosed) this.#cursors.delete(cursor.name);
    else if (cursor) this.#cursors.add(cursor.name);
  }

  #disconnect(): void {
    this.#isDisconnected = true;
    this.#pending = [];
    clearTimeout(this.#idleTimer);
    this.#queue.add(this);
  }

  async #cleanUp(): Promise<void> {
    this.#isCleaned = true;
    const closing = [
      // Each in a query of its own, because one whose transaction was rolled back is not there.
      ...[...this.#cursors].map((name) => encodeMessage("Q", `close "${name}"`)),
      ...[...this.#statements].map((name) => encodeMessage("C", `S${name}`)),
    ];
    await this.#execute(
      Buffer.concat([encodeMessage("S"), encodeMessage("Q", "rollback"), ...closing, encodeMessage("S")]),
    );
  }

  async #execute(bytes: Uint8Array): Promise<Buffer> {
    const answer: Uint8Array[] = [];
    // PGlite reuses the memory behind `data`.
    await this.#database.execProtocolRawStream(bytes, {
      syncToFs: false,
      onRawData: (data) => answer.push(data.slice()),
    });
    return Buffer.concat(answer);
  }

  #reply(answer: Buffer): void {
    if (this.#socket.writable) this.#socket.write(answer);
  }
}

/** PGlite accepts many messages at once, but the first message of a connection only by itself. */
function batch(messages: Message[]): Buffer[] {
  const first = messages.filter(({ type }) => type === "").map(({ bytes }) => bytes);
  const others = messages.filter(({ type }) => type !== "").map(({ bytes }) => bytes);
  return others.length > 0 ? [...first, Buffer.concat(others)] : first;
}
