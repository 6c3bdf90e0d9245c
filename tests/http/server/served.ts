import { once } from "node:events";
import type { Server, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import { createHttpServer, type ServerOptions } from "#lib/http/server/server.ts";
import { RawConnection } from "../../e2e/service.ts";

type Application = Parameters<typeof createHttpServer>[0];

/** Starts a server, which ends with the test. @returns it, and a connection to it */
export async function serveApplication(
  application: Application,
  limits?: ServerOptions,
): Promise<{ server: Server; connection: RawConnection }> {
  const server = createHttpServer(application, limits);
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return { server, connection: new RawConnection((server.address() as AddressInfo).port) };
}

/** Starts a server whose responses the test sends itself: they are in `answers`, by the address of the request. */
export async function serve(limits?: ServerOptions) {
  const answers = new Map<string, ServerResponse>();
  const served = await serveApplication(async (request, response) => {
    answers.set(String(request.url), response);
  }, limits);
  return { ...served, answers };
}

export const get = (path: string, headers = "") => `GET ${path} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`;
