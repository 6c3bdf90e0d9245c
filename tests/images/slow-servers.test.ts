import { expect, test } from "vitest";
import { CONCURRENT_FETCHES } from "#lib/images/image-limits.ts";
import { fetchImage } from "#lib/images/remote/fetch-image.ts";
import { imagesFor, RenderImages } from "#lib/images/render-images.ts";
import { afterTest } from "#tests/clean-up.ts";
import { host, remoteOf, serve } from "./remote-server.ts";

/**
 * A server for every subdomain of `slow.example`, which answers for `/quick` only, another one that always answers, and a fetch as a
 * caller.
 */
async function twoServers(timeoutMs: number) {
  const slow = await serve((request, response) => void (request.url === "/quick" && response.end("x")));
  const good = await serve((_, response) => response.end("x"));
  const hosts = [
    host("slow.example", { port: slow.port, isPrivate: true, isWildcard: true }),
    host("good.example", { port: good.port, isPrivate: true }),
  ];
  const remote = remoteOf(hosts, { timeoutMs });
  const over = new AbortController();
  afterTest(() => over.abort());
  const fetchAs = (caller: string, address: string, signal = over.signal) =>
    imagesFor(new RenderImages(caller), () => fetchImage(address, remote, signal));
  let given = 0;
  const flood = (count: number, callers: number) => {
    const give = () => void given++;
    for (let i = 0; i < count; i++)
      fetchAs(`caller ${i % callers}`, `http://${i}.slow.example:${slow.port}/`).then(give, () => undefined);
  };
  return {
    slow,
    flood,
    /** How many fetches of the flood were given up. */
    given: () => given,
    fetchAs,
    quick: `http://quick.slow.example:${slow.port}/quick`,
    other: `http://good.example:${good.port}/`,
  };
}

test("a server that does not answer leaves places for other servers, however many callers wait for it", async () => {
  const { slow, flood, given, fetchAs, other } = await twoServers(60_000);
  flood(3 * CONCURRENT_FETCHES, 3 * CONCURRENT_FETCHES);
  await expect.poll(slow.open).toBeGreaterThan(0);
  expect(await fetchAs("other", other)).toEqual({ bytes: Buffer.from("x") });
  expect(given()).toBe(0);
});

test("the first image of a caller is fetched before those of callers that have used much time of the same server", async () => {
  const { slow, flood, given, fetchAs, quick } = await twoServers(300);
  flood(12 * CONCURRENT_FETCHES, 4);
  await expect.poll(given).toBeGreaterThan(0);
  expect(slow.requests.length).toBeGreaterThan(0);
  const before = given();
  expect(await fetchAs("other", quick)).toEqual({ bytes: Buffer.from("x") });
  expect(given() - before).toBeLessThan(3 * CONCURRENT_FETCHES);
});

test("a fetch that waits for its turn ends when its client disconnects", async () => {
  const { slow, flood, given, fetchAs, quick } = await twoServers(60_000);
  flood(3 * CONCURRENT_FETCHES, 3 * CONCURRENT_FETCHES);
  await expect.poll(slow.open).toBeGreaterThan(0);
  const gone = new AbortController();
  const waiting = fetchAs("other", quick, gone.signal);
  gone.abort(new Error("gone"));
  await expect(waiting).rejects.toThrow("gone");
  expect(given()).toBe(0);
});
