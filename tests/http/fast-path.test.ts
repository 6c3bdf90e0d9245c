import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, expect, test } from "vitest";
import { nothingHere } from "#lib/http/route/methods.ts";
import { fastPaths, offerFastPath } from "#lib/http/server/fast-path.ts";

const PATH = "/offered";
const handlers = { ...nothingHere, GET: async () => Response.json({ offered: true }, { status: 203 }) };

const server = createServer(async (request, response) => {
  const answer = fastPaths().get(request.url ?? "");
  if (answer) await answer(request, response);
  else response.writeHead(418).end();
});

afterAll(() => server.close());

test("a route answers its path by itself where a server has asked for that before it was loaded, and no other path", async () => {
  offerFastPath("/too-early", handlers);
  expect(fastPaths().size).toBe(0);
  expect(offerFastPath(PATH, handlers)).toBe(handlers);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const answer = await fetch(`http://127.0.0.1:${port}${PATH}`);
  expect([answer.status, await answer.json()]).toEqual([203, { offered: true }]);
  expect((await fetch(`http://127.0.0.1:${port}${PATH}?query`)).status).toBe(418);
});
