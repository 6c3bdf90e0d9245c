import { once } from "node:events";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PAYLOAD_CHARS } from "#lib/schemas/link-limits.ts";
import { type Balancer, startBalancer } from "#tests/postgres/balancer.ts";

const LINKS = "/api/service/links/web/";
const PUBLIC = "public, max-age=86400";
const FIRST_ID = "019aa8d1-7cc6-7a3e-9f52-4b0de1c6a7f8";
const DRAWN_AT = "Mon, 23 Nov 2026 12:00:00 GMT";

let server: Server;
let nginx: Balancer;
/** The requests that reached the service, by target. */
const deliveries = new Map<string, string[]>();
/** Requests below `/held` wait for this. */
const held = Promise.withResolvers<void>();

/** How many requests for a link whose answer cannot be kept have to arrive before one of them is answered. */
const TOGETHER = 5;
const together = Promise.withResolvers<void>();

/** Answers a link as the service does. The last segment of the path says how. */
async function answerLink(target: string, response: ServerResponse): Promise<void> {
  if (target.includes("held")) await held.promise;
  if (target.includes("together")) {
    if (deliveries.get(target)?.length === TOGETHER) together.resolve();
    await together.promise;
  }
  const isPublic = !/missing|fallback/.test(target);
  const cacheControl = target.includes("short") ? "public, max-age=1" : isPublic ? PUBLIC : "no-store";
  response.writeHead(target.includes("missing") ? 404 : 200, {
    "Content-Type": "image/png",
    "Cache-Control": cacheControl,
    Date: DRAWN_AT,
    "X-Request-Id": FIRST_ID,
    // As Next sends with every answer.
    Vary: "rsc, accept",
    ...(isPublic && { ETag: '"drawn"' }),
  });
  response.end(`picture of ${target.slice(0, 80)}`);
}

beforeAll(async () => {
  server = createServer(async (request, response) => {
    const { url: target = "", headers, method = "" } = request;
    deliveries.set(target, [...(deliveries.get(target) ?? []), method]);
    if (target.startsWith(LINKS) && headers["if-none-match"] === undefined) await answerLink(target, response);
    else response.writeHead(target === "/readyz" ? 200 : 304, { "Cache-Control": PUBLIC }).end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  nginx = await startBalancer([(server.address() as AddressInfo).port]);
});

afterAll(async () => {
  await nginx?.remove();
  server.close();
});

const get = (target: string, headers: Record<string, string> = {}) => nginx.client.ask("GET", target, { headers });
const cacheOf = async (target: string, headers?: Record<string, string>) =>
  (await get(target, headers)).headers["x-cache"];

describe("nginx answers a link", () => {
  it("from its cache, with the time of the picture and not of the answer", async () => {
    const target = `${LINKS}s/kept.png`;
    const answers = [await get(target), await get(target)];
    expect(answers.map(({ headers }) => headers["x-cache"])).toEqual(["MISS", "HIT"]);
    for (const { status, headers, text } of answers) {
      expect([status, text]).toEqual([200, `picture of ${target}`]);
      expect(headers).toMatchObject({ date: DRAWN_AT, "cache-control": PUBLIC, etag: '"drawn"' });
    }
    expect(deliveries.get(target)).toEqual(["GET"]);
  });

  it("from its cache with an id of the request's own, and with that of the service otherwise", async () => {
    const target = `${LINKS}s/named.png`;
    const ids = [await get(target), await get(target), await get(target)].map(({ headers }) => headers["x-request-id"]);
    expect(ids[0]).toBe(FIRST_ID);
    for (const id of ids) expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
    expect(new Set(ids).size).toBe(3);
  });

  it("with the longest payload", async () => {
    const target = `${LINKS}s/${"a".repeat(PAYLOAD_CHARS)}.png`;
    expect([await cacheOf(target), await cacheOf(target)]).toEqual(["MISS", "HIT"]);
  });

  it("with a 304 from its cache, and never with one that the service gave to somebody", async () => {
    const target = `${LINKS}s/conditional.png`;
    expect((await get(target, { "if-none-match": '"drawn"' })).status).toBe(304);
    expect((await get(target)).text).toBe(`picture of ${target}`);
    expect(deliveries.get(target)).toEqual(["GET"]);
  });

  it("to HEAD from the picture of a GET", async () => {
    const target = `${LINKS}s/head.png`;
    expect((await nginx.client.ask("HEAD", target)).status).toBe(200);
    expect((await get(target)).text).toBe(`picture of ${target}`);
    expect(deliveries.get(target)).toEqual(["GET"]);
  });

  it("the same to everyone, whatever the headers of the request that filled the cache", async () => {
    const target = `${LINKS}s/headers.png`;
    await get(target, { "x-forwarded-host": "evil.example", accept: "text/html", cookie: "a=b", range: "bytes=0-1" });
    const { status, text, headers } = await get(target, { rsc: "1", accept: "image/png" });
    expect(headers.vary).toBeUndefined();
    expect([status, text, headers["x-cache"]]).toEqual([200, `picture of ${target}`, "HIT"]);
  });

  it("once for all who ask at the same time", async () => {
    const target = `${LINKS}s/held.png`;
    const asked = Array.from({ length: 5 }, () => get(target));
    await expect.poll(() => deliveries.get(target)).toEqual(["GET"]);
    held.resolve();
    expect((await Promise.all(asked)).map(({ text }) => text)).toEqual(Array(5).fill(`picture of ${target}`));
    expect(deliveries.get(target)).toEqual(["GET"]);
  });
});

describe("nginx keeps", () => {
  it.each(["missing", "fallback"])("no answer that the service does not call public: %s", async (name) => {
    const target = `${LINKS}s/${name}.png`;
    for (let count = 0; count < 2; count++) expect(await cacheOf(target)).toBe("MISS");
    expect(deliveries.get(target)).toHaveLength(2);
  });

  it("nobody waiting for an answer that it cannot keep, one after the other", async () => {
    const target = `${LINKS}s/fallback-together.png`;
    const answers = await Promise.all(Array.from({ length: TOGETHER }, () => get(target)));
    expect(answers.map(({ text }) => text)).toEqual(Array(TOGETHER).fill(`picture of ${target}`));
    expect(deliveries.get(target)).toHaveLength(TOGETHER);
  });

  it("a picture for no longer than it may", async () => {
    const target = `${LINKS}s/short.png`;
    await get(target);
    await expect.poll(() => cacheOf(target)).toBe("EXPIRED");
    expect(deliveries.get(target)).toHaveLength(2);
  });

  it("an address with a query, or in another encoding, apart", async () => {
    const target = `${LINKS}s/apart.png`;
    await get(target);
    for (const other of [`${target}?x=1`, target.replace("apart", "%61part")]) {
      expect(await cacheOf(other)).toBe("MISS");
      expect(deliveries.get(other)).toEqual(["GET"]);
    }
  });

  it("nothing but links", async () => {
    const target = "/api/service/thumbnails/social/quote";
    for (let count = 0; count < 2; count++) expect(await cacheOf(target)).toBeUndefined();
    expect(deliveries.get(target)).toHaveLength(2);
  });
});
