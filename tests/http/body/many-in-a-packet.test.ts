import type { AddressInfo } from "node:net";
import { expect, it } from "vitest";
import { BODY_CHUNKS, PIPELINED_LIMIT } from "#lib/http/http-limits.ts";
import { RawConnection } from "../../e2e/service.ts";
import { get, serve, serveApplication } from "../server/served.ts";

const chunked = (path: string, chunks: number) =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n${"1\r\nx\r\n".repeat(chunks)}0\r\n\r\n`;

it("a body in too many small chunks is refused before anything reads it", async () => {
  const { connection, answers } = await serve();
  connection.send(chunked("/api/x", 10_000));
  const { status, body } = await connection.answer();
  expect(status).toBe(400);
  expect(JSON.parse(body).error.message).toContain("too many small chunks");
  await connection.closed;
  // The end of the body did not arrive, so that nothing takes what is left of it for the whole.
  expect(answers.get("/api/x")?.req.complete).toBe(false);
});

it("requests behind such a body on the connection are not run", async () => {
  const { connection, answers } = await serve();
  connection.send(chunked("/api/x", 2 * BODY_CHUNKS) + get("/api/behind"));
  expect((await connection.answer()).status).toBe(400);
  await connection.closed;
  expect([...answers.keys()]).toEqual(["/api/x"]);
});

it("a request before such a body gets its response", async () => {
  const { connection, answers } = await serve();
  connection.send(get("/api/first") + chunked("/api/x", 2 * BODY_CHUNKS));
  await expect.poll(() => answers.size).toBe(2);
  answers.get("/api/first")?.end("one");
  await connection.closed;
  expect(connection.text).toMatch(/200 OK[\s\S]*one[\s\S]*400[\s\S]*too many small chunks/);
});

it("later connections, which get the parsers of refused ones, are served", async () => {
  const { server } = await serveApplication(async (request, response) => {
    let length = 0;
    for await (const chunk of request) length += chunk.length;
    response.end(String(length));
  });
  const { port } = server.address() as AddressInfo;
  for (let at = 0; at < 3; at++) {
    const refused = new RawConnection(port).send(chunked("/api/x", 2 * BODY_CHUNKS));
    expect((await refused.answer()).status).toBe(400);
    const served = await new RawConnection(port).send(chunked("/api/x", BODY_CHUNKS)).firstAnswer();
    expect(served).toMatchObject({ status: 200, body: String(BODY_CHUNKS) });
  }
});

it("of thousands of requests in a packet, those beyond the limit are not handed over one by one", async () => {
  const { server, connection, answers } = await serve();
  let handedOver = 0;
  server.on("request", () => handedOver++);
  connection.send(Array.from({ length: 2_000 }, (_, at) => get(`/${at}`)).join(""));
  await expect.poll(() => answers.size).toBeGreaterThan(0);
  for (let at = 0; at < PIPELINED_LIMIT; at++) answers.get(`/${at}`)?.end("ok");
  await connection.closed;
  // One is refused, and the next one ends it.
  expect(handedOver).toBe(PIPELINED_LIMIT + 2);
});
