import type { ServerResponse } from "node:http";
import type { RequestContext } from "./request-context.ts";

/** What a route leaves to us is sent when Next ends the answer, which it does with nothing to send. */
export function takeBytes(response: ServerResponse, context: RequestContext): void {
  let bytes: Uint8Array | undefined;
  context.sendBytes = (given) => {
    bytes = given;
  };
  const end = response.end;
  response.end = function completed(...args: unknown[]) {
    response.end = end;
    return Reflect.apply(end, response, bytes ? [bytes] : args);
  } as typeof end;
}

/**
 * Holds a page that is asked for as data until it has ended: Next sends the head of such an answer before the page is made,
 * and with it a status that is not known yet.
 */
export function holdPart(response: ServerResponse): void {
  const chunks: Uint8Array[] = [];
  const { write, end, flushHeaders } = response;
  response.flushHeaders = () => {};
  response.write = ((chunk: string | Uint8Array) => chunks.push(Buffer.from(chunk)) > 0) as typeof write;
  response.end = function released(...args: unknown[]) {
    Object.assign(response, { write, end, flushHeaders });
    // A head that is there already is that of another answer, given because this one failed half way.
    if (!response.headersSent) for (const chunk of chunks) response.write(chunk);
    return Reflect.apply(end, response, args);
  } as typeof end;
}
