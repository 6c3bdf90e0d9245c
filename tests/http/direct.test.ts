import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeEach, expect, test, vi } from "vitest";
import { directAnswers, offerDirectly } from "#lib/http/direct.ts";
import { nothingHere } from "#lib/http/methods.ts";

const PATH = "/offered";
const load = vi.fn(async () => ({
  ...nothingHere,
  GET: async () => Response.json({ offered: true }, { status: 203 }),
}));

const server = createServer(async (request, response) => {
  const answer = directAnswers().get(request.url ?? "");
  if (answer) await answer(request, response);
  else response.writeHead(418).end();
});

beforeEach(() => load.mockClear());

afterAll(() => server.close());

test("what is offered is not even loaded where no server has asked for it, and answers its path alone where one has", async () => {
  await offerDirectly(PATH, load);
  expect(load).not.toHaveBeenCalled();
  expect(directAnswers().size).toBe(0);
  await offerDirectly(PATH, load);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const answer = await fetch(`http://127.0.0.1:${port}${PATH}`);
  expect([answer.status, await answer.json()]).toEqual([203, { offered: true }]);
  expect((await fetch(`http://127.0.0.1:${port}${PATH}?query`)).status).toBe(418);
});
