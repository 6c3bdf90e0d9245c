import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createHttpServer } from "#lib/http/server/server.ts";
import { stopOnSignal } from "#scripts/start/stop.ts";

/** A server without routes that stops as `npm start` does. Its argument is the drain delay in milliseconds. */
const server = createHttpServer(async (_request, response) => void response.end("served"));
const database = { ready: Promise.resolve(), attempted: async () => undefined, stop: async () => undefined };
stopOnSignal({ server, database, drainDelayMs: Number(process.argv[2]) });
server.listen({ port: 0, host: "127.0.0.1" });
await once(server, "listening");
console.log(`port ${(server.address() as AddressInfo).port}`);
