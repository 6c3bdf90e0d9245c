import type { ServerResponse } from "node:http";
import { log } from "#lib/log.ts";
import { networkOf } from "./open-connections.ts";

/** Bytes that clients have not read yet. Several responses may send the same bytes: those of a picture that is kept. */
type Held = { bytes: number; responses: Set<ServerResponse> };

/** How often a lack of room is reported, in milliseconds. */
const REPORT_MS = 60_000;

/** The bytes of a server's responses that wait in memory for clients to read them. */
export class UnreadResponses {
  readonly #limitBytes: number;
  /** Oldest first. */
  readonly #waiting = new Map<ServerResponse, Held>();
  readonly #byBody = new WeakMap<object, Held>();
  #heldBytes = 0;
  #reportedAt = Number.NEGATIVE_INFINITY;

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes;
  }

  get heldBytes(): number {
    return this.#heldBytes;
  }

  /**
   * Counts what a response that has ended still has to send, until it is sent. Where all responses together are over the limit, those
   * of the client that holds most are cut off, oldest first. One response alone may be over the limit.
   * @param body which other responses may send too
   */
  add(response: ServerResponse, body: object): void {
    const bytes = response.writableLength;
    if (bytes === 0 || response.destroyed) return;
    const held = this.#byBody.get(body) ?? { bytes: 0, responses: new Set() };
    this.#byBody.set(body, held);
    // A client that has read a part of these bytes has fewer left than those that share them.
    this.#heldBytes += Math.max(0, bytes - held.bytes);
    held.bytes = Math.max(held.bytes, bytes);
    held.responses.add(response);
    this.#waiting.set(response, held);
    response.once("finish", () => this.#remove(response));
    response.once("close", () => this.#remove(response));
    while (this.#heldBytes > this.#limitBytes && this.#waiting.size > 1) this.#cutOff();
  }

  #remove(response: ServerResponse): void {
    const held = this.#waiting.get(response);
    if (!held) return;
    this.#waiting.delete(response);
    held.responses.delete(response);
    if (held.responses.size > 0) return;
    this.#heldBytes -= held.bytes;
    held.bytes = 0;
  }

  #cutOff(): void {
    const bytesOf = new Map<string, number>();
    const addressOf = ({ req }: ServerResponse) => networkOf(req.socket);
    for (const [response, { bytes, responses }] of this.#waiting) {
      const address = addressOf(response);
      bytesOf.set(address, (bytesOf.get(address) ?? 0) + bytes / responses.size);
    }
    const [largest] = [...bytesOf.keys()].toSorted((a, b) => (bytesOf.get(b) ?? 0) - (bytesOf.get(a) ?? 0));
    const response = [...this.#waiting.keys()].find((each) => addressOf(each) === largest);
    if (!response) return;
    this.#report(largest);
    this.#remove(response);
    response.req.socket.destroy();
  }

  #report(address: string | undefined): void {
    const now = performance.now();
    if (now - this.#reportedAt < REPORT_MS) return;
    this.#reportedAt = now;
    log().warn(
      { limitBytes: this.#limitBytes, address },
      "Clients do not read their responses, most of them from this address.",
    );
  }
}

/** Counts a response among the unread ones from its end on. */
export function countUnread(response: ServerResponse, unread: UnreadResponses): void {
  const end = response.end;
  response.end = function endAndCount(...args: unknown[]) {
    response.end = end;
    const [body] = args;
    const ended = Reflect.apply(end, response, args);
    unread.add(response, body instanceof Uint8Array ? body : response);
    return ended;
  } as typeof end;
}
