import { once } from "node:events";
import type { RequestListener } from "node:http";
import { createServer } from "node:net";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { IMAGE_CHUNK_BYTES, IMAGE_CHUNKS, MAX_PROVISIONAL_RESPONSES } from "#lib/images/image-limits.ts";
import { readImage } from "#lib/images/read-image.ts";
import { fetchImage } from "#lib/images/remote/fetch-image.ts";
import { fetchFrom, host, NAME, remoteOf, serve } from "./remote-server.ts";

const MAX_BYTES = 100_000;

const endless: RequestListener = (_, response) => {
  const write = () => {
    while (response.write(Buffer.alloc(16_384)));
  };
  response.on("drain", write);
  write();
};

/** Sends bytes in chunks of one size. */
const inChunks = (count: number, bytes: number): RequestListener => {
  return (_, response) => {
    for (let sent = 0; sent < count; sent++) response.write(Buffer.alloc(bytes));
    response.end();
  };
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
      "redirects more than 3 times",
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
    ["a byte at a time", inChunks(IMAGE_CHUNKS + 100, 1), "sends it in too many small chunks"],
    [
      "provisional responses without end",
      (_, response) => {
        for (let sent = 0; sent < 100; sent++) response.writeProcessing();
      },
      "sends more than 10 provisional responses",
    ],
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
      "closed the connection early",
    ],
    ["no answer, but an end", (_, response) => void response.destroy(), "closed the connection early"],
    [
      "headers of a megabyte",
      (_, response) => response.writeHead(200, { "X-A": "a".repeat(1_000_000) }).end(),
      "sends more than 16 KiB of headers",
    ],
  ])("is reported with what it did: %s", async (_, listener, reason) => {
    const { answer, server } = await fetchFrom(listener, { maxBytes: MAX_BYTES });
    expect(answer).toEqual({
      fault: expect.stringContaining(`The server of the image ${reason}`),
      isServerFault: true,
    });
    await expect.poll(server.open).toBe(0);
  });

  test("is not one that sends small chunks of an image, or a few provisional responses", async () => {
    const count = IMAGE_CHUNKS + 100;
    const { answer } = await fetchFrom(
      (request, response) => {
        for (let sent = 0; sent < MAX_PROVISIONAL_RESPONSES; sent++) response.writeProcessing();
        inChunks(count, IMAGE_CHUNK_BYTES)(request, response);
      },
      { maxBytes: MAX_BYTES },
    );
    expect(answer).toEqual({ bytes: Buffer.alloc(count * IMAGE_CHUNK_BYTES) });
  });

  test("is followed through three redirects at most", async () => {
    const { server } = await fetchFrom((_, response) => response.writeHead(302, { Location: "/again" }).end());
    expect(server.requests).toHaveLength(4);
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
      "redirects slowly for ever",
      (_, response) => void setTimeout(() => response.writeHead(302, { Location: "/" }).end(), 150),
    ],
  ])("delays the picture no longer than the time limit: it %s", async (_, listener) => {
    const { answer, server } = await fetchFrom(listener, { timeoutMs: 400 });
    expect(answer).toEqual({ fault: "The server of the image did not answer in time.", isServerFault: true });
    await expect.poll(server.open).toBe(0);
  });

  test("delays the picture no longer than the time limit: a name server that never answers", async () => {
    const find = () => new Promise<never>(() => undefined);
    const remote = remoteOf([host(NAME)], { find, timeoutMs: 100 });
    expect(await fetchImage(`http://${NAME}/`, remote)).toEqual({
      fault: "The server of the image did not answer in time.",
      isServerFault: true,
    });
  });

  test("is reported without its IP address", async () => {
    const listener = createServer().listen(0, "127.0.0.1");
    await once(listener, "listening");
    const port = (listener.address() as { port: number }).port;
    listener.close();
    await once(listener, "close");
    const remote = remoteOf([host(NAME, { port, isPrivate: true })]);
    expect(await fetchImage(`http://${NAME}:${port}/`, remote)).toEqual({
      fault: "The server of the image could not be reached.",
      isServerFault: true,
    });
    const unknown = () => Promise.reject(Object.assign(new Error("getaddrinfo ENOTFOUND"), { code: "ENOTFOUND" }));
    expect(await fetchImage(`http://${NAME}:${port}/`, { ...remote, find: unknown })).toEqual({
      fault: "The server of the image was not found.",
      isServerFault: true,
    });
  });

  test.each<[string, string | Buffer, string]>([
    ["a page", "<!doctype html><title>Sign in</title>", "Got bytes that are not an image"],
    ["SVG", '<svg xmlns="http://www.w3.org/2000/svg"/>', "Got SVG, which is a document"],
    ["nothing", "", "Got no bytes"],
  ])("is reported with what it sent, whatever its Content-Type: %s", async (_, content, reason) => {
    const server = await serve((_request, response) => response.setHeader("Content-Type", "image/png").end(content));
    const remote = remoteOf([host(NAME, { port: server.port, isPrivate: true })]);
    expect(await readImage(`http://${NAME}:${server.port}/`, { remote })).toEqual({
      fault: expect.stringContaining(reason),
      isServerFault: true,
    });
  });
});
