import { once } from "node:events";
import { createServer as createTlsServer, type TLSSocket, type TlsOptions } from "node:tls";
import { expect, test } from "vitest";
import { IMAGE_CHUNKS, TLS_SETUP_BYTES } from "#lib/images/image-limits.ts";
import { fetchImage } from "#lib/images/remote/fetch-image.ts";
import { imagesFor, RenderImages } from "#lib/images/render-images.ts";
import { inHandshakeTurn, inPieceTurn, inThreadTurn } from "#lib/images/thread-turns.ts";
import { afterTest } from "#tests/clean-up.ts";
import { host, NAME, remoteOf, serve } from "../remote-server.ts";
import { selfSigned } from "./certificate.ts";
import { clientHello } from "./client-hello.ts";

const EXCESS = { fault: "The server of the image sends too much for TLS, or in too many pieces.", isServerFault: true };

/** Key exchanges of finite fields (DHE), of which the server chooses the size: the suites of RFC 5246, 5288 and 7905. */
const DHE_SUITES = [0x33, 0x39, 0x67, 0x6b, 0x9e, 0x9f, 0xccaa];

const certificate = selfSigned(NAME);

function fetchFrom(port: number) {
  const hosts = [host(NAME, { protocol: "https:", isPrivate: true, port })];
  return fetchImage(`https://${NAME}:${port}/`, remoteOf(hosts, { ca: certificate.cert }));
}

/** Starts a server of TLS that ends after the test. @returns its port */
async function serveTls(options: TlsOptions, onSecure: (socket: TLSSocket) => void): Promise<number> {
  const server = createTlsServer({ ...certificate, ...options }, (socket) => {
    socket.on("error", () => undefined).resume();
    onSecure(socket);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  afterTest(async () => void server.close());
  return (server.address() as { port: number }).port;
}

test("no key exchange is offered whose numbers are as large as the server wants", async () => {
  const bytes = await clientHello(fetchFrom);
  // Behind the heads of record and message, the version and 32 random bytes.
  const suitesAt = 44 + (bytes[43] ?? 0);
  const suites = Array.from({ length: bytes.readUInt16BE(suitesAt) / 2 }, (_, i) =>
    bytes.readUInt16BE(suitesAt + 2 + 2 * i),
  );
  expect(suites.length).toBeGreaterThan(3);
  expect(suites.filter((suite) => DHE_SUITES.includes(suite))).toEqual([]);
});

test("a server with more certificates than any needs is left before they are verified", async () => {
  const count = Math.ceil(TLS_SETUP_BYTES / 200);
  const server = await serve((_, response) => response.end("x"), {
    ...certificate,
    cert: certificate.cert.repeat(count),
  });
  expect(await fetchFrom(server.port)).toEqual(EXCESS);
  expect(server.requests).toEqual([]);
  await expect.poll(server.open).toBe(0);
});

test("a server that sends its headers in thousands of records is left", async () => {
  const closed = Promise.withResolvers<void>();
  const port = await serveTls({}, async (socket) => {
    socket.once("close", () => closed.resolve());
    socket.write("HTTP/1.1 200 OK\r\nX: ");
    for (let sent = 0; sent < 2 * IMAGE_CHUNKS && !socket.destroyed; sent++)
      await new Promise<void>((resolve) => socket.write("x", () => resolve()));
    socket.end("\r\nContent-Length: 1\r\n\r\nx");
  });
  expect(await fetchFrom(port)).toEqual(EXCESS);
  await closed.promise;
});

test("a server cannot ask for another handshake", async () => {
  const refused = Promise.withResolvers<Error | null>();
  const port = await serveTls({ maxVersion: "TLSv1.2" }, (socket) => {
    socket.on("error", refused.resolve);
    socket.renegotiate({}, refused.resolve);
  });
  expect(await fetchFrom(port)).toMatchObject({ isServerFault: true });
  expect(await refused.promise).toBeInstanceOf(Error);
});

/** Holds a kind of turns until it is told to end. */
function hold(inTurn: typeof inThreadTurn | typeof inHandshakeTurn | typeof inPieceTurn) {
  const release = Promise.withResolvers<void>();
  const act = () => release.promise;
  const busy = imagesFor(new RenderImages("busy"), () => (inTurn as typeof inThreadTurn)(act));
  afterTest(async () => {
    release.resolve();
    await busy;
  });
  return release;
}

/** Where nothing waits for a turn, a fetch is over after a few rounds of the loop. */
async function manyRounds(): Promise<void> {
  for (let round = 0; round < 200; round++) await new Promise(setImmediate);
}

test.each([
  ["handshake", inHandshakeTurn, 0],
  ["answer", inPieceTurn, 1],
])("the %s of a server is decrypted in the turn of the caller", async (_name, inTurn, requests) => {
  const server = await serve((_, response) => response.end("x"), certificate);
  const release = hold(inTurn);
  let isOver = false;
  const fetched = imagesFor(new RenderImages("other"), () => fetchFrom(server.port)).finally(() => (isOver = true));
  await expect.poll(() => [server.connections, server.requests.length]).toEqual([1, requests]);
  await manyRounds();
  expect([server.requests.length, isOver]).toEqual([requests, false]);
  release.resolve();
  expect(await fetched).toEqual({ bytes: Buffer.from("x") });
});

test("an image does not wait for the long work of documents", async () => {
  const server = await serve((_, response) => response.end("x"), certificate);
  hold(inThreadTurn);
  expect(await fetchFrom(server.port)).toEqual({ bytes: Buffer.from("x") });
});

test("an image of many records arrives whole", async () => {
  const image = Buffer.alloc(900_000, "image");
  const server = await serve((_, response) => response.end(image), certificate);
  expect(await fetchFrom(server.port)).toEqual({ bytes: image });
});
