import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { AppError } from "#lib/errors.ts";
import { PIPELINED_LIMIT, RESPONSE_LISTENERS } from "#lib/http/http-limits.ts";
import { log } from "#lib/log.ts";
import { Peers } from "./peers.ts";
import { sendRefusal } from "./refusal.ts";
import { addUnfinished, isResponding, unfinishedResponses } from "./unfinished-responses.ts";
import { markUnreadBody } from "./unread-body.ts";

const peers = new Peers();

/** How often a full server is reported, in milliseconds. */
const REPORT_MS = 60_000;
let reportedAt = Number.NEGATIVE_INFINITY;

/** Whether a connection waits for bytes that the client has to read, or every running request of it for bytes that it has to send. */
function waitsForClient(socket: Socket): boolean {
  // A response that is sent while it is made goes on when the client has read some of it.
  if (socket.writableNeedDrain) return true;
  return unfinishedResponses(socket).every(({ req, writableEnded }) => !req.complete || writableEnded);
}

const CROWDED = new AppError("overloaded", "Too many requests wait.", {
  headers: { "Retry-After": "2" },
});

/** Closes one of too many connections. That of a proxy is answered: where its connection breaks, it takes the server for broken. */
function makeRoom(added: Socket, limit: number): void {
  const found = peers.size > limit ? peers.toClose(added, waitsForClient) : undefined;
  if (!found) return;
  peers.remove(found.socket);
  if (found.isProxied && !isResponding(found.socket)) {
    // A proxy that is passing on a body would meet a reset, in place of the answer.
    markUnreadBody(found.socket);
    sendRefusal(found.socket, CROWDED);
  } else found.socket.destroy();
  const now = performance.now();
  if (now - reportedAt < REPORT_MS) return;
  reportedAt = now;
  log().warn({ limit, address: found.address }, "Too many connections are open, most of them from this address.");
}

/** @param limit how many connections may be open */
export function trackConnection(socket: Socket, limit: number): void {
  peers.add(socket);
  socket.once("close", () => peers.remove(socket));
  makeRoom(socket, limit);
}

export function trackResponse(socket: Socket, response: ServerResponse): void {
  // Several parts of the server listen for its end, or for that of its connection. Node warns of a leak when there are more than ten.
  response.setMaxListeners(RESPONSE_LISTENERS);
  socket.setMaxListeners(PIPELINED_LIMIT * RESPONSE_LISTENERS);
  peers.setIdle(socket, false);
  addUnfinished(socket, response, () => peers.setIdle(socket, true));
}

/** @param client the network that its running request comes from, as `addressNetwork` names it */
export function trackClient(socket: Socket, client: string): void {
  peers.setClient(socket, client);
}

/** The network of the client of a connection: behind a trusted proxy, that of its running request. */
export function networkOf(socket: Socket): string {
  return peers.networkOf(socket);
}

/** Closes every idle connection. Node's own method skips those without a whole request so far, such as preconnects. */
export function closeIdleConnections(): void {
  for (const socket of peers.idle()) socket.destroy();
}
