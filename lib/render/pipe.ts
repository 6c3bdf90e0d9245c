import type { Readable, Writable } from "node:stream";
import type { Transport } from "./transport.ts";

/** A browser's debugging pipe, on which each message is ended by a NUL. Closing it ends the browser. */
export function pipeTransport({ input, output }: { input: Writable; output: Readable }): Transport {
  let parts: Buffer[] = [];
  const transport: Transport = {
    send: (message) => input.write(`${message}\0`),
    onMessage: () => undefined,
  };
  const read = (chunk: Buffer) => {
    let rest = chunk;
    for (let end = rest.indexOf(0); end >= 0; end = rest.indexOf(0)) {
      parts.push(rest.subarray(0, end));
      const message = Buffer.concat(parts).toString();
      parts = [];
      rest = rest.subarray(end + 1);
      transport.onMessage(message);
    }
    if (rest.length > 0) parts.push(rest);
  };
  // A broken pipe is told by the browser's exit, which rejects what is pending.
  input.on("error", () => undefined);
  output.on("error", () => undefined);
  output.on("data", read);
  return transport;
}
