import type { ServerResponse } from "node:http";
import { readChunk } from "./body-chunk.ts";
import type { RequestContext } from "./request-context.ts";

/** Lets a route set the body of its response: it is sent when Next ends the response, which Next does with an empty body. */
export function sendBytesAtEnd(response: ServerResponse, context: RequestContext): void {
  let bytes: Uint8Array | undefined;
  context.sendBytes = (given) => {
    bytes = given;
  };
  const end = response.end;
  response.end = function endWithBytes(...args: unknown[]) {
    response.end = end;
    return Reflect.apply(end, response, bytes ? [bytes] : args);
  } as typeof end;
}

/**
 * Holds back a response until it ends. Next sends the head of an RSC response before it renders the page, so that an error of
 * the page could no longer change the status.
 */
export function bufferUntilEnd(response: ServerResponse): void {
  const chunks: Uint8Array[] = [];
  const { write, end, flushHeaders } = response;
  response.flushHeaders = () => {};
  response.write = ((...args: unknown[]) => {
    const { bytes, callback } = readChunk(args);
    chunks.push(bytes);
    if (callback) process.nextTick(callback);
    return true;
  }) as typeof write;
  response.end = function endWithBuffer(...args: unknown[]) {
    Object.assign(response, { write, end, flushHeaders });
    // Where the head was sent already, an error response replaces the buffered one.
    if (!response.headersSent) for (const chunk of chunks) response.write(chunk);
    return Reflect.apply(end, response, args);
  } as typeof end;
}

/**
 * Calls listeners of `finish` also when the connection closes. After it has ended a response, Next waits for `finish`, and keeps the
 * address of the request until then. Node never emits `finish` if the client disconnects before it has read the response. For a
 * pipelined response whose turn has not come, Node does not emit `close` either, so this listens to the connection.
 */
export function settleAtClose(response: ServerResponse): void {
  const { once, req } = response;
  const { socket } = req;
  response.once = ((event: string, listener: () => void) => {
    if (event !== "finish") return once.call(response, event, listener);
    const settle = () => {
      response.off("finish", settle);
      socket.off("close", settle);
      listener.call(response);
    };
    if (socket.closed) process.nextTick(settle);
    else socket.once("close", settle);
    return once.call(response, "finish", settle);
  }) as typeof once;
}
