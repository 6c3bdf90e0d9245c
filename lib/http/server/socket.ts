import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { AppError } from "#lib/errors.ts";
import { LINGER_BYTES, LINGER_MS } from "#lib/http/http-limits.ts";
import { ANSWER_HEADERS, errorBody } from "#lib/http/response/answer.ts";
import { log } from "#lib/log.ts";
import { newRequestId } from "./request-id.ts";
import { noteRefusal } from "./request-metrics.ts";

/** Sockets whose answer went out before their body had come in. */
const unread = new WeakSet<Socket>();

/** The answers that a connection owes: more than one where requests are pipelined. */
const owed = new WeakMap<Duplex, Set<ServerResponse>>();

/** Open connections that carry no request. */
const idle = new Set<Socket>();

/** Remembers a connection that has carried nothing yet. */
export function noteConnection(socket: Socket): void {
  idle.add(socket);
  socket.once("close", () => idle.delete(socket));
}

/** Remembers an answer that a connection will carry. */
export function noteAnswer(socket: Socket, response: ServerResponse): void {
  const answers = owed.get(socket) ?? new Set();
  owed.set(socket, answers.add(response));
  idle.delete(socket);
  response.once("close", () => {
    answers.delete(response);
    if (answers.size === 0 && !socket.destroyed) idle.add(socket);
  });
}

/** Whether no request behind this one waits for its answer on the same connection. */
export function isLastAnswer(socket: Socket): boolean {
  return (owed.get(socket)?.size ?? 0) <= 1;
}

/** Node's own method leaves connections that have never sent a whole request, such as a browser opens in advance. */
export function closeIdleConnections(): void {
  for (const socket of idle) socket.destroy();
}

/** Makes a connection's end a lingering one, because its request has not all been read. */
export function lingerOn(socket: Socket): void {
  unread.add(socket);
}

/** One line for a request that no route has seen. */
export function logRefusal(requestId: string, error: AppError): void {
  noteRefusal(error.code);
  log().info({ requestId, status: error.status, code: error.code }, error.message);
}

/** An answer for a connection that has no request: the parser gave up, or never had one. */
export function answerSocket(socket: Duplex, error: AppError): void {
  // An answer that has begun must not be written into.
  const hasBegun = [...(owed.get(socket) ?? [])].some((response) => response.headersSent);
  if (!socket.writable || hasBegun) return void socket.destroy();
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
  socket.end(`HTTP/1.1 ${error.status} Error\r\n${lines.join("")}\r\n${body}`, () => socket.destroy());
}

const PARSER_MESSAGES: Record<string, string> = {
  HPE_HEADER_OVERFLOW: "The request's headers are larger than 16 KiB.",
  ERR_HTTP_REQUEST_TIMEOUT: "The request did not arrive in time.",
};

/** Answers what the parser would not take for a request. */
export function answerParserFault(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === "ECONNRESET") return void socket.destroy();
  answerSocket(
    socket,
    new AppError("invalid_request", PARSER_MESSAGES[error.code ?? ""] ?? "The request is not HTTP."),
  );
}

/**
 * Node closes a connection at once after a last answer. With unread bytes in the socket that resets it, and a client
 * that sends its whole body before it reads loses the answer. Such a connection is half-closed and read into nothing, within bounds.
 */
export function lingerAfterUnread(socket: Socket): void {
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
    // Node stops a connection whose body nobody reads for a while, and starts it again on this event, but not once others listen for data.
    if (socket.isPaused()) socket.once("resume", discard);
    else discard();
    socket.end();
    socket.resume();
  };
}
