import { once } from "node:events";
import type { Server, ServerResponse } from "node:http";
import { type AddressInfo, createConnection, type Socket } from "node:net";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { NEW_CONNECTION_MS } from "#lib/http/http-limits.ts";
import { get, serve } from "./served.ts";

afterEach(() => void vi.useRealTimers());
afterEach(() => void vi.unstubAllEnvs());

const LIMIT = 6;

type Client = { socket: Socket; closed: Promise<string>; isOpen: () => boolean };

/** Connects from an address of this machine, and waits until the server has the connection. */
async function connect(server: Server, localAddress: string): Promise<Client> {
  const { port } = server.address() as AddressInfo;
  const accepted = once(server, "connection");
  const socket = createConnection({ port, host: "127.0.0.1", localAddress });
  socket.on("error", () => undefined).resume();
  onTestFinished(() => void socket.destroy());
  const closed = new Promise<string>((resolve) => socket.once("close", () => resolve("closed")));
  await accepted;
  return { socket, closed, isOpen: () => !socket.destroyed };
}

async function connectMany(server: Server, localAddress: string, count: number): Promise<Client[]> {
  const clients: Client[] = [];
  for (let index = 0; index < count; index++) clients.push(await connect(server, localAddress));
  return clients;
}

const openOf = (clients: Client[]) => clients.map(({ isOpen }) => isOpen());

/** A server that holds {@link LIMIT} connections, and has none. */
async function crowd() {
  const served = await serve({ connections: LIMIT });
  await once(served.server, "connection");
  served.connection.socket.destroy();
  await expect.poll(() => connectionsOf(served.server)).toBe(0);
  return served;
}

function connectionsOf(server: Server): Promise<number> {
  return new Promise((resolve) => server.getConnections((_, count) => resolve(count)));
}

/** Connects from one address, with a running request on each connection. */
async function connectAndAsk(
  { server, answers }: Pick<Awaited<ReturnType<typeof crowd>>, "server" | "answers">,
  count: number,
) {
  const clients = await connectMany(server, "127.0.0.2", count);
  for (const [index, { socket }] of clients.entries()) socket.write(get(`/${index}`));
  await expect.poll(() => answers.size).toBe(count);
  return clients;
}

