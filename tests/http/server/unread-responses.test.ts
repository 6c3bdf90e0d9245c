import { once } from "node:events";
import type { Server, ServerResponse } from "node:http";
import { type AddressInfo, createConnection, type Socket } from "node:net";
import { expect, it, onTestFinished, vi } from "vitest";
import { get, serveApplication } from "./served.ts";

/** More than the buffers of both sockets hold, so that two are beyond the limit and one is not. */
const BODY = Buffer.alloc(30_000_000);
const LIMIT_BYTES = 40_000_000;

/** Serves `body` for each request, another copy of the same memory unless it is one for all. */
async function serveBodies(bodyOf: () => Buffer) {
  const { server } = await serveApplication(async (_request, response) => void response.end(bodyOf()), {
    unreadBytes: LIMIT_BYTES,
  });
  return askerOf(server);
}

/** Asks for a response without reading it. */
function askerOf(server: Server) {
  const { port } = server.address() as AddressInfo;
  return async (localAddress = "127.0.0.1", headers = ""): Promise<{ response: ServerResponse; client: Socket }> => {
    const client = createConnection({ port, host: "127.0.0.1", localAddress })
      .on("error", () => {})
      .pause();
    onTestFinished(() => void client.destroy());
    client.write(get("/api/x", headers));
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

it("clients of a trusted proxy count by themselves", async () => {
  vi.stubEnv("SERVICE_TRUST_PROXY", "true");
  onTestFinished(() => void vi.unstubAllEnvs());
  const ask = await serveBodies(() => BODY.subarray(0, BODY.length / 2));
  const from = (address: string) => ask("127.0.0.2", `X-Forwarded-For: ${address}\r\n`);
  const owner = await from("192.0.2.1");
  const idle = [await from("192.0.2.2"), await from("192.0.2.2")];
  expect([owner, ...idle].map(isCut)).toEqual([false, true, false]);
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

it("all subnets of an IPv6 /48 count as one address", async () => {
  const addresses = ["192.0.2.1", "2001:db8:7:1::1", "2001:db8:7:2::1"];
  const half = BODY.subarray(0, BODY.length / 2);
  const { server } = await serveApplication(async (_request, response) => void response.end(half.subarray()), {
    unreadBytes: LIMIT_BYTES,
  });
  await once(server, "connection");
  server.prependListener("connection", (socket) =>
    Object.defineProperty(socket, "remoteAddress", { value: addresses.shift() }),
  );
  const ask = askerOf(server);
  const owner = await ask();
  const subnets = [await ask(), await ask()];
  expect([owner, ...subnets].map(isCut)).toEqual([false, true, false]);
});
