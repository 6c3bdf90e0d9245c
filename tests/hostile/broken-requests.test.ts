import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { drawTitle } from "#tests/e2e/answers.ts";
import { RawConnection, type Service, startService } from "#tests/e2e/service.ts";
import { serverOf } from "./browsers.ts";

/** Memory grows in the first rounds, while caches fill and code is compiled. With a leak it grows in every round. */
const ROUNDS = 8;
const REQUESTS_PER_ROUND = 300;
const AT_ONCE = 20;

/** A request that leaves something leaves kilobytes: its head, its response and what handles them. */
const LEFT_BYTES = 2_048;

const HEAP = /The heap has (\d+) bytes\./g;

let service: Service;

beforeAll(async () => {
  const program = join(import.meta.dirname, "programs/count-heap.ts");
  service = await startService({ NODE_OPTIONS: `--import=${program}` });
  expect(await drawTitle(service, "before")).toBe(200);
});

afterAll(async () => {
  await service?.stop();
});

/** The bytes of the JavaScript objects that are alive in the server. */
async function heapBytes(): Promise<number> {
  const counts = () => [...service.output().matchAll(HEAP)].map(([, bytes]) => Number(bytes));
  const before = counts().length;
  process.kill(serverOf(service.npm.pid as number), "SIGUSR2");
  await vi.waitUntil(() => counts().length > before, { timeout: 30_000 });
  return counts().at(-1) as number;
}

/** Sends bytes, and disconnects after a while, in which the server gets to another step of the request each time. */
async function breakOff(text: string, afterMs: number): Promise<void> {
  const connection = new RawConnection(service.port);
  await once(connection.socket, "connect");
  connection.send(text);
  await sleep(afterMs);
  connection.socket.resetAndDestroy();
  await connection.closed;
}

/** Breaks off many requests, and waits for a picture, which comes after all of them. */
async function breakOffMany(text: string): Promise<void> {
  for (let sent = 0; sent < REQUESTS_PER_ROUND; sent += AT_ONCE)
    await Promise.all(Array.from({ length: AT_ONCE }, (_, at) => breakOff(text, at)));
  expect(await drawTitle(service, "after")).toBe(200);
}

const head = (...lines: string[]) => [...lines, "Host: localhost", "", ""].join("\r\n");
const get = (path: string) => head(`GET ${path} HTTP/1.1`);
const post = (body: string, length = body.length) =>
  head("POST /api/service/images/render HTTP/1.1", "Content-Type: application/json", `Content-Length: ${length}`) +
  body;

it.each([
  ["an upload", post('{"template":', 900)],
  ["a render", post('{"template":"blog/article"}')],
  ["a refused render", post('{"template":"no/such"}')],
  ["a page", get("/")],
  ["a request with a long address", get(`/api/nothing?x=${"x".repeat(15_000)}`)],
  ["a picture of the gallery", get("/api/service/thumbnails/blog/article?width=320")],
  ["the document of the service", get("/api/service/openapi.json")],
  ["20 requests on one connection", get("/healthz").repeat(20)],
])("%s that is broken off leaves nothing in memory", async (_name, text) => {
  const heaps = [await heapBytes()];
  const growth = () => heaps.slice(1).map((heap, at) => heap - (heaps[at] as number));
  const isSettled = () => growth().some((bytes) => bytes < REQUESTS_PER_ROUND * LEFT_BYTES);
  while (heaps.length <= ROUNDS && !isSettled()) {
    await breakOffMany(text);
    heaps.push(await heapBytes());
  }
  expect(isSettled(), `The heap grew by ${growth().join(", ")} bytes.`).toBe(true);
});
