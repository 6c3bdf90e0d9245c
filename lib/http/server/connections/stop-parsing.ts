import { HTTPParser } from "node:_http_common";
import type { Socket } from "node:net";

/** What Node's parser calls, by number. */
const CALLBACKS = [
  HTTPParser.kOnMessageBegin,
  HTTPParser.kOnHeadersComplete,
  HTTPParser.kOnBody,
  HTTPParser.kOnMessageComplete,
];

/**
 * Makes the parser of a connection hand over nothing more. Node has no public way to do that, and parses all 64 kB that it has read in one
 * step: 10,000 chunks of a byte or 2,000 small requests take 20 ms, before any of them has its turn.
 * @param atNext called where a further request begins
 */
export function stopParsing(socket: Socket & { parser?: HTTPParser | null }, atNext?: () => void): void {
  const { parser } = socket;
  if (!parser) return;
  const kept = CALLBACKS.map((callback) => parser[callback]);
  for (const callback of CALLBACKS) parser[callback] = undefined;
  parser[HTTPParser.kOnMessageBegin] = atNext;
  // Node uses the parser for another connection then.
  socket.once("close", () => {
    for (const [index, callback] of CALLBACKS.entries()) parser[callback] = kept[index];
  });
}
