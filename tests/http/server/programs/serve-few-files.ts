import type { AddressInfo } from "node:net";
import { createHttpServer } from "#lib/http/server/server.ts";

// Serves until it is killed, and prints its port.
const server = createHttpServer(async (_request, response) => void response.end("served"));
server.listen(0, "127.0.0.1", () => console.log((server.address() as AddressInfo).port));
