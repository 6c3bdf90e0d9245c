import { describe, expect, test } from "vitest";
import { fetchImage } from "#lib/images/fetch-image.ts";
import { FetchedBytes } from "#lib/images/fetched-bytes.ts";
import { host, NAME, remoteOf, serve } from "./remote-server.ts";

const OVERLOADED = { code: "overloaded", status: 503, headers: { "Retry-After": "2" } };

describe("fetched images beyond the limit", () => {
  test("cost the newest render of the caller that holds most", () => {
    const bytes = new FetchedBytes(100);
    const [first, other, second] = ["flood", "other", "flood"].map((caller) => bytes.open(caller));
    first?.grow(60);
    other?.grow(30);
    second?.grow(20);
    expect([first, other, second].map((share) => share?.signal.aborted)).toEqual([false, false, true]);
    expect(second?.signal.reason).toMatchObject(OVERLOADED);
    expect(bytes.heldBytes).toBe(90);
  });

  test("do not cost a small image of another caller, whoever comes last", () => {
    const bytes = new FetchedBytes(100);
    const large = bytes.open("flood");
    large.grow(99);
    const small = bytes.open("other");
    small.grow(2);
    expect([large.signal.aborted, small.signal.aborted]).toEqual([true, false]);
  });

  test("are accepted of one render alone, and no longer counted when it ends", () => {
    const bytes = new FetchedBytes(100);
    const alone = bytes.open("a");
    alone.grow(150);
    expect(alone.signal.aborted).toBe(false);
    alone.release();
    alone.release();
    expect(bytes.heldBytes).toBe(0);
  });

  test("are not counted for a render that has ended", () => {
    const bytes = new FetchedBytes(100);
    const ended = bytes.open("a");
    ended.grow(50);
    ended.release();
    ended.grow(10);
    expect(bytes.heldBytes).toBe(0);
  });

  test("are not counted for a render that has given way", () => {
    const bytes = new FetchedBytes(100);
    const [first, second] = [bytes.open("a"), bytes.open("a")];
    first.grow(80);
    second.grow(30);
    second.grow(30);
    second.release();
    expect(bytes.heldBytes).toBe(80);
    expect(first.signal.aborted).toBe(false);
  });
});

test("every byte of a fetched image is counted as it arrives", async () => {
  const server = await serve((_, response) => response.end(Buffer.alloc(200_000)));
  const bytes = new FetchedBytes(1_000_000);
  const remote = remoteOf([host(NAME, { port: server.port, isPrivate: true })], { share: bytes.open("a") });
  expect(await fetchImage(`http://${NAME}:${server.port}/`, remote)).toMatchObject({ bytes: { length: 200_000 } });
  expect(bytes.heldBytes).toBe(200_000);
});
