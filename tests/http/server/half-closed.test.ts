import { once } from "node:events";
import type { ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { HALF_CLOSED_KNOWN_MS } from "#lib/http/http-limits.ts";
import { RequestTurns } from "#lib/http/server/request-turns.ts";
import { RawConnection } from "../../e2e/service.ts";
import { get, serve, serveApplication } from "./served.ts";

type Served = Awaited<ReturnType<typeof serve>>;

async function received({ answers }: Served, path: string): Promise<ServerResponse> {
  await expect.poll(() => answers.has(path)).toBe(true);
  return answers.get(path) ?? expect.fail("no request");
}

it("a client that closes only its writing side gets its response, and then the connection closes", async () => {
  const served = await serve();
  const { connection } = served;
  connection.send(get("/api/x"));
  const response = await received(served, "/api/x");
  connection.socket.end();
  await expect.poll(() => connection.text).toMatch(/^(?:HTTP\/1.1 100 Continue\r\n\r\n)+$/);
  expect(response.destroyed).toBe(false);
  response.end("a picture");
  await connection.closed;
  expect(connection.text).toMatch(/100 Continue\r\n\r\nHTTP\/1.1 200 OK[\s\S]*connection: close[\s\S]*a picture$/i);
});

it("a client that sends everything and its end at once gets its response too", async () => {
  const served = await serve();
  served.connection.socket.end(`POST /api/x HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}`);
  (await received(served, "/api/x")).end("a picture");
  await served.connection.closed;
  expect(served.connection.text).toMatch(/200 OK[\s\S]*a picture$/);
});

it("all requests before the end get their responses, in their order", async () => {
  const served = await serve();
  const { connection } = served;
  connection.socket.end(get("/api/one") + get("/api/two"));
  const [one, two] = [await received(served, "/api/one"), await received(served, "/api/two")];
  two.end("second");
  await expect.poll(() => connection.text).toMatch(/^(?:HTTP\/1.1 100 Continue\r\n\r\n)+$/);
  one.end("first");
  await connection.closed;
  expect(connection.text).toMatch(/200 OK[\s\S]*first[\s\S]*200 OK[\s\S]*second$/);
});

it("the request of a client that is gone ends, although nothing is sent to it", async () => {
  const served = await serve();
  served.connection.send(get("/api/x"));
  const response = await received(served, "/api/x");
  const closed = once(response, "close");
  served.connection.socket.destroy();
  await closed;
  expect(response.writableFinished).toBe(false);
});

it("a client of HTTP/1.0, which knows no interim responses, is gone when it closes its writing side", async () => {
  const served = await serve();
  served.connection.send("GET /api/x HTTP/1.0\r\nHost: x\r\n\r\n");
  const response = await received(served, "/api/x");
  const closed = once(response, "close");
  served.connection.socket.end();
  await closed;
  await served.connection.closed;
  expect(served.connection.text).toBe("");
});

it.each(["", "GET /api/x HTTP/1.1\r\n", "POST /api/x HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{}"])(
  "a connection that ends after %j closes",
  async (text) => {
    const { connection } = await serve();
    connection.socket.end(text);
    await connection.closed;
  },
);

it("a request that waits for its turn begins only if its client, which has closed its writing side, is still there", async () => {
  const turns = new RequestTurns({ concurrency: 1 });
  const arrived: string[] = [];
  const begun = new Map<string, ServerResponse>();
  const { server, connection } = await serveApplication(async ({ url = "" }, response) => {
    arrived.push(url);
    if (await turns.take("a", response)) begun.set(url, response);
  });
  const { port } = server.address() as AddressInfo;
  const [gone, there] = [new RawConnection(port), new RawConnection(port)];
  connection.send(get("/first"));
  await expect.poll(() => begun.has("/first")).toBe(true);
  gone.send(get("/gone"));
  there.send(get("/there"));
  await expect.poll(() => arrived.length).toBe(3);
  gone.socket.destroy();
  there.socket.end();
  await expect.poll(() => there.text).toContain("100 Continue");
  begun.get("/first")?.end("one");
  await expect.poll(() => begun.has("/there")).toBe(true);
  begun.get("/there")?.end("two");
  await there.closed;
  expect(there.text).toMatch(/200 OK[\s\S]*two$/);
  await sleep(HALF_CLOSED_KNOWN_MS);
  expect(begun.has("/gone")).toBe(false);
});
