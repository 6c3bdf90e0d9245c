import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import type { ImageHost } from "#lib/image-hosts.ts";
import { fetchImage, type RemoteImages } from "#lib/images/remote/fetch-image.ts";
import { afterTest } from "#tests/clean-up.ts";

/** A host name for tests. */
export const NAME = "images.example";

async function end(server: Server, sockets: Set<Socket>): Promise<void> {
  for (const socket of sockets) socket.destroy();
  server.close();
  await once(server, "close");
}

/** Starts a server on loopback that ends after the test, and records its requests and connections. */
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
  afterTest(() => end(server, sockets));
  seen.port = (server.address() as AddressInfo).port;
  return seen;
}

/** An entry of the list of allowed hosts. */
export function host(hostname: string, rest: Partial<Omit<ImageHost, "port">> & { port?: number } = {}): ImageHost {
  const port = String(rest.port ?? "");
  return { protocol: "http:", isWildcard: false, isPrivate: false, ...rest, hostname, port };
}

/** A configuration in which every host has the IP address of loopback. Only private hosts may use it. */
export function remoteOf(hosts: ImageHost[], rest: Partial<RemoteImages> = {}): RemoteImages {
  const find = async () => [{ address: "127.0.0.1", family: 4 }];
  return { hosts, maxBytes: 1_000_000, timeoutMs: 5_000, find, ...rest };
}

/** Starts a server as {@link NAME} and fetches from it. */
export async function fetchFrom(
  listener: RequestListener,
  { path = "/a.png", ...rest }: Partial<RemoteImages> & { path?: string } = {},
) {
  const server = await serve(listener);
  const remote = remoteOf([host(NAME, { port: server.port, isPrivate: true })], rest);
  const answer = await fetchImage(`http://${NAME}:${server.port}${path}`, remote);
  return { answer, server };
}
