import { once } from "node:events";
import { createServer } from "node:net";
import { afterEach, describe, expect, test, vi } from "vitest";
import { fetchImage } from "#lib/images/remote/fetch-image.ts";
import { host, NAME, remoteOf, serve } from "../remote-server.ts";
import { selfSigned } from "./certificate.ts";
import { clientHello } from "./client-hello.ts";

afterEach(() => vi.unstubAllEnvs());

describe("over TLS", () => {
  const https = { protocol: "https:", isPrivate: true } as const;

  test("the certificate must match the host", async () => {
    const { cert, key } = selfSigned(NAME);
    const server = await serve((_, response) => response.end("bytes"), { cert, key });
    const remote = remoteOf(
      [host(NAME, { ...https, port: server.port }), host("other.example", { ...https, port: server.port })],
      { ca: cert },
    );
    expect(await fetchImage(`https://${NAME}:${server.port}/`, remote)).toEqual({ bytes: Buffer.from("bytes") });
    expect(await fetchImage(`https://other.example:${server.port}/`, remote)).toMatchObject({
      fault: expect.stringContaining("has no valid certificate"),
    });
    expect(server.requests).toHaveLength(1);
  });

  test("an unknown certificate is refused, even where the environment accepts any", async () => {
    vi.stubEnv("NODE_TLS_REJECT_UNAUTHORIZED", "0");
    const server = await serve((_, response) => response.end("bytes"), selfSigned(NAME));
    const remote = remoteOf([host(NAME, { ...https, port: server.port })]);
    expect(await fetchImage(`https://${NAME}:${server.port}/`, remote)).toEqual({
      fault: "The server of the image has no valid certificate.",
      isServerFault: true,
    });
    expect(server.requests).toEqual([]);
  });

  test("a connection that is still being opened ends with its fetch", async () => {
    const listener = createServer((socket) => void socket.on("error", () => undefined).resume());
    listener.listen(0, "127.0.0.1");
    await once(listener, "listening");
    const port = (listener.address() as { port: number }).port;
    const client = new AbortController();
    const remote = remoteOf([host(NAME, { ...https, port })], { timeoutMs: 600_000 });
    const fetched = fetchImage(`https://${NAME}:${port}/`, remote, client.signal);
    const [socket] = await once(listener, "connection");
    client.abort(new Error("gone"));
    await expect(fetched).rejects.toThrow("gone");
    await once(socket, "close");
    listener.close();
  });

  test("only HTTP/1.1 is offered", async () => {
    const hello = await clientHello((port) =>
      fetchImage(`https://${NAME}:${port}/`, remoteOf([host(NAME, { ...https, port })])),
    );
    const offered = hello.toString("latin1");
    expect([offered.includes("\x08http/1.1"), offered.includes("\x02h2"), offered.includes(NAME)]).toEqual([
      true,
      false,
      true,
    ]);
  });
});
