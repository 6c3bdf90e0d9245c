import { once } from "node:events";
import { readSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { READ_ON_MS } from "#lib/http/http-limits.ts";
import { createHttpServer } from "#lib/http/server/server.ts";
import { stopOnSignal } from "#scripts/start/stop.ts";

/** Longer than a stopping server waits before and after it closes its listener. */
const BUSY_MS = 10 * READ_ON_MS;

/** Keeps the thread busy until the test has written a line, and longer. */
function keepThreadBusy(): void {
  console.log("busy");
  readSync(0, Buffer.alloc(1));
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, BUSY_MS);
}

function onceClosed(act: () => void): void {
  if (server.listening) setImmediate(onceClosed, act);
  else act();
}

/**
 * A server without routes that stops as `npm start` does. Its arguments are the drain delay in milliseconds, and whether the thread is
 * busy `before-close` or `after-close` of the listener.
 */
const server = createHttpServer(async (_request, response) => void response.end("served"));
const database = { ready: Promise.resolve(), attempted: async () => undefined, stop: async () => undefined };
stopOnSignal({ server, database, drainDelayMs: Number(process.argv[2]) });
if (process.argv[3] === "before-close") process.on("SIGTERM", () => setImmediate(keepThreadBusy));
if (process.argv[3] === "after-close") process.on("SIGTERM", () => onceClosed(keepThreadBusy));
server.listen({ port: 0, host: "127.0.0.1" });
await once(server, "listening");
console.log(`port ${(server.address() as AddressInfo).port}`);
