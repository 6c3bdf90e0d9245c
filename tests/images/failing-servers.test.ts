import { once } from "node:events";
import type { RequestListener } from "node:http";
import { createServer } from "node:net";
import { gzipSync } from "node:zlib";
import { afterEach, describe, expect, test, vi } from "vitest";
import { fetchImage, type RemoteImages } from "#lib/images/fetch-image.ts";
import { readImage } from "#lib/images/read-image.ts";
import { selfSigned } from "./certificate.ts";
import { picture } from "./files.ts";
import { host, remoteOf, serve } from "./remote-server.ts";

const NAME = "images.example";
const MAX_BYTES = 100_000;

/** Fetches from a server that answers so. */
async function fetchFrom(
  listener: RequestListener,
  { path = "/a.png", ...rest }: Partial<RemoteImages> & { path?: string } = {},
) {
  const server = await serve(listener);
  const remote = remoteOf([host(NAME, { port: server.port, isPrivate: true })], { maxBytes: MAX_BYTES, ...rest });
  const answer = await fetchImage(`http://${NAME}:${server.port}${path}`, remote);
  return { answer, server };
}

afterEach(() => vi.unstubAllEnvs());

describe("an allowed image", () => {
  test("is asked for once, without anything of whoever asked for the picture", async () => {
    vi.stubEnv("HTTP_PROXY", "http://127.0.0.1:9");
    vi.stubEnv("http_proxy", "http://127.0.0.1:9");
    vi.stubEnv("NODE_USE_ENV_PROXY", "1");
    const { answer, server } = await fetchFrom((_, response) => response.setHeader("Set-Cookie", "a=b").end("bytes"), {
      path: "/a%20b.png?size=2&x=%2F#fragment",
    });
    expect(answer).toEqual({ bytes: Buffer.from("bytes") });
    const [request] = server.requests;
    expect(request).toMatchObject({ method: "GET", url: "/a%20b.png?size=2&x=%2F", httpVersion: "1.1" });
    expect(request?.headers).toEqual({
      host: `${NAME}:${server.port}`,
      connection: "close",
      "user-agent": expect.stringMatching(/^Platen\/\d/),
      accept: expect.stringMatching(/^image\/png, /),
      "accept-encoding": "identity",
    });
    expect(server.requests).toHaveLength(1);
  });

  test("may be three redirects away, and its cookies stay where they are", async () => {
    const { answer, server } = await fetchFrom(
      (request, response) => {
        const hop = Number(request.url?.slice(1));
        if (hop === 3) response.end("here");
        else
          response.writeHead([301, 302, 307][hop] ?? 308, { Location: `${hop + 1}`, "Set-Cookie": "a=b" }).end("moved");
      },
      { path: "/0" },
    );
    expect(answer).toEqual({ bytes: Buffer.from("here") });
    expect(server.requests.map(({ headers }) => headers.cookie)).toEqual([undefined, undefined, undefined, undefined]);
  });

  test("may come from a sub-domain where the operator says so", async () => {
    const server = await serve((_, response) => response.end("bytes"));
    const remote = remoteOf([host("example.com", { port: server.port, isWildcard: true, isPrivate: true })]);
    expect(await fetchImage(`http://a.b.Example.com:${server.port}/`, remote)).toEqual({ bytes: Buffer.from("bytes") });
  });
});

const endless: RequestListener = (_, response) => {
  const write = () => {
    while (response.write(Buffer.alloc(16_384)));
  };
  response.on("drain", write);
  write();
};

