import { once } from "node:events";
import { join } from "node:path";
import { setImmediate as nextRound } from "node:timers/promises";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { drawTitle } from "#tests/e2e/answers.ts";
import { RawConnection, type Service, startService } from "#tests/e2e/service.ts";
import { serverOf } from "./browsers.ts";

/** Requests that are broken off before the memory counts: caches fill, and code is compiled. */
const SETTLING = 200;
const COUNTED = 400;
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

/** Sends bytes, and disconnects once they are on their way. */
async function breakOff(text: string): Promise<void> {
  const connection = new RawConnection(service.port);
  await once(connection.socket, "connect");
  connection.send(text);
  await nextRound();
  connection.socket.resetAndDestroy();
  await connection.closed;
}

async function breakOffMany(text: string, count: number): Promise<void> {
  for (let sent = 0; sent < count; sent += AT_ONCE)
    await Promise.all(Array.from({ length: AT_ONCE }, () => breakOff(text)));
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
  await breakOffMany(text, SETTLING);
  const before = await heapBytes();
  await breakOffMany(text, COUNTED);
  await vi.waitFor(async () => expect((await heapBytes()) - before).toBeLessThan(COUNTED * LEFT_BYTES), {
    timeout: 60_000,
    interval: 1_000,
  });
  expect(await drawTitle(service, "after")).toBe(200);
});
