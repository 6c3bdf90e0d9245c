import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { z } from "zod";
import { AppError } from "#lib/errors.ts";
import { readBody } from "#lib/http/body/body.ts";
import { BodyShare } from "#lib/http/body/body-budget.ts";
import { BODY_IDLE_MS, LINGER_MS } from "#lib/http/http-limits.ts";
import { anyone } from "#lib/http/identity/auth.ts";
import { pngResponse } from "#lib/http/response/png-response.ts";
import { nothingHere } from "#lib/http/route/methods.ts";
import { type Handler, route } from "#lib/http/route/route.ts";
import { fastPaths, offerFastPath } from "#lib/http/server/fast-path.ts";
import { createHttpServer } from "#lib/http/server/server.ts";
import { renderPicture, shutDown } from "#lib/render/render.ts";
import { captureLog } from "../../captured-log.ts";
import { parseAnswer, RawConnection } from "../../e2e/service.ts";
import { eventually, prepareMachine } from "../../render/rig.ts";
import { errorOf } from "../requests.ts";

const PATH = "/api/offered";
const PNG = Buffer.from("picture");

/** The server of the service, with every path that has no fast path answered 418. */
const server = createHttpServer(async (request, response) => {
  const answer = fastPaths().get(request.url ?? "");
  if (answer) await answer(request, response);
  else response.writeHead(418).end();
});

let port: number;

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  port = (server.address() as AddressInfo).port;
});

afterEach(() => {
  vi.unstubAllEnvs();
});

afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await shutDown();
});

test("a route that is loaded before a server has asked for fast paths goes through Next", () => {
  offerFastPath("/api/too-early", nothingHere);
  expect(fastPaths().size).toBe(0);
});

/** Offers a POST handler at {@link PATH}. */
function offer(handler: Handler): void {
  offerFastPath(PATH, { ...nothingHere, POST: handler });
}

const post = (path: string) => fetch(`http://127.0.0.1:${port}${path}`, { method: "POST" });

test("a server answers an offered path itself, and only that path", async () => {
  const handlers = { ...nothingHere, POST: async () => Response.json({ offered: true }, { status: 203 }) };
  expect(offerFastPath(PATH, handlers)).toBe(handlers);
  const answer = await post(PATH);
  expect([answer.status, await answer.json()]).toEqual([203, { offered: true }]);
  expect((await post(`${PATH}?query`)).status).toBe(418);
});

test("every cookie, other header and the status of the response are sent", async () => {
  const headers = { "x-one": "1", "x-two": "2" };
  const handler = async () => {
    const response = new Response("gone", { status: 410, headers });
    for (const cookie of ["a=1; Path=/", "b=2"]) response.headers.append("Set-Cookie", cookie);
    return response;
  };
  offerFastPath(PATH, { ...nothingHere, GET: handler });
  const response = await fetch(`http://127.0.0.1:${port}${PATH}`);
  expect([response.status, await response.text()]).toEqual([410, "gone"]);
  expect(response.headers.getSetCookie()).toEqual(["a=1; Path=/", "b=2"]);
  expect(Object.fromEntries(response.headers)).toMatchObject(headers);
});

test("the body of a request reaches the handler, after it was asked for", async () => {
  const share = new BodyShare();
  onTestFinished(() => share.release());
  offer(async (request) => new Response(new Uint8Array(await readBody(request, { limitBytes: 100, share }))));
  const connection = new RawConnection(port);
  connection.send(`POST ${PATH} HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nExpect: 100-continue\r\n\r\n`);
  await expect.poll(() => connection.text).toBe("HTTP/1.1 100 Continue\r\n\r\n");
  connection.send("body");
  await expect.poll(() => connection.text).toContain("\r\nbody\r\n");
  connection.socket.destroy();
});

test("a picture is sent with its length", async () => {
  offer(
    route({
      auth: anyone,
      handle: () =>
        pngResponse({ png: PNG, slug: "a/b", etag: undefined, source: "memory", timings: {}, warnings: [] }),
    }),
  );
  const response = await post(PATH);
  expect([response.headers.get("content-length"), await response.text()]).toEqual(["7", "picture"]);
});

