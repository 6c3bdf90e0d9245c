import { EventEmitter } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { setImmediate as nextRound } from "node:timers/promises";
import { RequestTurns } from "#lib/http/server/request-turns.ts";

type Socket = { destroyed: boolean };

/** A response on a connection of its own, unless one is given. Like a pipelined one, it has no connection before its turn. */
export const newResponse = (socket: Socket = { destroyed: false }, request: Partial<IncomingMessage> = {}) =>
  Object.assign(new EventEmitter(), {
    req: { socket, headers: {}, complete: true, ...request },
    destroyed: false,
    end: () => undefined,
  }) as unknown as ServerResponse;

/** Requests that note their names when they begin, are refused or have lost their clients. They are answered at once. */
export function run(turns = new RequestTurns(), { answer = (response: ServerResponse) => void response.end() } = {}) {
  const begun: string[] = [];
  const refused: string[] = [];
  const gone: string[] = [];
  const add = (address: string, name: string, response = newResponse()) => {
    turns.take(address, response).then(
      (isThere) => {
        (isThere ? begun : gone).push(name);
        if (!isThere) return;
        answer(response);
      },
      ({ code }: { code: string }) => refused.push(`${name}: ${code}`),
    );
    return response;
  };
  return { begun, refused, gone, add };
}

/** Waits for rounds of the event loop. */
export async function pass(rounds: number): Promise<void> {
  for (let at = 0; at < rounds; at++) await nextRound();
}
