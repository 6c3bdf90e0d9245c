import type { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { AppError } from "#lib/errors.ts";
import {
  HALF_CLOSED_PROBES_MS,
  LINGER_BYTES,
  LINGER_MS,
  PIPELINED_BYTES,
  PIPELINED_LIMIT,
  RESPONSE_LISTENERS,
} from "#lib/http/http-limits.ts";
import { ANSWER_HEADERS, errorBody, publicError } from "#lib/http/response/answer.ts";
import { log } from "#lib/log.ts";
import { Peers } from "./peers.ts";
import { newRequestId } from "./request-context.ts";
import { noteRefusal } from "./request-metrics.ts";

/** Sockets whose response was sent before the body of the request was read. */
const unread = new WeakSet<Socket>();

/** The unfinished responses of each connection: more than one where requests are pipelined. */
const unfinished = new WeakMap<Duplex, Set<ServerResponse>>();

/** Connections that close after a response that is not sent yet, and how many bytes had arrived on each when that was decided. */
const closing = new WeakMap<Socket, number>();

/** Connections that sent something other than a request. They close once the requests before it have their responses. */
const refused = new WeakSet<Duplex>();

const peers = new Peers();

/** How often a full server is reported, in milliseconds. */
const REPORT_MS = 60_000;
let reportedAt = Number.NEGATIVE_INFINITY;

/** Whether a connection waits for bytes that the client has to read, or every running request of it for bytes that it has to send. */
function waitsForClient(socket: Socket): boolean {
  // A response that is sent while it is made goes on when the client has read some of it.
  if (socket.writableNeedDrain) return true;
  return [...(unfinished.get(socket) ?? [])].every(({ req, writableEnded }) => !req.complete || writableEnded);
}

const CROWDED = new AppError("overloaded", "Too many requests wait.", {
  headers: { "Retry-After": "2" },
});

/** Whether bytes of a response have been sent. Those of another one would become part of it. */
function isResponding(socket: Duplex): boolean {
  return [...(unfinished.get(socket) ?? [])].some((response) => response.headersSent);
}

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
  const responses = unfinished.get(socket) ?? new Set();
  unfinished.set(socket, responses.add(response));
  peers.setIdle(socket, false);
  response.once("close", () => {
    responses.delete(response);
    if (responses.size === 0) peers.setIdle(socket, true);
  });
}

/** @param client the network that its running request comes from, as `addressNetwork` names it */
export function trackClient(socket: Socket, client: string): void {
  peers.setClient(socket, client);
}

/** The network of the client of a connection: behind a trusted proxy, that of its running request. */
export function networkOf(socket: Socket): string {
  return peers.networkOf(socket);
}

/** Sends an interim response where the next bytes of a connection begin a response. */
function sendInterim(socket: Socket): void {
  const current = [...(unfinished.get(socket) ?? [])].find((response) => response.socket === socket);
  if (current && !current.headersSent && socket.writable) current.writeContinue();
}

/**
 * Lets a client that has closed only its writing side read its response. A client that is gone looks the same until something is
 * sent to it, so the server sends interim responses. The system of a client that is gone answers the first one with a reset. The next
 * one then fails, which ends the request. HTTP/1.0 has no interim responses, so such a client counts as gone.
 */
export function answerHalfClosed(socket: Socket): void {
  socket.once("end", () => {
    const isOld = [...(unfinished.get(socket) ?? [])].some(({ req }) => req.httpVersion === "1.0");
    if (isOld) return void socket.destroy();
    const timers = HALF_CLOSED_PROBES_MS.map((afterMs) => setTimeout(sendInterim, afterMs, socket));
    socket.once("close", () => timers.forEach(clearTimeout));
  });
}

/** Whether a connection has at most one unfinished response. */
export function isLastResponse(socket: Socket): boolean {
  return (unfinished.get(socket)?.size ?? 0) <= 1;
}

/**
 * Ignores later requests of a connection that closes after an error. Node still hands over those of the same packet, which would run
 * without getting a response.
 */
export function ignoreRequestsAfter(error: unknown, socket: Socket): void {
  const isLast = publicError(error).headers.Connection === "close";
  if (isLast && !closing.has(socket)) closing.set(socket, socket.bytesRead);
}

/**
 * See {@link ignoreRequestsAfter}. Node keeps those requests until the connection closes, which may take long: a client that goes on
 * sending them loses its connection.
 */
export function ignoresRequests(socket: Socket): boolean {
  const before = closing.get(socket);
  if (before === undefined) return false;
  if (socket.bytesRead - before > PIPELINED_BYTES) socket.destroy();
  return true;
}

