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
 * Ends what the parser of a connection reports: requests, and parts of bodies. Node parses up to 64 kB in one step, and has no public way to
 * stop in the middle. 10,000 chunks of a byte, or 2,000 small requests, take 20 ms, and no turn limits that.
 * @param atNext called where a further request begins
 */
export function stopParsing(socket: Socket & { parser?: HTTPParser | null }, atNext?: () => void): void {
  const { parser } = socket;
  if (!parser) return;
  const kept = CALLBACKS.map((callback) => parser[callback]);
  for (const callback of CALLBACKS) parser[callback] = undefined;
  parser[HTTPParser.kOnMessageBegin] = atNext;
  // Node gives the parser to another connection then, which needs the callbacks.
  socket.once("close", () => {
    for (const [index, callback] of CALLBACKS.entries()) parser[callback] = kept[index];
  });
}