describe("a server that fails", () => {
  test.each<[string, RequestListener, string]>([
    ["an error", (_, response) => response.writeHead(500).end("x"), "answered with status 500"],
    ["nothing there", (_, response) => response.writeHead(404).end("x"), "answered with status 404"],
    ["a part", (_, response) => response.writeHead(206).end("x"), "answered with status 206"],
    ["a redirect to nowhere", (_, response) => response.writeHead(302).end(), "answered with status 302"],
    [
      "redirects without end",
      (_, response) => response.writeHead(302, { Location: "/again" }).end(),
      "sends on more than 3 times",
    ],
    [
      "a length beyond the limit",
      (_, response) => response.writeHead(200, { "Content-Length": MAX_BYTES + 1 }).flushHeaders(),
      "sends more than 100,000 bytes",
    ],
    [
      "bytes beyond the limit",
      (_, response) => response.end(Buffer.alloc(MAX_BYTES + 1)),
      "sends more than 100,000 bytes",
    ],
    ["bytes without end", endless, "sends more than 100,000 bytes"],
    [
      "a bomb in gzip",
      (_, response) => response.setHeader("Content-Encoding", "gzip").end(gzipSync(Buffer.alloc(1_000_000))),
      "sends it compressed",
    ],
    [
      "less than it says",
      (_, response) => {
        response.writeHead(200, { "Content-Length": 10 });
        response.write("x", () => response.destroy());
      },
      "broke off its answer",
    ],
    ["no answer, but an end", (_, response) => void response.destroy(), "broke off its answer"],
    [
      "headers of a megabyte",
      (_, response) => response.writeHead(200, { "X-A": "a".repeat(1_000_000) }).end(),
      "could not be reached",
    ],
  ])("is told of by what it did: %s", async (_, listener, reason) => {
    const { answer, server } = await fetchFrom(listener);
    expect(answer).toEqual({ fault: expect.stringContaining(`The server of the image ${reason}`), isElsewhere: true });
    await expect.poll(server.open).toBe(0);
  });

  test.each<[string, RequestListener]>([
    ["says nothing", () => undefined],
    [
      "sends one byte at a time",
      (_, response) => {
        const timer = setInterval(() => response.write("x"), 20);
        response.on("close", () => clearInterval(timer));
      },
    ],
    [
      "sends on, slowly, for ever",
      (_, response) => void setTimeout(() => response.writeHead(302, { Location: "/" }).end(), 150),
    ],
  ])("does not hold the picture longer than it may: it %s", async (_, listener) => {
    const { answer, server } = await fetchFrom(listener, { timeoutMs: 400 });
    expect(answer).toEqual({ fault: "The server of the image did not answer in time.", isElsewhere: true });
    await expect.poll(server.open).toBe(0);
  });

  test("or a name server that never answers, neither", async () => {
    const find = () => new Promise<never>(() => undefined);
    const remote = remoteOf([host(NAME)], { find, timeoutMs: 100 });
    expect(await fetchImage(`http://${NAME}/`, remote)).toEqual({
      fault: "The server of the image did not answer in time.",
      isElsewhere: true,
    });
  });

  test("is told of without its address", async () => {
    const listener = createServer().listen(0, "127.0.0.1");
    await once(listener, "listening");
    const port = (listener.address() as { port: number }).port;
    listener.close();
    await once(listener, "close");
    const remote = remoteOf([host(NAME, { port, isPrivate: true })]);
    expect(await fetchImage(`http://${NAME}:${port}/`, remote)).toEqual({
      fault: "The server of the image could not be reached.",
      isElsewhere: true,
    });
    const unknown = () => Promise.reject(Object.assign(new Error("getaddrinfo ENOTFOUND"), { code: "ENOTFOUND" }));
    expect(await fetchImage(`http://${NAME}:${port}/`, { ...remote, find: unknown })).toEqual({
      fault: "The server of the image was not found.",
      isElsewhere: true,
    });
  });

  test.each<[string, string | Buffer, string]>([
    ["a page", "<!doctype html><title>Sign in</title>", "Got bytes that are no image"],
    ["SVG", '<svg xmlns="http://www.w3.org/2000/svg"/>', "Got SVG, which is a document"],
    ["nothing", "", "Got no bytes"],
  ])("is told of by what it sent, whatever it calls it: %s", async (_, content, reason) => {
    const server = await serve((_request, response) => response.setHeader("Content-Type", "image/png").end(content));
    const remote = remoteOf([host(NAME, { port: server.port, isPrivate: true })]);
    expect(await readImage(`http://${NAME}:${server.port}/`, { remote })).toEqual({
      fault: expect.stringContaining(reason),
      isElsewhere: true,
    });
  });
});

