import { once } from "node:events";
import type { Server } from "node:http";
import type { Socket } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { AppError } from "#lib/errors.ts";
import { LINGER_BYTES, LINGER_MS, PIPELINED_BYTES, PIPELINED_LIMIT } from "#lib/http/http-limits.ts";
import { closeIdleConnections } from "#lib/http/server/connections/open-connections.ts";
import { get, serve, serveApplication } from "./served.ts";

function stop(server: Server): void {
  server.close();
  closeIdleConnections();
}

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
    const { server, connection, answers } = await serve();
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
    const { server, connection, answers } = await serve();
    connection.send(get("/a") + get("/b"));
    await expect.poll(() => answers.size).toBe(2);
    answers.get("/a")?.end("first");
    await expect.poll(() => connection.text).toContain("first");
    stop(server);
    await nextTurn();
    answers.get("/b")?.end("second");
    await connection.closed;
    expect(connection.text).toMatch(/first[\s\S]*connection: close[\s\S]*second/i);
  });

  it("all get their responses when the service stops before the first, and only the last response closes the connection", async () => {
    const { server, connection, answers } = await serve();
    connection.send(get("/a") + get("/b"));
    await expect.poll(() => answers.size).toBe(2);
    stop(server);
    answers.get("/a")?.end("first");
    await nextTurn();
    answers.get("/b")?.end("second");
    await connection.closed;
    expect(connection.text).toMatch(/first[\s\S]*second/);
    expect(connection.text.match(/connection: close/gi)).toHaveLength(1);
  });

  it("leave a connection idle once the last is answered", async () => {
    const { server, connection, answers } = await serve();
    connection.send(get("/a") + get("/b"));
    await expect.poll(() => answers.size).toBe(2);
    for (const answer of answers.values()) answer.end("done");
    await expect.poll(() => connection.text.match(/done/g)).toHaveLength(2);
    stop(server);
    await connection.closed;
  });

  it("beyond a limit are refused once and then ignored, after the responses before them", async () => {
    const { connection, answers } = await serve();
    connection.send(Array.from({ length: PIPELINED_LIMIT + 50 }, (_, index) => get(`/${index}`)).join(""));
    await expect.poll(() => answers.size).toBe(PIPELINED_LIMIT);
    for (const answer of answers.values()) answer.end("done");
    await connection.closed;
    expect(connection.text.match(/done/g)).toHaveLength(PIPELINED_LIMIT);
    expect(connection.text.match(/HTTP\/1\.1 429 /g)).toHaveLength(1);
    expect(answers.size).toBe(PIPELINED_LIMIT);
  });

  it.each([
    ["heads", 2, (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\nX-Long: ${"x".repeat(12_000)}\r\n\r\n`],
    [
      "bodies that nobody has read yet",
      3,
      (path: string) => `POST /api${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 12000\r\n\r\n${"x".repeat(12_000)}`,
    ],
  ])("wait in memory with few bytes of %s", async (_name, accepted, request) => {
    const { connection, answers } = await serve();
    for (let at = 0; at <= accepted; at++) connection.send(request(`/${at}`));
    await expect.poll(() => answers.size).toBe(accepted);
    for (const answer of answers.values()) answer.end("done");
    await connection.closed;
    expect(connection.text.match(/done/g)).toHaveLength(accepted);
    expect(connection.text).toContain(`more than ${PIPELINED_BYTES} bytes of unanswered requests`);
  });

  it("close their connection where its client sends more and more behind those that wait", async () => {
    const { connection, answers } = await serve();
    connection.send(Array.from({ length: PIPELINED_LIMIT + 1 }, (_, index) => get(`/${index}`)).join(""));
    await expect.poll(() => answers.size).toBe(PIPELINED_LIMIT);
    for (let bytes = 0; bytes <= PIPELINED_BYTES + 65_536; bytes += 1_000)
      connection.send(get(`/${"x".repeat(1_000)}`));
    await connection.closed;
    expect(answers.size).toBe(PIPELINED_LIMIT);
  });

  it("are closed where the application fails in a response that has started", async () => {
    const { connection } = await serveApplication(async (_request, response) => {
      response.write("begun");
      throw new AppError("overloaded", "Busy.");
    });
    connection.send(get("/a"));
    await connection.closed;
    expect(connection.text).not.toContain("overloaded");
  });

  it("get no error response inside a response that has started", async () => {
    const { connection, answers } = await serve();
    connection.send("POST /api/a HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n");
    await expect.poll(() => answers.size).toBe(1);
    answers.get("/api/a")?.write("begun");
    await expect.poll(() => connection.text).toContain("begun");
    connection.send("garbage\r\n\r\n");
    await connection.closed;
    expect(connection.text).not.toContain("HTTP/1.1 400");
  });

  it("get their responses before garbage behind them is refused, once", async () => {
    const { connection, answers } = await serve();
    connection.send(`${get("/a")}${get("/b")}garbage\r\n\r\n`);
    await expect.poll(() => answers.size).toBe(2);
    connection.send("garbage\r\n\r\n").send(get("/c"));
    answers.get("/b")?.end("second");
    answers.get("/a")?.write("first");
    await expect.poll(() => connection.text).toContain("first");
    answers.get("/a")?.end();
    await connection.closed;
    expect(connection.text).toMatch(/first[\s\S]*second[\s\S]*HTTP\/1\.1 400 /);
    expect(connection.text.match(/HTTP\/1\.1 /g)).toHaveLength(3);
    expect(answers.size).toBe(2);
  });

  it("get their responses before an incomplete request behind them is refused", async () => {
    const { connection, answers } = await serve();
    connection.send(`${get("/a")}POST /api/b HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\ngarbage\r\n`);
    await expect.poll(() => answers.size).toBe(2);
    answers.get("/a")?.end("first");
    await connection.closed;
    expect(connection.text).toMatch(/first[\s\S]*HTTP\/1\.1 400 /);
  });

  it("may be abandoned after garbage", async () => {
    const { server, connection, answers } = await serve();
    const accepted = once(server, "connection") as Promise<[Socket]>;
    connection.send(`${get("/a")}garbage\r\n\r\n`);
    await expect.poll(() => answers.size).toBe(1);
    const [socket] = await accepted;
    connection.socket.destroy();
    await new Promise<void>((resolve) => socket.once("close", () => resolve()));
    expect(connection.text).toBe("");
  });
});

describe("a connection without a running request", () => {
  /** The server's end of the next connection. */
  const accepted = async (server: Server) => (await once(server, "connection"))[0] as Socket;

  it("is closed when the service stops, where it has sent nothing", async () => {
    const { server, connection } = await serve();
    await accepted(server);
    stop(server);
    await connection.closed;
  });

  it("is closed when the service stops, where it has sent half a request after a whole one", async () => {
    const { server, connection, answers } = await serve();
    const socket = await accepted(server);
    connection.send(get("/a"));
    await expect.poll(() => answers.size).toBe(1);
    answers.get("/a")?.end("done");
    await expect.poll(() => connection.text).toContain("done");
    const half = "GET /b HTTP/1.1\r\nHost:";
    connection.send(half);
    await expect.poll(() => socket.bytesRead).toBe(get("/a").length + half.length);
    stop(server);
    await connection.closed;
  });
});

it("a request with more than 200 headers is refused, and its connection closes", async () => {
  const { connection, answers } = await serve();
  const headers = (count: number) => Array.from({ length: count }, (_, index) => `x${index}:\r\n`).join("");
  connection.send(`GET /a HTTP/1.1\r\nHost: x\r\n${headers(199)}\r\n`);
  await expect.poll(() => answers.size).toBe(1);
  answers.get("/a")?.end("done");
  connection.send(`GET /b HTTP/1.1\r\nHost: x\r\n${headers(200)}\r\n`);
  await connection.closed;
  expect(connection.text).toMatch(/done[\s\S]*HTTP\/1\.1 400 [\s\S]*Got 201 headers, want at most 200/);
  expect(answers.size).toBe(1);
});
