import { once } from "node:events";
import { expect, it } from "vitest";
import { refuseParserError } from "#lib/http/server/server.ts";
import { serve } from "./served.ts";

it.each([
  ["ERR_HTTP_REQUEST_TIMEOUT", 408, "request_timeout"],
  ["HPE_INVALID_METHOD", 400, "invalid_request"],
])("a connection that ends with %s gets %s", async (code, status, name) => {
  const { server, connection } = await serve();
  const [socket] = await once(server, "connection");
  refuseParserError(Object.assign(new Error("refused"), { code }), socket);
  const answer = await connection.answer();
  expect([answer.status, JSON.parse(answer.body).error.code]).toEqual([status, name]);
});

it.each([
  ["an unknown method", "BREW / HTTP/1.1\r\nHost: x\r\nContent-Length: 9000000\r\n\r\n"],
  ["a header of 20 kB", `POST / HTTP/1.1\r\nHost: x\r\nX: ${"x".repeat(20_000)}\r\nContent-Length: 9000000\r\n\r\n`],
  [
    "a body in too many small chunks",
    `POST /api/x HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n${"1\r\nx\r\n".repeat(2_000)}7A1200\r\n`,
  ],
  ["a broken chunk", "POST /api/x HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"],
])("what follows %s is read on, so that a proxy which is passing on a body meets no reset", async (_what, head) => {
  const { connection } = await serve();
  const faults: Error[] = [];
  connection.socket.on("error", (error) => faults.push(error));
  connection.send(head);
  connection.socket.write(Buffer.alloc(8_000_000));
  expect((await connection.answer()).status).toBe(400);
  expect(faults).toEqual([]);
});
