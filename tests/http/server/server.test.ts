import type { IncomingMessage } from "node:http";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import {
  CONNECTION_MARGIN,
  COOKIE_LIMIT,
  HEADERS_TIMEOUT_MS,
  KEEP_ALIVE_MS,
  PARAMETER_LIMIT,
  REQUEST_TIMEOUT_MS,
} from "#lib/http/http-limits.ts";
import { connectionLimit } from "#lib/http/server/connections/connection-limit.ts";
import { currentRequestContext, type ReceivedRequest, receivedRequest } from "#lib/http/server/request-context.ts";
import { ErrorAnswer } from "#lib/schemas/error.ts";
import { parseAnswer } from "../../e2e/service.ts";
import { get, serve, serveApplication } from "./served.ts";

/** Sends one request and reads its response. */
async function exchange(request: string) {
  const { connection, answers } = await serve();
  connection.send(request);
  await expect.poll(() => connection.text !== "" || answers.size > 0).toBe(true);
  for (const answer of answers.values()) answer.writeHead(200, { "Content-Length": 0 }).end();
  await expect.poll(() => connection.text).toContain("\r\n\r\n");
  return { answer: parseAnswer(connection.text), paths: [...answers.keys()] };
}

it("the server limits connections and time", async () => {
  const { server } = await serve();
  expect(server).toMatchObject({
    maxConnections: connectionLimit() + CONNECTION_MARGIN,
    headersTimeout: HEADERS_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
  });
});