test("what an image is says its content, not its header", async () => {
  const bytes = await picture(40, 30).webp().toBuffer();
  const server = await serve((_, response) => response.setHeader("Content-Type", "text/html").end(bytes));
  const remote = remoteOf([host(NAME, { port: server.port, isPrivate: true })]);
  const opened = await readImage(`http://${NAME}:${server.port}/`, { remote });
  if ("fault" in opened) return expect.fail(opened.fault);
  expect(await opened.finish()).toEqual({ url: `data:image/webp;base64,${bytes.toString("base64")}` });
});

test("a fetch that nobody waits for any more ends, even while its host is looked up", async () => {
  const gone = new AbortController();
  const find = () => {
    gone.abort(new Error("gone"));
    return new Promise<never>(() => undefined);
  };
  // A minute is more than the test may take.
  const remote = remoteOf([host(NAME)], { find, timeoutMs: 60_000 });
  await expect(fetchImage(`http://${NAME}/`, remote, gone.signal)).rejects.toThrow("gone");
});

test("a fetch that nobody waits for any more ends, with its connection", async () => {
  const gone = new AbortController();
  const server = await serve(() => gone.abort(new Error("gone")));
  const remote = remoteOf([host(NAME, { port: server.port, isPrivate: true })]);
  await expect(fetchImage(`http://${NAME}:${server.port}/`, remote, gone.signal)).rejects.toThrow("gone");
  await expect.poll(server.open).toBe(0);
});

test("no more than sixteen images are fetched at once, and the others come after", async () => {
  let [asked, most] = [0, 0];
  const server = await serve((_, response) => {
    most = Math.max(most, ++asked);
    setTimeout(() => {
      asked--;
      response.end("x");
    }, 50);
  });
  const remote = remoteOf([host(NAME, { port: server.port, isPrivate: true })]);
  const all = Array.from({ length: 40 }, () => fetchImage(`http://${NAME}:${server.port}/`, remote));
  expect(await Promise.all(all)).toEqual(Array.from({ length: 40 }, () => ({ bytes: Buffer.from("x") })));
  expect(server.connections).toBe(40);
  expect(most).toBe(16);
});

describe("over TLS", () => {
  const https = { protocol: "https:", isPrivate: true } as const;

  test("a server proves who it is", async () => {
    const { cert, key } = selfSigned(NAME);
    const server = await serve((_, response) => response.end("bytes"), { cert, key });
    const remote = remoteOf(
      [host(NAME, { ...https, port: server.port }), host("other.example", { ...https, port: server.port })],
      { ca: cert },
    );
    expect(await fetchImage(`https://${NAME}:${server.port}/`, remote)).toEqual({ bytes: Buffer.from("bytes") });
    expect(await fetchImage(`https://other.example:${server.port}/`, remote)).toMatchObject({
      fault: expect.stringContaining("could not prove who it is"),
    });
    expect(server.requests).toHaveLength(1);
  });

  test("an unknown certificate counts for nothing, even where the environment would take any", async () => {
    vi.stubEnv("NODE_TLS_REJECT_UNAUTHORIZED", "0");
    const server = await serve((_, response) => response.end("bytes"), selfSigned(NAME));
    const remote = remoteOf([host(NAME, { ...https, port: server.port })]);
    expect(await fetchImage(`https://${NAME}:${server.port}/`, remote)).toEqual({
      fault: "The server of the image could not prove who it is.",
      isElsewhere: true,
    });
    expect(server.requests).toEqual([]);
  });

  test("nothing but HTTP/1.1 is spoken of", async () => {
    const hello = Promise.withResolvers<Buffer>();
    const listener = createServer((socket) =>
      socket
        .on("error", () => undefined)
        .once("data", (data) => {
          hello.resolve(data);
          socket.destroy();
        }),
    );
    listener.listen(0, "127.0.0.1");
    await once(listener, "listening");
    const port = (listener.address() as { port: number }).port;
    await fetchImage(`https://${NAME}:${port}/`, remoteOf([host(NAME, { ...https, port })]));
    const offered = (await hello.promise).toString("latin1");
    expect([offered.includes("\x08http/1.1"), offered.includes("\x02h2"), offered.includes(NAME)]).toEqual([
      true,
      false,
      true,
    ]);
    listener.close();
  });
});
