import type { Socket } from "node:net";
import { HALF_CLOSED_KNOWN_MS, HALF_CLOSED_PROBES_MS } from "#lib/http/http-limits.ts";
import { unfinishedResponses } from "./unfinished-responses.ts";

/** For each connection whose client has closed its writing side a moment ago: resolves when it is known whether it is gone. */
const undecided = new WeakMap<Socket, Promise<void>>();

/** Resolves when it is known whether the client of a half-closed connection is gone; undefined where there is no doubt. */
export function whenKnownWhetherGone(socket: Socket): Promise<void> | undefined {
  return undecided.get(socket);
}

function decideSoon(socket: Socket): void {
  const { promise, resolve } = Promise.withResolvers<void>();
  undecided.set(socket, promise);
  const decide = () => {
    clearTimeout(timer);
    undecided.delete(socket);
    resolve();
  };
  const timer = setTimeout(decide, HALF_CLOSED_KNOWN_MS);
  socket.once("close", decide);
}

/** Sends an interim response where the next bytes of a connection begin a response. */
function sendInterim(socket: Socket): void {
  const current = unfinishedResponses(socket).find((response) => response.socket === socket);
  if (current && !current.headersSent && socket.writable) current.writeContinue();
}

/**
 * Lets a client that has closed only its writing side read its response. A client that is gone looks the same until something is
 * sent to it, so the server sends interim responses. The system of a client that is gone answers the first one with a reset. The next
 * one then fails, which ends the request. HTTP/1.0 has no interim responses, so such a client counts as gone.
 */
export function answerHalfClosed(socket: Socket): void {
  socket.once("end", () => {
    const isOld = unfinishedResponses(socket).some(({ req }) => req.httpVersion === "1.0");
    if (isOld) return void socket.destroy();
    decideSoon(socket);
    const timers = HALF_CLOSED_PROBES_MS.map((afterMs) => setTimeout(sendInterim, afterMs, socket));
    socket.once("close", () => timers.forEach(clearTimeout));
  });
}
