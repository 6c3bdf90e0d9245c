import { once } from "node:events";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { AppError } from "#lib/errors.ts";
import {
  CONNECTION_LIMIT,
  COOKIE_LIMIT,
  HEADERS_TIMEOUT_MS,
  KEEP_ALIVE_MS,
  LINGER_BYTES,
  LINGER_MS,
  PARAMETER_LIMIT,
  REQUEST_TIMEOUT_MS,
} from "#lib/http/http-limits.ts";
import { currentRequestContext, type ReceivedRequest, receivedRequest } from "#lib/http/server/request-context.ts";
import { createHttpServer } from "#lib/http/server/server.ts";
import { closeIdleConnections } from "#lib/http/server/socket.ts";
import { ErrorAnswer } from "#lib/schemas/error.ts";
import { parseAnswer, RawConnection } from "../../e2e/service.ts";

let server: Server;

/** Starts a server whose responses the test sends itself. */
async function serve(): Promise<{ connection: RawConnection; answers: Map<string, ServerResponse> }> {
  const answers = new Map<string, ServerResponse>();
  server = createHttpServer(async (request, response) => {
    answers.set(String(request.url), response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return { connection: new RawConnection((server.address() as AddressInfo).port), answers };
}

function stop(): void {
  server.close();
  closeIdleConnections();
}

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;

afterEach(() => {
  server.closeAllConnections();
  server.close();
});

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
  await serve();
  expect(server).toMatchObject({
    maxConnections: CONNECTION_LIMIT,
    headersTimeout: HEADERS_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
  });
});

describe("a request that the application never sees", () => {
  it.each([
    ["without a Host", 400, "GET / HTTP/1.1\r\n\r\n"],
    ["with two Hosts", 400, "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n"],
    ["with an invalid Host", 400, "GET / HTTP/1.1\r\nHost: a/b@c\r\n\r\n"],
    ["that is not HTTP", 400, "garbage\r\n\r\n"],
    ["with too many headers", 400, `GET / HTTP/1.1\r\nHost: x\r\nX: ${"x".repeat(20_000)}\r\n\r\n`],
    ["in gzip", 415, "POST /api/x HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n"],
    ["that writes to a page", 405, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n"],
    ["to a proxy", 405, "CONNECT example.com:443 HTTP/1.1\r\nHost: x\r\n\r\n"],
  ])("is one %s", async (_name, status, request) => {
    const { answer, paths } = await exchange(request);
    expect([answer.status, paths]).toEqual([status, []]);
    const { error } = ErrorAnswer.parse(JSON.parse(answer.body));
    expect(answer.headers.get("x-request-id")).toBe(error.requestId);
    if (status === 405) expect(answer.headers.get("allow")).toBe("GET, HEAD");
  });

  it("says which limit its headers exceed", async () => {
    const { answer } = await exchange(`GET / HTTP/1.1\r\nHost: x\r\nX: ${"x".repeat(20_000)}\r\n\r\n`);
    expect(JSON.parse(answer.body).error.message).toContain("16 KiB");
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
    server = createHttpServer(async (message, response) => {
      requests.push(message);
      if (policy) response.setHeader("Content-Security-Policy", policy);
      response.end();
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const connection = new RawConnection((server.address() as AddressInfo).port).send(request);
    await expect.poll(() => connection.text).toContain("\r\n\r\n");
    const { method, headers } = requests[0] ?? expect.fail("The application saw no request.");
    return { method, headers, answer: parseAnswer(connection.text) };
  }

  const rsc = "RSC: 1\r\nNext-Router-Prefetch: 1\r\nX-Other: 1\r\n\r\n";

  it("has no headers for the data of a page where it asks a route, and keeps them where it asks a page", async () => {
    expect((await seen(`GET /api/a HTTP/1.1\r\nHost: x\r\n${rsc}`)).headers).toEqual({ host: "x", "x-other": "1" });
    const page = await seen(`GET /a HTTP/1.1\r\nHost: x\r\n${rsc}`);
    expect(page.headers).toMatchObject({ rsc: "1", "next-router-prefetch": "1", "x-other": "1" });
  });

  it("gets the length that its route has set, which Next drops", async () => {
    server = createHttpServer(async (_request, response) => {
      Object.assign(currentRequestContext() ?? {}, { contentLength: 4 });
      response.write("bo");
      response.end("dy");
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const answer = await new RawConnection(port).send(get("/api/a")).firstAnswer();
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
});

describe("the received request", () => {
  it("is what the client sent, also after Next has changed the headers", async () => {
    const received: ReceivedRequest[] = [];
    server = createHttpServer(async (request, response) => {
      // Next does the first of these.
      request.headers["x-forwarded-host"] ??= "filled.example";
      request.headers.cookie = "changed=1";
      received.push(receivedRequest(new Request("https://other.example/")));
      response.end();
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const lines = [
      "POST /api/a HTTP/1.1",
      "Host: X:1",
      "Cookie: a=1",
      "Cookie: a=2",
      "Authorization:",
      "Origin: http://x",
    ];
    const more = ["Origin: http://y", "X-Forwarded-For: 192.0.2.1", "X-Forwarded-For: 192.0.2.2", "Connection: close"];
    await new RawConnection((server.address() as AddressInfo).port)
      .send([...lines, ...more, "", ""].join("\r\n"))
      .answer();
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

describe("a body that the application does not read", () => {
  const head = (length: number) => `POST /api/x HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\n\r\n`;

  it("is discarded, so that a client which sends it all before it reads gets its late response", async () => {
    const { connection, answers } = await serve();
    const body = Buffer.alloc(12_000_000, " ");
    connection.socket.pause();
    connection.send(head(body.length));
    const sent = new Promise((resolve) => connection.socket.write(body, resolve));
    await expect.poll(() => answers.size).toBe(1);
    // Node stops reading a connection whose body is unread. The response comes after that.
    await expect.poll(() => answers.get("/api/x")?.req.socket.isPaused()).toBe(true);
    answers.get("/api/x")?.writeHead(415).end();
    expect(await sent).toBeFalsy();
    connection.socket.resume();
    expect((await connection.answer()).status).toBe(415);
  });

  it("is discarded up to a limit of bytes", async () => {
    const { connection, answers } = await serve();
    connection.socket.allowHalfOpen = true;
    // The limit of time never comes.
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    connection.send(head(100 * LINGER_BYTES));
    await once(server, "request");
    answers.get("/api/x")?.writeHead(415).end();
    // The socket buffers of both ends hold a few megabytes more.
    const most = LINGER_BYTES + 20_000_000;
    let sent = 0;
    const chunk = Buffer.alloc(100_000);
    const send = (error?: Error | null) => {
      if (error) return;
      sent += chunk.length;
      if (sent > most) connection.socket.destroy();
      else if (!connection.socket.destroyed) connection.socket.write(chunk, send);
    };
    send();
    await connection.closed;
    expect(sent).toBeLessThan(most);
  });

  it("is discarded for a limited time", async () => {
    const { connection, answers } = await serve();
    connection.socket.allowHalfOpen = true;
    connection.send(head(1_000)).send("x");
    await expect.poll(() => answers.size).toBe(1);
    const response = answers.get("/api/x") ?? expect.fail("no response");
    const { socket } = response.req;
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    response.writeHead(415).end();
    await once(connection.socket, "end");
    vi.advanceTimersByTime(LINGER_MS - 1);
    expect(socket.destroyed).toBe(false);
    vi.advanceTimersByTime(1);
    expect(socket.destroyed).toBe(true);
    connection.socket.destroy();
  });
});

describe("pipelined requests", () => {
  it("all get their responses when the service stops between them", async () => {
    const { connection, answers } = await serve();
    connection.send(get("/a") + get("/b"));
    await expect.poll(() => answers.size).toBe(2);
    answers.get("/a")?.end("first");
    await expect.poll(() => connection.text).toContain("first");
    stop();
    await nextTurn();
    answers.get("/b")?.end("second");
    await connection.closed;
    expect(connection.text).toMatch(/first[\s\S]*connection: close[\s\S]*second/i);
  });

  it("all get their responses when the service stops before the first, and only the last response closes the connection", async () => {
    const { connection, answers } = await serve();
    connection.send(get("/a") + get("/b"));
    await expect.poll(() => answers.size).toBe(2);
    stop();
    answers.get("/a")?.end("first");
    await nextTurn();
    answers.get("/b")?.end("second");
    await connection.closed;
    expect(connection.text).toMatch(/first[\s\S]*second/);
    expect(connection.text.match(/connection: close/gi)).toHaveLength(1);
  });

  it("leave a connection idle once the last is answered", async () => {
    const { connection, answers } = await serve();
    connection.send(get("/a") + get("/b"));
    await expect.poll(() => answers.size).toBe(2);
    for (const answer of answers.values()) answer.end("done");
    await expect.poll(() => connection.text.match(/done/g)).toHaveLength(2);
    stop();
    await connection.closed;
  });

  it("are closed where the application fails in a response that has started", async () => {
    server = createHttpServer(async (_request, response) => {
      response.write("begun");
      throw new AppError("overloaded", "Busy.");
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const connection = new RawConnection((server.address() as AddressInfo).port).send(get("/a"));
    await connection.closed;
    expect(connection.text).not.toContain("overloaded");
  });

  it("get no error response inside a response that has started", async () => {
    const { connection, answers } = await serve();
    connection.send(get("/a"));
    await expect.poll(() => answers.size).toBe(1);
    answers.get("/a")?.write("begun");
    await expect.poll(() => connection.text).toContain("begun");
    connection.send("garbage\r\n\r\n");
    await connection.closed;
    expect(connection.text).not.toContain("HTTP/1.1 400");
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

describe("a connection without a running request", () => {
  /** The server's end of the next connection. */
  const accepted = async () => (await once(server, "connection"))[0] as Socket;

  it("is closed when the service stops, where it has sent nothing", async () => {
    const { connection } = await serve();
    await accepted();
    stop();
    await connection.closed;
  });

  it("is closed when the service stops, where it has sent half a request after a whole one", async () => {
    const { connection, answers } = await serve();
    const socket = await accepted();
    connection.send(get("/a"));
    await expect.poll(() => answers.size).toBe(1);
    answers.get("/a")?.end("done");
    await expect.poll(() => connection.text).toContain("done");
    const half = "GET /b HTTP/1.1\r\nHost:";
    connection.send(half);
    await expect.poll(() => socket.bytesRead).toBe(get("/a").length + half.length);
    stop();
    await connection.closed;
  });
});

it("a request to upgrade is a plain one, also where Next listens for upgrades", async () => {
  const { connection, answers } = await serve();
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
