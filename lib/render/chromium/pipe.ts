import type { Readable, Writable } from "node:stream";
import { decodeMessage, ENVELOPE_HEAD_BYTES, encodeMessage, envelopeBytes } from "./cbor.ts";
import type { BrowserTransport } from "./connection.ts";

/** Cuts a stream of bytes into envelopes. */
class EnvelopeReader {
  #parts: Buffer[] = [];
  #size = 0;
  /** Length of the first envelope, once its head has arrived. */
  #wanted: number | undefined;

  push(chunk: Buffer): void {
    this.#parts.push(chunk);
    this.#size += chunk.length;
  }

  /** @returns the first envelope once it is complete @throws Error for bytes that are no envelope */
  shift(): Buffer | undefined {
    if (this.#size < (this.#wanted ?? ENVELOPE_HEAD_BYTES)) return undefined;
    const first = this.#parts[0];
    const received = this.#parts.length === 1 && first ? first : Buffer.concat(this.#parts);
    this.#wanted ??= envelopeBytes(received);
    const isComplete = this.#size >= this.#wanted;
    const end = isComplete ? this.#wanted : 0;
    this.#parts = [received.subarray(end)];
    this.#size -= end;
    if (!isComplete) return undefined;
    this.#wanted = undefined;
    return received.subarray(0, end);
  }
}

/** Keeps the binary values of answers out of the JSON that puppeteer-core reads: base64 costs 10 % of a gradient card. */
class BinaryValues {
  readonly #values = new Map<string, Buffer>();
  #lastKey = 0;

  /** @returns the string that stands for the bytes in the message */
  put(bytes: Buffer): string {
    const key = `bytes:${++this.#lastKey}`;
    this.#values.set(key, bytes);
    return key;
  }

  take(key: string): Buffer | undefined {
    const bytes = this.#values.get(key);
    this.#values.delete(key);
    return bytes;
  }
}

/** The debugging pipe of a browser that was started with `--remote-debugging-pipe=cbor`. */
export function pipeTransport({ input, output }: { input: Writable; output: Readable }): BrowserTransport {
  const envelopes = new EnvelopeReader();
  const values = new BinaryValues();
  const keep = (bytes: Buffer) => values.put(bytes);
  const read = (chunk: Buffer) => {
    envelopes.push(chunk);
    try {
      for (let next = envelopes.shift(); next; next = envelopes.shift())
        transport.onmessage?.(JSON.stringify(decodeMessage(next, keep)));
    } catch (error) {
      transport.onclose?.(error);
      transport.close();
    }
  };
  const transport: BrowserTransport = {
    send: (message) => input.write(encodeMessage(JSON.parse(message))),
    // What the browser still sends is read and dropped, so that it does not block on a full pipe while it ends.
    close: () => output.off("data", read).resume(),
    takeBytes: (key) => values.take(key),
  };
  // The exit of the browser, which follows a broken pipe, closes the connection.
  input.on("error", () => undefined);
  output.on("error", () => undefined);
  output.on("data", read);
  return transport;
}
