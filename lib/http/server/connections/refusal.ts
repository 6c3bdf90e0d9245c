import type { Duplex } from "node:stream";
import type { AppError } from "#lib/errors.ts";
import { ANSWER_HEADERS, errorBody } from "#lib/http/response/answer.ts";
import { log } from "#lib/log.ts";
import { newRequestId } from "../request-context.ts";
import { noteRefusal } from "../request-metrics.ts";
import { isResponding, unfinishedResponses } from "./unfinished-responses.ts";
import { hasUnreadBody, markUnreadBody } from "./unread-body.ts";

/** Connections that sent something other than a request. They close once the requests before it have their responses. */
const refused = new WeakSet<Duplex>();

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
  // The client may still be sending. If its bytes were not read, the connection would be reset, and a proxy would take the server for
  // broken and send it no requests for a while.
  markUnreadBody(socket);
  const before = unfinishedResponses(socket).filter(({ req }) => req.complete);
  let left = before.length;
  if (left === 0) return void sendRefusal(socket, error);
  for (const response of before) {
    response.once("close", () => {
      left--;
      if (left === 0) sendRefusal(socket, error);
    });
  }
}

/** Responds on a connection that has sent nothing of another response, and closes it. */
export function sendRefusal(socket: Duplex, error: AppError): void {
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
  if (!hasUnreadBody(socket)) return void socket.end(text, () => socket.destroy());
  socket.write(text);
  socket.destroySoon();
}
