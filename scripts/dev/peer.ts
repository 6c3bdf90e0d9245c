import { subscribe } from "node:diagnostics_channel";
import type { IncomingMessage } from "node:http";

// Loaded into the process of `next dev` only: Next tells routes no address of a connection, and the workshop writes files for
// this machine alone. A request that went through a proxy may come from anywhere.

const FORWARDED = ["forwarded", "x-forwarded-for", "x-real-ip", "via"];

subscribe("http.server.request.start", (message) => {
  const { request } = message as { request: IncomingMessage };
  const isForwarded = FORWARDED.some((name) => request.headers[name] !== undefined);
  request.headers["x-platen-peer"] = isForwarded ? "proxy" : (request.socket.remoteAddress ?? "unknown");
});