describe("a server with as many connections as it holds", () => {
  it("closes the one that is idle for longest of the address with the most idle ones", async () => {
    const { server, answers } = await crowd();
    const [other] = await connectMany(server, "127.0.0.2", 1);
    const crowding = await connectMany(server, "127.0.0.3", LIMIT - 1);
    const added = await connect(server, "127.0.0.4");
    expect(await crowding[0]?.closed).toBe("closed");
    expect(openOf(crowding.slice(1))).toEqual([true, true, true, true]);
    added.socket.write(get("/served"));
    await expect.poll(() => answers.has("/served")).toBe(true);
    expect(other?.isOpen()).toBe(true);
  });

  it("serves a crowding address like others, and only in its own place", async () => {
    const { server } = await crowd();
    const [other] = await connectMany(server, "127.0.0.2", 1);
    const crowding = await connectMany(server, "127.0.0.3", 3 * LIMIT);
    await Promise.all(crowding.slice(0, -(LIMIT - 1)).map(({ closed }) => closed));
    expect(openOf(crowding.slice(-(LIMIT - 1)))).toEqual(Array(LIMIT - 1).fill(true));
    expect(other?.isOpen()).toBe(true);
  });

  it("refuses the next one of a proxy whose connections all have running requests", async () => {
    const { server, answers } = await crowd();
    const proxied = await connectAndAsk({ server, answers }, LIMIT);
    const own = await connect(server, "127.0.0.2");
    expect(await own.closed).toBe("closed");
    expect(openOf(proxied)).toEqual(Array(LIMIT).fill(true));
  });

  it("closes the newest one with a running request for a client at an address with fewer", async () => {
    const { server, answers } = await crowd();
    const waiting = await connectAndAsk({ server, answers }, LIMIT);
    const added = await connect(server, "127.0.0.3");
    expect(await waiting.at(-1)?.closed).toBe("closed");
    added.socket.write(get("/served"));
    await expect.poll(() => answers.has("/served")).toBe(true);
    expect(openOf(waiting.slice(0, -1))).toEqual(Array(LIMIT - 1).fill(true));
  });

  it("closes one that does not read a response which is sent while it is made, rather than another", async () => {
    const { server, answers } = await crowd();
    const waiting = await connectAndAsk({ server, answers }, LIMIT);
    waiting[1]?.socket.pause();
    answers.get("/1")?.write(Buffer.alloc(50_000_000));
    await connect(server, "127.0.0.3");
    await expect.poll(() => answers.get("/1")?.destroyed).toBe(true);
    expect(openOf(waiting.filter((_, index) => index !== 1))).toEqual(Array(LIMIT - 1).fill(true));
  });

  it("closes one whose body does not arrive for a client at an address with fewer", async () => {
    const { server, answers } = await crowd();
    const stalling = await connectMany(server, "127.0.0.2", LIMIT);
    for (const [index, { socket }] of stalling.entries())
      socket.write(`POST /api/${index} HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n`);
    await expect.poll(() => answers.size).toBe(LIMIT);
    const added = await connect(server, "127.0.0.3");
    expect(await stalling[0]?.closed).toBe("closed");
    added.socket.write(get("/served"));
    await expect.poll(() => answers.has("/served")).toBe(true);
    // An address that has as many itself has to wait.
    const own = await connect(server, "127.0.0.2");
    expect(await own.closed).toBe("closed");
    expect(openOf(stalling.slice(1))).toEqual(Array(LIMIT - 1).fill(true));
  });

  it("keeps a new one until its request arrives, although a crowding address opens more", async () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    const { server, answers } = await crowd();
    const stalling = await connectMany(server, "127.0.0.2", LIMIT - 1);
    for (const [index, { socket }] of stalling.entries())
      socket.write(`POST /api/${index} HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n`);
    await expect.poll(() => answers.size).toBe(LIMIT - 1);
    const other = await connect(server, "127.0.0.3");
    const more = await connectMany(server, "127.0.0.2", LIMIT);
    await Promise.all(more.map(({ closed }) => closed));
    other.socket.write(get("/served"));
    await expect.poll(() => answers.has("/served")).toBe(true);
  });

  it("closes one that sends no request within a second, also for an address that has more", async () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    const { server, answers } = await crowd();
    await connectAndAsk({ server, answers }, LIMIT - 1);
    const idle = await connect(server, "127.0.0.3");
    vi.advanceTimersByTime(NEW_CONNECTION_MS);
    const added = await connect(server, "127.0.0.2");
    expect(await idle.closed).toBe("closed");
    expect(added.isOpen()).toBe(true);
  });

  /** A server that trusts a proxy at 127.0.0.2, and a full number of its connections with a request each. */
  async function crowdThroughProxy(requestOf: (index: number) => string) {
    vi.stubEnv("SERVICE_TRUST_PROXY", "true");
    const limit = 10;
    const { server, answers, connection } = await serve({ connections: limit });
    connection.socket.destroy();
    await expect.poll(() => connectionsOf(server)).toBe(0);
    const proxied = await connectMany(server, "127.0.0.2", limit);
    for (const [index, { socket }] of proxied.entries()) socket.write(requestOf(index));
    await expect.poll(() => answers.size).toBe(limit);
    return { server, answers, proxied };
  }

  /** The first two requests come from clients of their own, all others from one client. */
  const forwarded = (index: number) => `Host: x\r\nX-Forwarded-For: 198.51.100.${index < 2 ? index : 9}\r\n`;

  it("answers a slow request of the client of a proxy that has most, so that it keeps out no other client of that proxy", async () => {
    const { server, answers, proxied } = await crowdThroughProxy(
      (index) => `POST /api/${index} HTTP/1.1\r\n${forwarded(index)}Content-Length: 9\r\n\r\n`,
    );
    const received = once(proxied[2]?.socket as Socket, "data");
    const added = await connect(server, "127.0.0.2");
    expect(String(await received)).toMatch(/^HTTP\/1.1 503 .*"code":"overloaded"/s);
    expect(await proxied[2]?.closed).toBe("closed");
    added.socket.write(get("/served"));
    await expect.poll(() => answers.has("/served")).toBe(true);
    expect(openOf(proxied)).toEqual(proxied.map((_, index) => index !== 2));
  });

  it("reads on behind such an answer, so that a proxy which is passing on a body meets no reset", async () => {
    const { server, proxied } = await crowdThroughProxy(
      (index) => `POST /api/${index} HTTP/1.1\r\n${forwarded(index)}Content-Length: 9000000\r\n\r\n`,
    );
    const { socket } = proxied[2] as Client;
    const faults: Error[] = [];
    socket.on("error", (error) => faults.push(error));
    socket.write(Buffer.alloc(8_000_000));
    const received = once(socket, "data");
    await connect(server, "127.0.0.2");
    expect(String(await received)).toMatch(/^HTTP\/1.1 503 /);
    await proxied[2]?.closed;
    expect(faults).toEqual([]);
  });

  it("closes no idle connections of a proxy while a client has many slow requests: the proxy may be about to use them", async () => {
    const { server, answers, proxied } = await crowdThroughProxy(
      (index) => `POST /api/${index} HTTP/1.1\r\n${forwarded(index)}Content-Length: ${index < 2 ? 0 : 9}\r\n\r\n`,
    );
    for (const index of [0, 1]) answers.get(`/api/${index}`)?.end();
    await Promise.all(proxied.slice(0, 2).map(({ socket }) => once(socket, "data")));
    await connect(server, "127.0.0.2");
    expect(await proxied[2]?.closed).toBe("closed");
    expect(openOf(proxied)).toEqual(proxied.map((_, index) => index !== 2));
  });

  it("answers the newest request of the client of a proxy that has most, where all of them wait for the server", async () => {
    const { server, answers, proxied } = await crowdThroughProxy(
      (index) => `GET /${index} HTTP/1.1\r\n${forwarded(index)}\r\n`,
    );
    const received = once(proxied[9]?.socket as Socket, "data");
    const added = await connect(server, "127.0.0.2");
    expect(String(await received)).toMatch(/^HTTP\/1.1 503 .*"code":"overloaded"/s);
    await expect.poll(() => answers.get("/9")?.destroyed).toBe(true);
    added.socket.write(get("/served"));
    await expect.poll(() => answers.has("/served")).toBe(true);
    expect(openOf(proxied)).toEqual(proxied.map((_, index) => index !== 9));
  });

  it("closes the connection of a client of a proxy that does not read its response", async () => {
    const { server, answers, proxied } = await crowdThroughProxy(
      (index) => `GET /${index} HTTP/1.1\r\n${forwarded(index)}\r\n`,
    );
    for (const { socket } of proxied) socket.pause();
    for (const response of answers.values()) response.end(Buffer.alloc(20_000_000));
    const slow = answers.get("/2") as ServerResponse;
    const added = await connect(server, "127.0.0.2");
    expect(slow.req.socket.destroyed).toBe(true);
    expect([...answers.values()].filter(({ req }) => req.socket.destroyed)).toEqual([slow]);
    added.socket.write(get("/served"));
    await expect.poll(() => answers.has("/served")).toBe(true);
  });
});
