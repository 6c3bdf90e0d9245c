import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { type AddressInfo, createConnection, type Socket } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { get, serveApplication } from "./served.ts";

/** More than the buffers of both sockets hold, so that two are beyond the limit and one is not. */
const BODY = Buffer.alloc(30_000_000);
const LIMIT_BYTES = 40_000_000;

/** Serves `body` for each request, another copy of the same memory unless it is one for all. */
async function serveBodies(bodyOf: () => Buffer) {
  const { server } = await serveApplication(async (_request, response) => void response.end(bodyOf()), {
    unreadBytes: LIMIT_BYTES,
  });
  const { port } = server.address() as AddressInfo;
  /** Asks for a response without reading it. */
  return async (localAddress = "127.0.0.1"): Promise<{ response: ServerResponse; client: Socket }> => {
    const client = createConnection({ port, host: "127.0.0.1", localAddress })
      .on("error", () => {})
      .pause();
    onTestFinished(() => void client.destroy());
    client.write(get("/api/x"));
    const [, response] = await once(server, "request");
    return { response, client };
  };
}

const isCut = ({ response }: { response: ServerResponse }) => response.req.socket.destroyed;

it("responses that nobody reads are cut off beyond a limit: those of the address that holds most, oldest first", async () => {
  const ask = await serveBodies(() => BODY.subarray());
  const other = await ask("127.0.0.2");
  const first = await ask();
  expect([other, first].map(isCut)).toEqual([true, false]);
  const patient = await ask("127.0.0.3");
  expect([first, patient].map(isCut)).toEqual([true, false]);
});

it("a client beside one that reads nothing keeps its response", async () => {
  const half = BODY.subarray(0, BODY.length / 2);
  const bodies = [half, half.subarray()];
  const ask = await serveBodies(() => bodies.shift() ?? BODY.subarray());
  const owner = await ask("127.0.0.2");
  const idle = [await ask(), await ask(), await ask()];
  expect([owner, ...idle].map(isCut)).toEqual([false, true, true, true]);
});

it("a picture that many read at once counts once", async () => {
  const ask = await serveBodies(() => BODY);
  const readers = [];
  for (let index = 0; index < 5; index++) readers.push(await ask());
  expect(readers.map(isCut)).toEqual(readers.map(() => false));
});

it("a response that was read no longer counts", async () => {
  const ask = await serveBodies(() => BODY.subarray());
  const reader = await ask();
  const read = once(reader.response, "finish");
  reader.client.resume();
  await read;
  const next = await ask();
  expect([reader, next].map(isCut)).toEqual([false, false]);
});

it("one response may be larger than the limit", async () => {
  const ask = await serveBodies(() => Buffer.alloc(2 * LIMIT_BYTES));
  expect(isCut(await ask())).toBe(false);
});
