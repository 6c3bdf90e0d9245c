import type { ServerResponse } from "node:http";
import { afterEach, expect, it, vi } from "vitest";
import {
  ARRIVAL_ROUNDS,
  CONCURRENT_REQUESTS,
  LATER_ARRIVAL_ROUNDS,
  PAGE_IN_FLIGHT_MS,
  ROUTE_IN_FLIGHT_MS,
} from "#lib/http/http-limits.ts";
import { RequestTurns } from "#lib/http/server/request-turns.ts";
import { newResponse, pass, run } from "./take-turns.ts";

afterEach(() => void vi.useRealTimers());

it("a single request begins at once", async () => {
  const { begun, add } = run();
  add("a", "first");
  await Promise.resolve();
  await Promise.resolve();
  expect(begun).toEqual(["first"]);
});

it("of a flood one request begins in each round of the event loop, and another client waits for one of them", async () => {
  const { begun, add } = run();
  for (let at = 0; at < 500; at++) add("flood", `flood ${at}`);
  add("owner", "owner");
  await pass(5);
  expect(begun.slice(0, 3)).toEqual(["flood 0", "flood 1", "owner"]);
  expect(begun.length).toBeLessThan(10);
  await pass(500);
  expect(begun).toHaveLength(501);
});

it("a pipelined request begins when the one before it is answered", async () => {
  const { begun, add } = run();
  const socket = { destroyed: false };
  const first = add("a", "first", newResponse(socket));
  add("a", "second", newResponse(socket));
  add("b", "other");
  await pass(10);
  expect(begun).toEqual(["first", "other"]);
  first.emit("close");
  await pass(10);
  expect(begun).toEqual(["first", "other", "second"]);
});

it("the pipelined requests of a client that disconnects end without having begun, and others go on", async () => {
  const { begun, refused, gone, add } = run();
  const socket = { destroyed: false };
  const first = add("a", "first", newResponse(socket));
  for (let at = 1; at <= 3; at++) add("a", `behind it ${at}`, newResponse(socket));
  await pass(5);
  socket.destroyed = true;
  first.emit("close");
  add("b", "last");
  await pass(10);
  expect([begun, refused]).toEqual([["first", "last"], []]);
  expect(gone).toEqual(["behind it 1", "behind it 2", "behind it 3"]);
});

it("requests whose clients disconnect while they wait take no place of others", async () => {
  const { begun, gone, add } = run();
  add("a", "first");
  for (let at = 0; at < CONCURRENT_REQUESTS; at++) add(`b${at}`, "waiting, then gone").emit("close");
  add("c", "last");
  await pass(10);
  expect(begun).toEqual(["first", "last"]);
  expect(gone).toHaveLength(CONCURRENT_REQUESTS);
});

it("beyond the limit, the newest request of the address with the most is refused", async () => {
  const { begun, refused, add } = run(new RequestTurns({ waiting: 3 }));
  add("flood", "begins at once");
  for (let at = 1; at <= 4; at++) add("flood", `flood ${at}`);
  add("owner", "owner");
  await pass(10);
  expect(refused).toEqual(["flood 4: overloaded", "flood 3: overloaded"]);
  expect(begun).toEqual(["begins at once", "flood 1", "owner", "flood 2"]);
});

it("only a few are in flight at a time, until their responses are complete", async () => {
  const inFlight: ServerResponse[] = [];
  const { begun, add } = run(new RequestTurns(), { answer: (response) => void inFlight.push(response) });
  for (let at = 0; at < 20; at++) add("flood", `flood ${at}`);
  add("owner", "owner");
  await pass(50);
  expect(begun).toHaveLength(CONCURRENT_REQUESTS);
  // Its client need not have read it.
  inFlight[0]?.end();
  inFlight[1]?.emit("close");
  inFlight[1]?.end();
  await pass(50);
  expect(begun).toHaveLength(CONCURRENT_REQUESTS + 2);
  expect(begun).toContain("owner");
});

