import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { AppError } from "#lib/errors.ts";
import { PIPELINED_BYTES, PIPELINED_LIMIT } from "#lib/http/http-limits.ts";
import { publicError } from "#lib/http/response/answer.ts";
import { stopParsing } from "./stop-parsing.ts";
import { unfinishedResponses } from "./unfinished-responses.ts";

/** Connections that close after a response that is not sent yet, and how many bytes had arrived on each when that was decided. */
const closing = new WeakMap<Socket, number>();

/** Whether a connection has at most one unfinished response. */
export function isLastResponse(socket: Socket): boolean {
  return unfinishedResponses(socket).length <= 1;
}

/**
 * Ignores later requests of a connection that closes after an error. Node still hands over those of the same packet, which would run
 * without getting a response.
 */
export function ignoreRequestsAfter(error: unknown, socket: Socket): void {
  const isLast = publicError(error).headers.Connection === "close";
  if (isLast && !closing.has(socket)) closing.set(socket, socket.bytesRead);
}

/** A client that goes on sending requests, which are ignored, loses its connection. */
function destroyIfSending(socket: Socket): void {
  if (socket.bytesRead - (closing.get(socket) ?? 0) > PIPELINED_BYTES) socket.destroy();
}

/** See {@link ignoreRequestsAfter}. Node would keep those requests until the connection closes, which may take long. */
export function ignoresRequests(socket: Socket): boolean {
  if (!closing.has(socket)) return false;
  destroyIfSending(socket);
  stopParsing(socket, () => destroyIfSending(socket));
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
  const responses = unfinishedResponses(socket);
  if (responses.length <= 1) return;
  if (responses.length > PIPELINED_LIMIT) throw tooMuchPipelined(`${PIPELINED_LIMIT} unanswered requests`);
  const bytes = responses.reduce((sum, { req }) => sum + waitingBytes(req), 0);
  if (bytes > PIPELINED_BYTES) throw tooMuchPipelined(`${PIPELINED_BYTES} bytes of unanswered requests`);
}
