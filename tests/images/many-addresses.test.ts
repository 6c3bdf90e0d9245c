import { expect, test } from "vitest";
import { MAX_HOST_ADDRESSES } from "#lib/images/image-limits.ts";
import { fetchImage } from "#lib/images/remote/fetch-image.ts";
import { guardedConnector } from "#lib/images/remote/guarded-connector.ts";
import { freePort } from "#tests/free-port.ts";
import { host, NAME, remoteOf, serve } from "./remote-server.ts";

/** More than Node can try without exceeding its stack, where the system refuses each at once. */
const MANY = 6_000;

/** Loopback addresses at which nothing listens. Node leaves out repeated ones. */
const dead = Array.from({ length: MANY }, (_, index) => ({
  address: `127.1.${index >> 8}.${index & 255}`,
  family: 4,
}));

test("of a host with thousands of IP addresses, a few are tried", async () => {
  const connect = guardedConnector({ isPrivate: true, find: async () => dead, timeoutMs: 60_000 });
  const port = String(await freePort());
  const error = await new Promise<Error | null>((resolve) => {
    connect({ protocol: "http:", hostname: NAME, host: NAME, port }, (...[failure]) => resolve(failure));
  });
  expect((error as AggregateError).errors).toHaveLength(MAX_HOST_ADDRESSES);
});

test("an image comes from an IPv6 address behind thousands of IPv4 addresses that cannot be reached", async () => {
  const { port } = await serve((_, response) => response.end("image"));
  const find = async () => [...dead, { address: "::ffff:127.0.0.1", family: 6 }];
  const remote = remoteOf([host(NAME, { port, isPrivate: true })], { find });
  expect(await fetchImage(`http://${NAME}:${port}/`, remote)).toEqual({ bytes: Buffer.from("image") });
});
