import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { expect, it } from "vitest";
import { refuseParserError } from "#lib/http/server/server.ts";

it.each([
  ["ERR_HTTP_REQUEST_TIMEOUT", "408", "request_timeout"],
  ["HPE_INVALID_METHOD", "400", "invalid_request"],
])("a connection that ends with %s gets %s", async (code, status, name) => {
  const socket = new PassThrough();
  const answer = text(socket);
  refuseParserError(Object.assign(new Error("refused"), { code }), socket);
  expect(await answer).toMatch(new RegExp(`^HTTP/1.1 ${status} [\\s\\S]*"code":"${name}"`));
});