it.each([
  ["a page", "/templates/social/quote", {}, PAGE_IN_FLIGHT_MS],
  ["a page with a body, which is ignored", "/docs?q=1", { "content-length": "1" }, PAGE_IN_FLIGHT_MS],
  ["a picture", "/api/service/images/render", { "content-length": "200" }, ROUTE_IN_FLIGHT_MS],
  ["a thumbnail, which has no body", "/api/service/thumbnails/social/quote?width=160", {}, ROUTE_IN_FLIGHT_MS],
])("a request for %s no longer counts as in flight after a while", async (_what, url, headers, ms) => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const { begun, add } = run(new RequestTurns(), { answer: () => undefined });
  for (let at = 0; at < CONCURRENT_REQUESTS; at++) add("slow", `slow ${at}`, newResponse(undefined, { url, headers }));
  await pass(50);
  add("owner", "owner");
  vi.advanceTimersByTime(ms - 1);
  await pass(50);
  expect(begun).not.toContain("owner");
  vi.advanceTimersByTime(1);
  await pass(50);
  expect(begun).toContain("owner");
});

it("a request that has lost its place while its body arrived waits for another turn", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const turns = new RequestTurns({ concurrency: 1 });
  const { begun, add } = run(turns, { answer: () => undefined });
  const late = add("late", "late", newResponse(undefined, { url: "/api/service/images/render" }));
  await pass(5);
  expect(await turns.takeAgain("late", late)).toBe(true);
  vi.advanceTimersByTime(ROUTE_IN_FLIGHT_MS);
  const page = add("owner", "owner");
  await pass(5);
  expect(begun).toEqual(["late", "owner"]);
  let isThere: boolean | undefined;
  void turns.takeAgain("late", late).then((result) => (isThere = result));
  await pass(5);
  expect(isThere).toBeUndefined();
  page.end();
  await pass(5);
  expect(isThere).toBe(true);
});

it("a client that disconnects while it waits for another turn is told apart", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const turns = new RequestTurns({ concurrency: 1 });
  const { add } = run(turns, { answer: () => undefined });
  const late = add("late", "late");
  await pass(5);
  vi.advanceTimersByTime(PAGE_IN_FLIGHT_MS);
  add("owner", "owner");
  await pass(5);
  const again = turns.takeAgain("late", late);
  late.emit("close");
  expect(await again).toBe(false);
});

it("without a limit for those in flight, one still begins in each round", async () => {
  const turns = new RequestTurns({ concurrency: Number.POSITIVE_INFINITY });
  const { begun, add } = run(turns, { answer: () => undefined });
  for (let at = 0; at < 50; at++) add("flood", `flood ${at}`);
  await pass(5);
  expect(begun.length).toBeLessThan(10);
  await pass(50);
  expect(begun).toHaveLength(50);
});

it("no request begins while connections arrive, for a limited number of rounds", async () => {
  const turns = new RequestTurns();
  const { begun, add } = run(turns);
  turns.noteConnection();
  add("a", "first");
  for (let round = 0; round < ARRIVAL_ROUNDS / 2; round++) {
    turns.noteConnection();
    await pass(1);
  }
  expect(begun).toEqual([]);
  await pass(3);
  expect(begun).toEqual(["first"]);
});

it("while connections go on arriving, one request begins after some more of them", async () => {
  const turns = new RequestTurns();
  const { begun, add } = run(turns);
  const arrive = async (rounds: number) => {
    for (let round = 0; round < rounds; round++) {
      turns.noteConnection();
      await pass(1);
    }
  };
  turns.noteConnection();
  for (const name of ["first", "second", "third"]) add("a", name);
  await arrive(ARRIVAL_ROUNDS);
  expect(begun).toEqual(["first"]);
  await arrive(LATER_ARRIVAL_ROUNDS);
  expect(begun).toEqual(["first"]);
  await arrive(1);
  expect(begun).toEqual(["first", "second"]);
  await pass(3);
  expect(begun).toEqual(["first", "second", "third"]);
});
