import { MESSAGE_BYTES } from "./embedded-limits.ts";

/** @see https://www.postgresql.org/docs/current/protocol-message-formats.html */
const SSL_REQUEST = 80_877_103;
const GSS_REQUEST = 80_877_104;
const CANCEL_REQUEST = 80_877_102;
const STARTUP_BYTES = 10_000;

export type ClientMessage =
  /** Asks for TLS or GSS encryption. */
  | { kind: "encryption" }
  /** Ends the connection. */
  | { kind: "end" }
  | { kind: "startup"; bytes: Buffer }
  /** `type` is the letter that the protocol gives the message. */
  | { kind: "message"; type: string; bytes: Buffer };

/** Splits the bytes of a client into messages. */
export class MessageReader {
  #received: Buffer[] = [];
  #length = 0;
  #isStarted = false;

  push(chunk: Buffer): void {
    this.#received.push(chunk);
    this.#length += chunk.length;
  }

  /** The next complete message. Undefined until all of its bytes are there. @throws RangeError for an invalid length */
  next(): ClientMessage | undefined {
    const headBytes = this.#isStarted ? 5 : 4;
    if (this.#length < headBytes) return undefined;
    const length = this.#peek(headBytes).readUInt32BE(headBytes - 4) + headBytes - 4;
    if (length < (this.#isStarted ? 5 : 8) || length > (this.#isStarted ? MESSAGE_BYTES : STARTUP_BYTES))
      throw new RangeError(`Got a message of ${length} bytes.`);
    if (this.#length < length) return undefined;
    const bytes = this.#take(length);
    return this.#isStarted ? this.#typed(bytes) : this.#first(bytes);
  }

  #typed(bytes: Buffer): ClientMessage {
    const type = String.fromCharCode(bytes[0] ?? 0);
    return type === "X" ? { kind: "end" } : { kind: "message", type, bytes };
  }

  #first(bytes: Buffer): ClientMessage {
    const code = bytes.readUInt32BE(4);
    if (code === SSL_REQUEST || code === GSS_REQUEST) return { kind: "encryption" };
    // Nothing can be cancelled: the running statement occupies the only thread.
    if (code === CANCEL_REQUEST) return { kind: "end" };
    this.#isStarted = true;
    return { kind: "startup", bytes };
  }

  #peek(length: number): Buffer {
    const [first] = this.#received;
    if (first && first.length >= length) return first;
    const whole = Buffer.concat(this.#received);
    this.#received = [whole];
    return whole;
  }

  #take(length: number): Buffer {
    const whole = this.#peek(length);
    this.#received[0] = whole.subarray(length);
    this.#length -= length;
    return whole.subarray(0, length);
  }
}

/** Encodes a message of the extended query protocol. */
export function encodeMessage(type: string, ...texts: string[]): Buffer {
  const body = Buffer.from(texts.map((text) => `${text}\0`).join(""));
  const head = Buffer.alloc(5);
  head.write(type);
  head.writeUInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

/** The statement name in a Parse message. Empty for the unnamed statement. */
export function statementName(parse: Buffer): string {
  return parse.toString("utf8", 5, parse.indexOf(0, 5));
}

const HELD_CURSOR = /^(declare|close) "(\w+)"(?: .*\bcursor with hold\b)?/i;

/** How much of a query is searched for the name of a cursor, in bytes. */
const CURSOR_BYTES = 200;

/** The cursor that a Query message closes, or declares `with hold`, which outlives its transaction. Undefined for any other query. */
export function heldCursor(query: Buffer): { name: string; isClosed: boolean } | undefined {
  const [whole = "", verb = "", name = ""] = HELD_CURSOR.exec(query.toString("utf8", 5, 5 + CURSOR_BYTES)) ?? [];
  const isClosed = verb.toLowerCase() === "close";
  return isClosed || whole.endsWith("hold") ? { name, isClosed } : undefined;
}
