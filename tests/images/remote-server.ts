import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import { afterEach } from "vitest";
import type { ImageHost } from "#lib/image-hosts.ts";
import { fetchImage, type RemoteImages } from "#lib/images/fetch-image.ts";

/** A host that has images, where the operator allows it. */
export const NAME = "images.example";

const servers: { server: Server; sockets: Set<Socket> }[] = [];

afterEach(async () => {
  for (const { server, sockets } of servers.splice(0)) {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, "close");
  }
});

/** A server on loopback that is gone after the test, with what was asked of it and how often it was connected to. */
export async function serve(listener: RequestListener, tls?: { cert: string; key: string }) {
  const server = tls ? createTlsServer(tls) : createServer();
  const sockets = new Set<Socket>();
  const requests: IncomingMessage[] = [];
  const seen = { port: 0, connections: 0, requests, open: () => sockets.size };
  server.on("connection", (socket: Socket) => {
    seen.connections++;
    sockets.add(socket);
    socket.on("error", () => undefined).on("close", () => sockets.delete(socket));
  });
  server.on("request", (request: IncomingMessage, response) => {
    requests.push(request);
    listener(request, response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  servers.push({ server, sockets });
  seen.port = (server.address() as AddressInfo).port;
  return seen;
}

/** An entry of the operator's. */
export function host(hostname: string, rest: Partial<Omit<ImageHost, "port">> & { port?: number } = {}): ImageHost {
  const port = String(rest.port ?? "");
  return { protocol: "http:", isWildcard: false, isPrivate: false, ...rest, hostname, port };
}

/** Every host is looked up as loopback, whatever its name; only entries of a private network may lead there. */
export function remoteOf(hosts: ImageHost[], rest: Partial<RemoteImages> = {}): RemoteImages {
  const find = async () => [{ address: "127.0.0.1", family: 4 }];
  return { hosts, maxBytes: 1_000_000, timeoutMs: 5_000, find, ...rest };
}

/** Fetches from a server of {@link NAME} that answers so. */
export async function fetchFrom(
  listener: RequestListener,
  { path = "/a.png", ...rest }: Partial<RemoteImages> & { path?: string } = {},
) {
  const server = await serve(listener);
  const remote = remoteOf([host(NAME, { port: server.port, isPrivate: true })], rest);
  const answer = await fetchImage(`http://${NAME}:${server.port}${path}`, remote);
  return { answer, server };
}
