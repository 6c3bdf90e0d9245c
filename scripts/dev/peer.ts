import { subscribe } from "node:diagnostics_channel";
import type { IncomingMessage } from "node:http";

// Loaded into the process of `next dev` only: Next tells routes no address of a connection, and the workshop writes files for
// this machine alone. A request that went through a proxy may come from anywhere.

const FORWARDED = ["forwarded", "x-forwarded-for", "x-real-ip", "via"];

/**
 * Next's own tools for development open an editor, and read sources of the project and of its packages. Next lets every machine
 * use them that reaches the port, and every site whose name resolves to this machine.
 */
const TOOL = /[/\\](?:__nextjs|_next[/\\]mcp)/;

const LOOPBACK_ADDRESS = /^(?:(?:::ffff:)?127\.|::1$)/;
const LOOPBACK_HOST = /^(?:(?:[a-z0-9-]+\.)*localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i;

/** A path of the API without an operation, which answers 404. */
const NOWHERE = "/api/nothing";

function peerOf({ headers, socket }: IncomingMessage): string {
  const isForwarded = FORWARDED.some((name) => headers[name] !== undefined);
  return isForwarded ? "proxy" : (socket.remoteAddress ?? "unknown");
}

subscribe("http.server.request.start", (message) => {
  const { request } = message as { request: IncomingMessage };
  const peer = peerOf(request);
  request.headers["x-platen-peer"] = peer;
  const isOwn = LOOPBACK_ADDRESS.test(peer) && LOOPBACK_HOST.test(request.headers.host ?? "");
  if (TOOL.test(request.url?.split("?", 1)[0] ?? "") && !isOwn) request.url = NOWHERE;
});
