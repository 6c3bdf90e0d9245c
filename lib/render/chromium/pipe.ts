import type { Readable, Writable } from "node:stream";
import { decodeMessage, ENVELOPE_HEAD_BYTES, encodeMessage, envelopeBytes } from "./cbor.ts";
import type { Transport } from "./transport.ts";

/** Cuts what arrives into envelopes. */
class Envelopes {
  #parts: Buffer[] = [];
  #size = 0;
  /** How long the first one is, as soon as that is known. */
  #wanted: number | undefined;

  push(chunk: Buffer): void {
    this.#parts.push(chunk);
    this.#size += chunk.length;
  }

  /** The first one, once it is whole. @throws Error when it is none */
  shift(): Buffer | undefined {
    if (this.#size < (this.#wanted ?? ENVELOPE_HEAD_BYTES)) return undefined;
    const first = this.#parts[0];
    const received = this.#parts.length === 1 && first ? first : Buffer.concat(this.#parts);
    this.#wanted ??= envelopeBytes(received);
    const isWhole = this.#size >= this.#wanted;
    const end = isWhole ? this.#wanted : 0;
    this.#parts = [received.subarray(end)];
    this.#size -= end;
    if (!isWhole) return undefined;
    this.#wanted = undefined;
    return received.subarray(0, end);
  }
}

/** A browser's debugging pipe in binary: a picture comes as its bytes, not as text. Closing it ends the browser. */
export function pipeTransport({ input, output }: { input: Writable; output: Readable }): Transport {
  const received = new Envelopes();
  const transport: Transport = {
    send: (message) => input.write(encodeMessage(message)),
    onMessage: () => undefined,
    onGarbage: () => undefined,
  };
  const read = (chunk: Buffer) => {
    received.push(chunk);
    try {
      for (let next = received.shift(); next; next = received.shift()) transport.onMessage(decodeMessage(next));
    } catch (error) {
      output.off("data", read);
      output.resume();
      transport.onGarbage(error);
    }
  };
  // A broken pipe is told by the browser's exit, which rejects what is pending.
  input.on("error", () => undefined);
  output.on("error", () => undefined);
  output.on("data", read);
  return transport;
}