test("an error that follows a finished picture is answered as JSON, without the picture", async () => {
  offer(
    route({
      auth: anyone,
      handle: () => {
        pngResponse({ png: PNG, slug: "a/b", etag: undefined, source: "memory", timings: {}, warnings: [] });
        throw new AppError("unavailable", "The database is not reachable.");
      },
    }),
  );
  expect((await errorOf(await post(PATH))).code).toBe("unavailable");
});

test("silent connections do not delay a request, and are refused when the idle limit has passed", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  offer(
    route({ auth: anyone, body: z.object({}), returns: z.object({ ok: z.boolean() }), handle: () => ({ ok: true }) }),
  );
  const head = `POST ${PATH} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n`;
  const invited = "HTTP/1.1 100 Continue\r\n\r\n";
  const silent = Array.from({ length: 200 }, () =>
    new RawConnection(port).send(`${head}Content-Length: 1000\r\nExpect: 100-continue\r\n\r\n{`),
  );
  const texts = () => [...new Set(silent.map(({ text }) => text))];
  // Not expect.poll, which moves the clock.
  await eventually(() => texts().join() === invited);
  const good = new RawConnection(port).send(`${head}Content-Length: 2\r\nConnection: close\r\n\r\n{}`);
  expect((await good.answer()).body).toBe('{"ok":true}');
  await vi.advanceTimersByTimeAsync(BODY_IDLE_MS - 1);
  expect(texts()).toEqual([invited]);
  await vi.advanceTimersByTimeAsync(1 + LINGER_MS);
  for (const connection of silent) {
    await connection.closed;
    const answer = parseAnswer(connection.text.slice(invited.length));
    expect([answer.status, JSON.parse(answer.body).error.code]).toEqual([408, "request_timeout"]);
    expect(answer.headers.get("connection")).toBe("close");
  }
});

describe("a client that disconnects", () => {
  const request = `POST ${PATH} HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n`;

  test("aborts the signal of its request", async () => {
    const started = Promise.withResolvers<void>();
    const aborted = Promise.withResolvers<void>();
    offer(async ({ signal }) => {
      signal.addEventListener("abort", () => aborted.resolve());
      started.resolve();
      await aborted.promise;
      return new Response();
    });
    const connection = new RawConnection(port).send(request);
    await started.promise;
    connection.socket.destroy();
    await aborted.promise;
  });

  test("does not abort the signal of a request that was answered", async () => {
    const aborted = vi.fn();
    offer(async ({ signal }) => {
      signal.addEventListener("abort", aborted);
      return new Response("answer");
    });
    const closed = new Promise((resolve) => {
      server.once("request", (_request, response) => response.once("close", resolve));
    });
    const connection = new RawConnection(port).send(request);
    await expect.poll(() => connection.text).toContain("answer");
    connection.socket.destroy();
    await closed;
    expect(aborted).not.toHaveBeenCalled();
  });

  test("stops its render, whose place in the queue is free again", async () => {
    vi.stubEnv("SERVICE_RENDER_QUEUE", "0");
    vi.stubEnv("SERVICE_RENDER_TIMEOUT_MS", "300000");
    const page = { html: "<!doctype html><p>x", width: 100, height: 100 };
    const hung = { ...page, measure: "(() => { for (;;); })()" };
    await prepareMachine();
    await renderPicture(page);
    const lines = captureLog();
    const started = Promise.withResolvers<void>();
    offer(
      route({
        auth: anyone,
        handle: async ({ signal }) => {
          const rendering = renderPicture(hung, { signal });
          started.resolve();
          return new Response(new Uint8Array((await rendering).png));
        },
      }),
    );
    const connection = new RawConnection(port).send(request);
    await started.promise;
    await expect(renderPicture(page)).rejects.toMatchObject({ code: "overloaded" });
    connection.socket.destroy();
    const outcome = () => renderPicture(page).then(() => "rendered", String);
    await expect.poll(outcome).toBe("rendered");
    expect(lines.map((line) => JSON.parse(line).msg)).toContain("the client disconnected");
  });
});
