import type { Socket } from "node:net";
import type { PGlite } from "@electric-sql/pglite";
import { HOLD_MS } from "./embedded-limits.ts";
import type { Guest, Turns } from "./turns.ts";
import { ClientMessages, clientMessage, statementName } from "./wire.ts";

/** After these the server is ready for another question, of anyone. */
const ENDS_OF_QUESTION = ["", "Q", "S"];

/** `type` is the letter of the protocol; the first message of a connection has none. */
type Message = { type: string; bytes: Buffer };
type Options = { socket: Socket; database: PGlite; turns: Turns };

/**
 * One connection. PGlite has a single session, so what one connection has begun, from the first message of a question to
 * the end of its transaction, nobody else may come between: unnamed statements, portals and transactions would be mixed up.
 */
export class Client implements Guest {
  readonly #socket: Socket;
  readonly #database: PGlite;
  readonly #turns: Turns;
  readonly #messages = new ClientMessages();
  /** Whole messages that nobody has worked on. */
  #pending: Message[] = [];
  #isGone = false;
  #isCleaned = false;
  /** Statements of this connection that the session would keep for ever. */
  readonly #statements = new Set<string>();
  #patience: NodeJS.Timeout | undefined;

  constructor({ socket, database, turns }: Options) {
    this.#socket = socket;
    this.#database = database;
    this.#turns = turns;
    socket.on("data", (chunk) => this.#receive(chunk));
    socket.on("error", () => socket.destroy());
    socket.on("close", () => this.#leave());
  }

  hasWork(): boolean {
    return this.#isGone ? !this.#isCleaned : this.#pending.length > 0;
  }

  async work(): Promise<boolean> {
    clearTimeout(this.#patience);
    if (this.#isGone) {
      await this.#cleanUp();
      return false;
    }
    const messages = this.#pending;
    this.#pending = [];
    for (const bytes of inOneGo(messages)) this.#reply(await this.#execute(bytes));
    const isAsking = !ENDS_OF_QUESTION.includes(messages.at(-1)?.type ?? "");
    const keeps = isAsking || this.#database.isInTransaction();
    if (keeps) this.#patience = setTimeout(() => this.#socket.destroy(), HOLD_MS);
    return keeps;
  }

  #receive(chunk: Buffer): void {
    try {
      this.#messages.push(chunk);
      for (let message = this.#messages.next(); message; message = this.#messages.next()) {
        if (message.kind === "encryption") this.#socket.write("N");
        else if (message.kind === "end") this.#socket.end();
        else this.#accept(message.kind === "message" ? message.type : "", message.bytes);
      }
    } catch {
      this.#socket.destroy();
    }
    if (this.#pending.length > 0) this.#turns.want(this);
  }

  #accept(type: string, bytes: Buffer): void {
    this.#pending.push({ type, bytes });
    if (type === "P" && statementName(bytes) !== "") this.#statements.add(statementName(bytes));
  }

  #leave(): void {
    this.#isGone = true;
    this.#pending = [];
    clearTimeout(this.#patience);
    this.#turns.want(this);
  }

  async #cleanUp(): Promise<void> {
    this.#isCleaned = true;
    const closing = [...this.#statements].map((name) => clientMessage("C", `S${name}`));
    await this.#execute(
      Buffer.concat([clientMessage("S"), clientMessage("Q", "rollback"), ...closing, clientMessage("S")]),
    );
  }

  async #execute(bytes: Uint8Array): Promise<Buffer> {
    const answer: Uint8Array[] = [];
    // The memory behind `data` is used again.
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

/** PGlite takes many messages at once, but the first of a connection only by itself. */
function inOneGo(messages: Message[]): Buffer[] {
  const first = messages.filter(({ type }) => type === "").map(({ bytes }) => bytes);
  const others = messages.filter(({ type }) => type !== "").map(({ bytes }) => bytes);
  return others.length > 0 ? [...first, Buffer.concat(others)] : first;
}
