import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { expect, it, onTestFinished, vi } from "vitest";
import { KEEP_ALIVE_MS, RESPONSE_IDLE_MS, RESPONSE_WHOLE_MS } from "#lib/http/http-limits.ts";
import { currentRequestContext } from "#lib/http/server/request-context.ts";
import { get, serve, serveApplication } from "./served.ts";

/** More than the buffers of both sockets hold. */
const LARGE = Buffer.alloc(50_000_000);

/** The time after which Node cuts the connection when no byte moves. */
const idleMsOf = (response: ServerResponse | undefined) => response?.req.socket.timeout;

it("a client that reads nothing of its response loses its connection", async () => {
  const { connection, answers } = await serve();
  connection.socket.pause();
  connection.send(get("/api/large"));
  await expect.poll(() => answers.size).toBe(1);
  const response = answers.get("/api/large") as ServerResponse;
  expect(idleMsOf(response)).toBeFalsy();
  response.end(LARGE);
  expect(idleMsOf(response)).toBe(RESPONSE_IDLE_MS);
  const closed = once(response, "close");
  response.req.socket.emit("timeout");
  await closed;
  expect(response.writableFinished).toBe(false);
});

it("a client that reads a large response slowly, but never stops, loses its connection too", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const sent: ServerResponse[] = [];
  const { server, connection } = await serveApplication(async (_request, response) => {
    const context = currentRequestContext();
    if (context) context.contentLength = LARGE.length;
    response.end(LARGE);
    sent.push(response);
  });
  connection.socket.pause();
  connection.send(get("/api/large"));
  await once(server, "request");
  const [response] = sent;
  if (!response) return expect.fail("Nothing was sent.");
  vi.advanceTimersByTime(RESPONSE_WHOLE_MS - 1);
  expect(response.req.socket.destroyed).toBe(false);
  vi.advanceTimersByTime(1);
  expect(response.req.socket.destroyed).toBe(true);
});

it("a response to a client that is gone leaves no timer, which would keep it in memory", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const timers = Promise.withResolvers<number>();
  const { server, connection } = await serveApplication(async (_request, response) => {
    await once(response, "close");
    const context = currentRequestContext();
    if (context) context.contentLength = 4;
    const before = vi.getTimerCount();
    response.writeHead(400).end("gone");
    timers.resolve(vi.getTimerCount() - before);
  });
  connection.send(get("/api/gone"));
  await once(server, "request");
  connection.socket.resetAndDestroy();
  expect(await timers.promise).toBe(0);
});

it("once its response has been read, a connection has the idle time of any other", async () => {
  const { connection, answers } = await serve();
  connection.send(get("/api/small"));
  await expect.poll(() => answers.size).toBe(1);
  const response = answers.get("/api/small");
  response?.end("small");
  await expect.poll(() => connection.text).toContain("small");
  expect(idleMsOf(response)).toBeGreaterThanOrEqual(KEEP_ALIVE_MS);
});

it("a pipelined response is limited from its turn on", async () => {
  const { connection, answers } = await serve();
  connection.send(`${get("/api/first")}${get("/api/second")}`);
  await expect.poll(() => answers.size).toBe(2);
  const [first, second] = [answers.get("/api/first"), answers.get("/api/second")];
  connection.socket.pause();
  second?.end(LARGE);
  // The first one may still be rendered for a long time.
  expect(idleMsOf(first)).toBeFalsy();
  first?.end("first");
  await expect.poll(() => idleMsOf(second)).toBe(RESPONSE_IDLE_MS);
});