describe("a request that the application never sees", () => {
  it.each([
    ["without a Host", 400, "GET / HTTP/1.1\r\n\r\n"],
    ["with two Hosts", 400, "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n"],
    ["of HTTP/0.9", 400, "GET / HTTP/0.9\r\nHost: x\r\n\r\n"],
    ["of HTTP/2.0", 400, "GET / HTTP/2.0\r\nHost: x\r\n\r\n"],
    ["of HTTP/1.2", 400, "GET / HTTP/1.2\r\nHost: x\r\n\r\n"],
    ["of HTTP/1.0 in chunks", 400, "POST /api/x HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"],
    ["with an invalid Host", 400, "GET / HTTP/1.1\r\nHost: a/b@c\r\n\r\n"],
    ["that is not HTTP", 400, "garbage\r\n\r\n"],
    ["with too many headers", 400, `GET / HTTP/1.1\r\nHost: x\r\nX: ${"x".repeat(20_000)}\r\n\r\n`],
    ["in gzip", 415, "POST /api/x HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n"],
    ["that writes to a page", 405, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n"],
    ["for the data of a page, by its path", 404, "GET /users.rsc HTTP/1.1\r\nHost: x\r\n\r\n"],
    ["to a proxy", 405, "CONNECT example.com:443 HTTP/1.1\r\nHost: x\r\n\r\n"],
  ])("is one %s", async (_name, status, request) => {
    const { answer, paths } = await exchange(request);
    expect([answer.status, paths]).toEqual([status, []]);
    const { error } = ErrorAnswer.parse(JSON.parse(answer.body));
    expect(answer.headers.get("x-request-id")).toBe(error.requestId);
    if (status === 405) expect(answer.headers.get("allow")).toBe("GET, HEAD");
  });

  it.each([
    ["their size", `X: ${"x".repeat(20_000)}\r\n`],
    ["their number", "a:\r\n".repeat(1_000)],
  ])("says which limits there are for headers, when they exceed that of %s", async (_name, headers) => {
    const { answer } = await exchange(`GET / HTTP/1.1\r\nHost: x\r\n${headers}\r\n`);
    expect(JSON.parse(answer.body).error.message).toContain("larger than 16 KiB, or more than 200");
  });

  it.each([
    [
      "in chunks of HTTP/1.0",
      "POST /api/x HTTP/1.0\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    ],
    ["of HTTP/2.0", "GET /api/x HTTP/2.0\r\nHost: x\r\nConnection: keep-alive\r\n\r\n"],
  ])("%s ends its connection, whatever the client asks, and what follows is not run", async (_name, request) => {
    const { connection, answers } = await serve();
    connection.send(request + get("/smuggled"));
    await connection.closed;
    expect(connection.text.split("HTTP/1.1 ")).toHaveLength(2);
    expect([...answers.keys()]).toEqual([]);
  });
});

describe("a request that the application sees", () => {
  it.each([
    ["with HTTP/1.0 and no Host", "GET /a HTTP/1.0\r\n\r\n"],
    ["in chunks", "POST /api/a HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: Chunked\r\n\r\n0\r\n\r\n"],
  ])("may be one %s", async (_name, request) => {
    const { answer, paths } = await exchange(request);
    expect([answer.status, paths.length]).toEqual([200, 1]);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "x-request-id": expect.any(String),
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
    });
  });

  /** The request as the application sees it, with the response of a page that sets `policy`. */
  async function seen(request: string, policy?: string) {
    const requests: IncomingMessage[] = [];
    const { connection } = await serveApplication(async (message, response) => {
      requests.push(message);
      if (policy) response.setHeader("Content-Security-Policy", policy);
      response.end();
    });
    connection.send(request);
    await expect.poll(() => connection.text).toContain("\r\n\r\n");
    const { method, headers } = requests[0] ?? expect.fail("The application saw no request.");
    return { method, headers, answer: parseAnswer(connection.text) };
  }

  const rsc = "RSC: 1\r\nNext-Router-Prefetch: 1\r\nX-Other: 1\r\n\r\n";

  it("has no headers for the data of a page where it asks a route, and keeps them where it asks a page", async () => {
    expect((await seen(`GET /api/a HTTP/1.1\r\nHost: x\r\n${rsc}`)).headers).toEqual({ host: "x", "x-other": "1" });
    const page = await seen(`GET /a HTTP/1.1\r\nHost: x\r\n${rsc}`);
    expect(page.headers).toMatchObject({ rsc: "1", "next-router-prefetch": "1", "x-other": "1" });
    const invalid = await seen(`GET /a HTTP/1.1\r\nHost: x\r\nNext-Router-State-Tree: x\r\n${rsc}`);
    expect(invalid.headers).not.toHaveProperty("next-router-state-tree");
    const incomplete = await seen("GET /a HTTP/1.1\r\nHost: x\r\nNext-Router-Prefetch: 1\r\n\r\n");
    expect(incomplete.headers).not.toHaveProperty("next-router-prefetch");
  });

  it.each(["/api/a", "/a"])("has no header to which Next would answer before it looks for %s", async (path) => {
    const { headers } = await seen(`GET ${path} HTTP/1.1\r\nHost: x\r\nX-Middleware-Prefetch: 1\r\nX-Other: 1\r\n\r\n`);
    expect(headers).toHaveProperty("x-other");
    expect(headers).not.toHaveProperty("x-middleware-prefetch");
  });

  it("has no cookies to which Next would answer by deleting them, also in what caches keep", async () => {
    const cookies = "a=1; __prerender_bypass=x;__next_preview_data; b=__prerender_bypass";
    const { headers } = await seen(`GET /api/a HTTP/1.1\r\nHost: x\r\nCookie: ${cookies}\r\n\r\n`);
    expect(headers.cookie).toBe("a=1; b=__prerender_bypass");
  });

  it("gets the length that its route has set, which Next drops", async () => {
    const { connection } = await serveApplication(async (_request, response) => {
      Object.assign(currentRequestContext() ?? {}, { contentLength: 4 });
      response.write("bo");
      response.end("dy");
    });
    const answer = await connection.send(get("/api/a")).firstAnswer();
    expect([answer.headers.get("content-length"), answer.body]).toEqual(["4", "body"]);
  });

  it("is OPTIONS where Next does not know its method", async () => {
    expect((await seen("PROPFIND /api/a HTTP/1.1\r\nHost: x\r\n\r\n")).method).toBe("OPTIONS");
    expect((await seen("PATCH /api/a HTTP/1.1\r\nHost: x\r\n\r\n")).method).toBe("PATCH");
  });

  it("gives a page the policy of a new nonce, in the request and in the response", async () => {
    const request = "GET /a HTTP/1.1\r\nHost: x\r\nContent-Security-Policy: script-src 'nonce-Y2xpZW50'\r\n\r\n";
    const { headers, answer } = await seen(request, "default-src 'none'");
    const policy = headers["content-security-policy"];
    expect(policy).toMatch(/^default-src 'self'; script-src 'self' 'nonce-[\w+/]{22}==';.*; frame-ancestors 'none'$/);
    expect(answer.headers.get("content-security-policy")).toBe(policy);
    expect((await seen(request)).answer.headers.has("content-security-policy")).toBe(false);
  });

  it("gives a page that has no policy that of its nonce", async () => {
    const { connection } = await serveApplication(async (_request, response) => {
      response.setHeader("Content-Type", "text/html; charset=utf-8").end();
    });
    const { headers } = await connection.send(get("/a")).firstAnswer();
    expect(headers.get("content-security-policy")).toMatch(/script-src 'self' 'nonce-.*frame-ancestors 'none'$/);
  });
});

describe("the received request", () => {
  it("is what the client sent, also after Next has changed the headers", async () => {
    const received: ReceivedRequest[] = [];
    const { connection } = await serveApplication(async (request, response) => {
      // Next does the first of these.
      request.headers["x-forwarded-host"] ??= "filled.example";
      request.headers.cookie = "changed=1";
      received.push(receivedRequest(new Request("https://other.example/")));
      response.end();
    });
    const lines = [
      "POST /api/a HTTP/1.1",
      "Host: X:1",
      "Cookie: a=1",
      "Cookie: a=2",
      "Authorization:",
      "Origin: http://x",
    ];
    const more = ["Origin: http://y", "X-Forwarded-For: 192.0.2.1", "X-Forwarded-For: 192.0.2.2", "Connection: close"];
    await connection.send([...lines, ...more, "", ""].join("\r\n")).answer();
    expect(received).toMatchObject([{ address: "127.0.0.1", encrypted: false }]);
    expect(Object.fromEntries(received[0]?.headers ?? [])).toEqual({
      host: "X:1",
      cookie: "a=1; a=2",
      authorization: "",
      origin: "http://x, http://y",
      "x-forwarded-for": "192.0.2.1, 192.0.2.2",
      connection: "close",
    });
  });
});

it.each(["__proto__=1", "a=1&%5F_proto__", "__proto__"])(
  "a parameter named __proto__ is refused: %s",
  async (query) => {
    const { connection, answers } = await serve();
    connection.send(get(`/?${query}`));
    await expect.poll(() => connection.text).toContain("error");
    expect(parseAnswer(connection.text).status).toBe(400);
    expect(answers.size).toBe(0);
  },
);

it("a request reaches the application while the variables of the access layer cannot be used", async () => {
  onTestFinished(() => void vi.unstubAllEnvs());
  vi.stubEnv("SERVICE_AUTH_ENABLED", "true");
  vi.stubEnv("SERVICE_TRUST_PROXY", "perhaps");
  expect(await exchange(get("/healthz"))).toMatchObject({ answer: { status: 200 }, paths: ["/healthz"] });
});

it("a request to upgrade is a plain one, also where Next listens for upgrades", async () => {
  const { server, connection, answers } = await serve();
  server.on("upgrade", (_request, socket) => socket.destroy());
  connection.send("GET /a HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n");
  await expect.poll(() => answers.size).toBe(1);
});

describe("a head that takes long to parse", () => {
  const parameters = (count: number) => get(`/?${Array(count).fill("a=1").join("&")}`);
  const cookies = (count: number) =>
    get("/").replace("\r\n\r\n", `\r\nCookie: ${Array(count).fill("a=1").join("; ")}\r\n\r\n`);

  it.each([
    ["parameters", parameters(PARAMETER_LIMIT + 1)],
    ["cookies", cookies(COOKIE_LIMIT + 1)],
  ])("is refused for its %s before the application sees it", async (name, request) => {
    const { connection, answers } = await serve();
    connection.send(request);
    await expect.poll(() => connection.text).toContain("error");
    const { status, body } = parseAnswer(connection.text);
    expect(status).toBe(400);
    expect(JSON.parse(body).error).toMatchObject({ code: "invalid_request", message: expect.stringContaining(name) });
    expect(answers.size).toBe(0);
  });

  it("is accepted at the limit of both", async () => {
    const { connection, answers } = await serve();
    connection.send(parameters(PARAMETER_LIMIT) + cookies(COOKIE_LIMIT));
    await expect.poll(() => answers.size).toBe(2);
  });
});
