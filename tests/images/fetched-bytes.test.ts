import { describe, expect, test, vi } from "vitest";
import { onlySender } from "#lib/addresses/senders.ts";
import { fetchImage } from "#lib/images/remote/fetch-image.ts";
import { FetchedBytes, fetchedBytes } from "#lib/images/remote/fetched-bytes.ts";
import { imagesFor, RenderImages } from "#lib/images/render-images.ts";
import { afterTest } from "#tests/clean-up.ts";
import { host, NAME, remoteOf, serve } from "./remote-server.ts";

const OVERLOADED = { code: "overloaded", status: 503, headers: { "Retry-After": "2" } };

/** The images of a render, and whether it had to give way. */
function imagesOf(caller: string, sender?: string) {
  const giveWay = vi.fn();
  return { images: new RenderImages(caller, giveWay, onlySender(sender)), giveWay };
}

describe("beyond the limit of fetched bytes", () => {
  test("the newest render of the caller that holds most gives way", () => {
    const bytes = new FetchedBytes(100);
    const [first, other, second] = [imagesOf("flood"), imagesOf("other"), imagesOf("flood")];
    bytes.add(other.images, 30);
    bytes.add(first.images, 60);
    bytes.add(second.images, 20);
    expect([first, other, second].map(({ giveWay }) => giveWay.mock.calls.length)).toEqual([0, 0, 1]);
    expect(second.giveWay).toHaveBeenCalledWith(expect.objectContaining(OVERLOADED));
    expect(bytes.heldBytes).toBe(90);
  });

  test.each([
    ["another caller", imagesOf("flood"), imagesOf("other")],
    ["another sender of the caller", imagesOf("key", "flood"), imagesOf("key", "other")],
  ])("the large image gives way, and not the small one of %s that came last", (_, large, small) => {
    const bytes = new FetchedBytes(100);
    bytes.add(large.images, 99);
    bytes.add(small.images, 2);
    expect([large, small].map(({ giveWay }) => giveWay.mock.calls.length)).toEqual([1, 0]);
  });

  test("a render that a sender with little shares counts as one of that sender", () => {
    const bytes = new FetchedBytes(100);
    const [large, shared] = [imagesOf("key", "flood"), imagesOf("key", "flood")];
    shared.images.senders.add("other");
    bytes.add(large.images, 90);
    bytes.add(shared.images, 20);
    expect([large, shared].map(({ giveWay }) => giveWay.mock.calls.length)).toEqual([1, 0]);
  });

  test("a render that is alone goes on", () => {
    const bytes = new FetchedBytes(100);
    const alone = imagesOf("a");
    bytes.add(alone.images, 150);
    expect(alone.giveWay).not.toHaveBeenCalled();
  });

  test("the renders of a command go on, because it has no caller", () => {
    const bytes = new FetchedBytes(100);
    const renders = [imagesOf(""), imagesOf("")];
    for (const { images } of renders) bytes.add(images, 90);
    expect(renders.map(({ giveWay }) => giveWay.mock.calls.length)).toEqual([0, 0]);
  });
});

describe("fetched bytes are not counted", () => {
  test("after their render has ended", () => {
    const bytes = new FetchedBytes(100);
    const { images } = imagesOf("a");
    bytes.add(images, 50);
    for (let times = 0; times < 2; times++) bytes.release(images);
    bytes.add(images, 10);
    expect(bytes.heldBytes).toBe(0);
  });

  test("after their render has given way", () => {
    const bytes = new FetchedBytes(100);
    const [first, second] = [imagesOf("a"), imagesOf("a")];
    bytes.add(first.images, 80);
    bytes.add(second.images, 30);
    bytes.add(second.images, 30);
    bytes.release(second.images);
    expect(bytes.heldBytes).toBe(80);
    expect(first.giveWay).not.toHaveBeenCalled();
  });
});

test("every byte of a fetched image is counted as it arrives", async () => {
  const server = await serve((_, response) => response.end(Buffer.alloc(200_000)));
  const remote = remoteOf([host(NAME, { port: server.port, isPrivate: true })]);
  const { images } = imagesOf("a");
  afterTest(() => fetchedBytes().release(images));
  const before = fetchedBytes().heldBytes;
  const fetched = await imagesFor(images, () => fetchImage(`http://${NAME}:${server.port}/`, remote));
  expect(fetched).toMatchObject({ bytes: { length: 200_000 } });
  expect(fetchedBytes().heldBytes - before).toBe(200_000);
});
