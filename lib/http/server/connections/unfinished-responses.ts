import type { ServerResponse } from "node:http";
import type { Duplex } from "node:stream";

/** More than one where requests are pipelined. */
const unfinished = new WeakMap<Duplex, Set<ServerResponse>>();

/** The responses of a connection that are not sent completely, the oldest first. */
export function unfinishedResponses(socket: Duplex): ServerResponse[] {
  return [...(unfinished.get(socket) ?? [])];
}

/** @param onLast called when no response of the connection is left */
export function addUnfinished(socket: Duplex, response: ServerResponse, onLast: () => void): void {
  const responses = unfinished.get(socket) ?? new Set();
  unfinished.set(socket, responses.add(response));
  response.once("close", () => {
    responses.delete(response);
    if (responses.size === 0) onLast();
  });
}

/** Whether bytes of a response have been sent. Those of another one would become part of it. */
export function isResponding(socket: Duplex): boolean {
  return unfinishedResponses(socket).some((response) => response.headersSent);
}