/** How many characters the head of each unanswered request has. */
const headLengths = new WeakMap<IncomingMessage, number>();

/** The bytes of a request that wait in memory: its head, and what has arrived of its body and was not read yet. */
function waitingBytes(request: IncomingMessage): number {
  const { rawHeaders, url = "" } = request;
  const head = headLengths.get(request) ?? rawHeaders.reduce((sum, { length }) => sum + length, url.length);
  headLengths.set(request, head);
  return head + request.readableLength;
}

function tooMuchPipelined(wanted: string): AppError {
  const message = `Got more than ${wanted} on one connection, want at most that many.`;
  return new AppError("rate_limited", message, { headers: { "Retry-After": "1", Connection: "close" } });
}

/**
 * Limits the requests of a connection that are not answered. Node handles all requests of a packet before those of other
 * connections: 400 of them hold the event loop for half a second. And it keeps them with their bodies until their turn, which no
 * other limit counts: a thousand connections with twenty bodies of 60 kB each took 2 GB.
 * @throws AppError `rate_limited`, after which the connection closes
 */
export function limitPipelining(socket: Socket): void {
  const responses = unfinished.get(socket);
  if (!responses || responses.size <= 1) return;
  if (responses.size > PIPELINED_LIMIT) throw tooMuchPipelined(`${PIPELINED_LIMIT} unanswered requests`);
  const bytes = [...responses].reduce((sum, { req }) => sum + waitingBytes(req), 0);
  if (bytes > PIPELINED_BYTES) throw tooMuchPipelined(`${PIPELINED_BYTES} bytes of unanswered requests`);
}

/** Closes every idle connection. Node's own method skips those without a whole request so far, such as preconnects. */
export function closeIdleConnections(): void {
  for (const socket of peers.idle()) socket.destroy();
}

/** Makes {@link lingerAfterUnreadBody} apply to a connection. */
export function markUnreadBody(socket: Socket): void {
  unread.add(socket);
}

/** Logs and counts a request that no route has handled. */
export function logRefusal(requestId: string, error: AppError): void {
  noteRefusal(error.code);
  log().info({ requestId, status: error.status, code: error.code }, error.message);
}

/** Responds on a connection and closes it. Requests that have arrived completely get their responses first. */
export function refuseConnection(socket: Duplex, error: AppError): void {
  // The parser reports every later packet too.
  if (refused.has(socket)) return;
  refused.add(socket);
  const before = [...(unfinished.get(socket) ?? [])].filter(({ req }) => req.complete);
  let left = before.length;
  if (left === 0) return void sendRefusal(socket, error);
  for (const response of before) {
    response.once("close", () => {
      left--;
      if (left === 0) sendRefusal(socket, error);
    });
  }
}

function sendRefusal(socket: Duplex, error: AppError): void {
  if (!socket.writable || isResponding(socket)) return void socket.destroy();
  const requestId = newRequestId();
  logRefusal(requestId, error);
  const body = JSON.stringify(errorBody(error, requestId));
  const headers = {
    ...ANSWER_HEADERS,
    ...error.headers,
    "Content-Type": "application/json; charset=utf-8",
    "Content-Length": Buffer.byteLength(body),
    "X-Request-Id": requestId,
    Connection: "close",
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const text = `HTTP/1.1 ${error.status} Error\r\n${lines.join("")}\r\n${body}`;
  if (!(socket instanceof Socket && unread.has(socket))) return void socket.end(text, () => socket.destroy());
  socket.write(text);
  socket.destroySoon();
}

/**
 * Keeps a connection open after its last response while a body is still arriving. Node closes it at once, which resets the
 * connection when bytes are unread, and a client that reads only after it has sent its body loses the response. The connection
 * is half-closed instead, and its bytes are discarded, up to {@link LINGER_BYTES} and {@link LINGER_MS}.
 */
export function lingerAfterUnreadBody(socket: Socket): void {
  const destroySoon = socket.destroySoon;
  socket.destroySoon = () => {
    if (!unread.has(socket)) return destroySoon.call(socket);
    let left = LINGER_BYTES;
    const timer = setTimeout(() => socket.destroy(), LINGER_MS);
    socket.once("close", () => clearTimeout(timer));
    socket.once("end", () => socket.destroy());
    const discard = () => {
      socket.removeAllListeners("data");
      socket.on("data", (chunk: Buffer) => {
        left -= chunk.length;
        if (left < 0) socket.destroy();
      });
    };
    // Node pauses a connection whose body stays unread. It resumes only when its own data listener is still there.
    if (socket.isPaused()) socket.once("resume", discard);
    else discard();
    socket.end();
    socket.resume();
  };
}
