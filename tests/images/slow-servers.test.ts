import { expect, test } from "vitest";
import { fetchImage } from "#lib/images/fetch-image.ts";
import { CONCURRENT_FETCHES } from "#lib/images/image-limits.ts";
import { imagesFor } from "#lib/images/image-turns.ts";
import { afterTest } from "#tests/clean-up.ts";
import { host, remoteOf, serve } from "./remote-server.ts";

/** Far more than a fetch from loopback takes, and far less than the fetches that wait take one after the other. */
const SOON_MS = 1_500;

/** A server that answers for `/quick` only, another one that always answers, and a fetch as a caller. */
async function twoServers(timeoutMs: number) {
  const slow = await serve((request, response) => void (request.url === "/quick" && response.end("x")));
  const good = await serve((_, response) => response.end("x"));
  const hosts = [slow, good].map(({ port }, index) =>
    host(["slow.example", "good.example"][index] ?? "", { port, isPrivate: true }),
  );
  const remote = remoteOf(hosts, { timeoutMs });
  const over = new AbortController();
  afterTest(() => over.abort());
  const fetchAs = (caller: string, address: string, signal = over.signal) =>
    imagesFor({ caller, imagePixels: 0, fetches: 0, fetchingSince: 0 }, () => fetchImage(address, remote, signal));
  const flood = (count: number, callers: number) => {
    for (let i = 0; i < count; i++)
      fetchAs(`caller ${i % callers}`, `http://slow.example:${slow.port}/`).catch(() => undefined);
  };
  return {
    slow,
    flood,
    fetchAs,
    quick: `http://slow.example:${slow.port}/quick`,
    other: `http://good.example:${good.port}/`,
  };
}

test("a server that does not answer leaves places for others, however many callers wait for it", async () => {
  const { slow, flood, fetchAs, other } = await twoServers(5_000);
  flood(3 * CONCURRENT_FETCHES, 3 * CONCURRENT_FETCHES);
  await expect.poll(slow.open).toBeGreaterThan(0);
  const startedAt = performance.now();
  expect(await fetchAs("other", other)).toEqual({ bytes: Buffer.from("x") });
  expect(performance.now() - startedAt).toBeLessThan(SOON_MS);
});

test("a caller's image is fetched before the waiting images of callers that have waited for the same server for long", async () => {
  const { slow, flood, fetchAs, quick } = await twoServers(300);
  flood(12 * CONCURRENT_FETCHES, 4);
  await expect.poll(() => slow.requests.length).toBeGreaterThan(CONCURRENT_FETCHES);
  const startedAt = performance.now();
  expect(await fetchAs("other", quick)).toEqual({ bytes: Buffer.from("x") });
  expect(performance.now() - startedAt).toBeLessThan(SOON_MS);
});

test("a fetch that is not wanted any more leaves the line at once", async () => {
  const { slow, flood, fetchAs, quick } = await twoServers(5_000);
  flood(3 * CONCURRENT_FETCHES, 3 * CONCURRENT_FETCHES);
  await expect.poll(slow.open).toBeGreaterThan(0);
  const gone = new AbortController();
  const waiting = fetchAs("other", quick, gone.signal);
  const startedAt = performance.now();
  gone.abort(new Error("gone"));
  await expect(waiting).rejects.toThrow("gone");
  expect(performance.now() - startedAt).toBeLessThan(SOON_MS);
});
