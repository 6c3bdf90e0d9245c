import type { IncomingMessage, ServerResponse } from "node:http";
import { RESPONSE_IDLE_MS, RESPONSE_WHOLE_MS } from "#lib/http/http-limits.ts";

/** `inMemory`: whether all of the response waits in memory until the client has read it. */
type Sending = { request: IncomingMessage; response: ServerResponse; inMemory: boolean };

/**
 * Cuts the connection of a client that does not read its response, which would hold a connection and memory for ever. A
 * pipelined response is limited from its turn on, because the one before it may still be rendered.
 */
export function limitSending({ request: { socket }, response, inMemory }: Sending): void {
  // Its client is gone. No event would end the timer below, which would keep all of the request in memory for minutes.
  if (response.destroyed) return;
  const begin = () => {
    // Node destroys a connection on which no byte moves for so long.
    socket.setTimeout(RESPONSE_IDLE_MS);
    if (!inMemory) return;
    const whole = setTimeout(() => socket.destroy(), RESPONSE_WHOLE_MS);
    response.once("close", () => clearTimeout(whole));
  };
  if (response.socket) begin();
  else response.once("socket", begin);
  // Before Node's own listener, which sets the time that an idle connection is kept, or begins the next response.
  response.prependOnceListener("finish", () => socket.setTimeout(0));
}
