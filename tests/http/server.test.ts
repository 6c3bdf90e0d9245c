import { once } from "node:events";
import type { Server, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import { COOKIE_LIMIT, PARAMETER_LIMIT } from "#lib/http/http-limits.ts";
import { type Arrival, arrivalOf } from "#lib/http/server/request-context.ts";
import { createHttpServer } from "#lib/http/server/server.ts";
import { closeIdleConnections } from "#lib/http/server/socket.ts";
import { parseAnswer, RawConnection } from "../e2e/service.ts";

let server: Server;

/** A server whose answers are given by hand, by path. */
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

describe("how a request came in", () => {
  it("is known as it was sent, whatever is done to the request since", async () => {
    const arrivals: Arrival[] = [];
    server = createHttpServer(async (request, response) => {
      // Next does the first of these.
      request.headers["x-forwarded-host"] ??= "filled.example";
      request.headers.cookie = "changed=1";
      arrivals.push(arrivalOf(new Request("https://other.example/")));
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
    expect(arrivals).toMatchObject([{ address: "127.0.0.1", encrypted: false }]);
    expect(Object.fromEntries(arrivals[0]?.headers ?? [])).toEqual({
      host: "X:1",
      cookie: "a=1; a=2",
      authorization: "",
      origin: "http://x, http://y",
      "x-forwarded-for": "192.0.2.1, 192.0.2.2",
      connection: "close",
    });
  });
});

describe("a body that nobody reads", () => {
  it("is taken whole from a client that reads nothing before, however late the answer comes", async () => {
    const { connection, answers } = await serve();
    const body = Buffer.alloc(12_000_000, " ");
    connection.socket.pause();
    connection.send(`POST /api/x HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n`);
    const sent = new Promise((resolve) => connection.socket.write(body, resolve));
    await expect.poll(() => answers.size).toBe(1);
    // Long enough for Node to stop reading the connection, which is what it is about.
    await sleep(100);
    answers.get("/api/x")?.writeHead(415).end();
    expect(await sent).toBeFalsy();
    connection.socket.resume();
    expect((await connection.answer()).status).toBe(415);
  });
});

describe("requests that are sent one behind the other", () => {
  it("are all answered when the service stops between them", async () => {
    const { connection, answers } = await serve();
    connection.send(get("/a") + get("/b"));
    await expect.poll(() => answers.size).toBe(2);
    answers.get("/a")?.end("first");
    await expect.poll(() => connection.text).toContain("first");
    stop();
    await sleep(20);
    answers.get("/b")?.end("second");
    await connection.closed;
    expect(connection.text).toMatch(/first[\s\S]*connection: close[\s\S]*second/i);
  });

  it("are all answered when the service stops before the first, which does not announce the end", async () => {
    const { connection, answers } = await serve();
    connection.send(get("/a") + get("/b"));
    await expect.poll(() => answers.size).toBe(2);
    stop();
    answers.get("/a")?.end("first");
    await sleep(20);
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

  it("are not interrupted by the answer to garbage behind them", async () => {
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
  "a parameter that is called like the prototype is refused: %s",
  async (query) => {
    const { connection, answers } = await serve();
    connection.send(get(`/?${query}`));
    await expect.poll(() => connection.text).toContain("error");
    expect(parseAnswer(connection.text).status).toBe(400);
    expect(answers.size).toBe(0);
  },
);

describe("a head that would take long to read", () => {
  const parameters = (count: number) => get(`/?${Array(count).fill("a=1").join("&")}`);
  const cookies = (count: number) =>
    get("/").replace("\r\n\r\n", `\r\nCookie: ${Array(count).fill("a=1").join("; ")}\r\n\r\n`);

  it.each([
    ["parameters", parameters(PARAMETER_LIMIT + 1)],
    ["cookies", cookies(COOKIE_LIMIT + 1)],
  ])("is refused for its %s, unseen by the application", async (name, request) => {
    const { connection, answers } = await serve();
    connection.send(request);
    await expect.poll(() => connection.text).toContain("error");
    const { status, body } = parseAnswer(connection.text);
    expect(status).toBe(400);
    expect(JSON.parse(body).error).toMatchObject({ code: "invalid_request", message: expect.stringContaining(name) });
    expect(answers.size).toBe(0);
  });

  it("is let in with as many of either as a browser may have", async () => {
    const { connection, answers } = await serve();
    connection.send(parameters(PARAMETER_LIMIT) + cookies(COOKIE_LIMIT));
    await expect.poll(() => answers.size).toBe(2);
  });
});
