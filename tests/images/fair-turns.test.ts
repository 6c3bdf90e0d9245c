import { getEventListeners } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, it, test, vi } from "vitest";
import { FairTurns } from "#lib/images/fair-turns.ts";
import { limitDecodings, limitFetches, limitHeaders } from "#lib/images/image-turns.ts";
import { imagesFor, RenderImages } from "#lib/images/render-images.ts";

afterEach(() => void vi.useRealTimers());

/** Waits by a clock that a test may replace. */
const pass = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** Runs decodings of these callers, each of which takes so many milliseconds. @returns the callers in the order of their ends */
async function run(turns: FairTurns, decodings: [caller: string, ms: number][]): Promise<string[]> {
  const ended: string[] = [];
  const all = decodings.map(([caller, ms]) => turns.run(caller, () => pass(ms)).then(() => ended.push(caller)));
  await Promise.all(all);
  return ended;
}

describe("decodings", () => {
  it("of a caller with few start before those of one whose take long, however many wait", async () => {
    const turns = new FairTurns({ places: 1 });
    const flood = run(
      turns,
      Array.from({ length: 6 }, () => ["flood", 30]),
    );
    await sleep(10);
    const ended: string[] = [];
    void flood.then(() => ended.push("flood"));
    for (let i = 0; i < 3; i++) {
      await turns.run("other", () => sleep(1));
      ended.push("other");
    }
    await flood;
    expect(ended).toEqual(["other", "other", "other", "flood"]);
  });

  it("share the time, not the number: many short ones pass a long one", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "performance"] });
    const turns = new FairTurns({ places: 1 });
    const long = Array.from({ length: 4 }, (): [string, number] => ["long", 60]);
    const short = Array.from({ length: 8 }, (): [string, number] => ["short", 5]);
    const running = run(turns, [...long, ...short]);
    await vi.runAllTimersAsync();
    const ended = await running;
    expect(ended.indexOf("short")).toBe(1);
    expect(ended.slice(0, 10).filter((caller) => caller === "short")).toHaveLength(8);
  });

  it("of small images pass large ones of callers that are as new", async () => {
    const turns = new FairTurns({ places: 1 });
    const began: string[] = [];
    const note = (caller: string, costMs: number) =>
      turns.run(caller, () => sleep(1).then(() => began.push(caller)), { costMs });
    await Promise.all([note("first", 1_000), note("large", 1_000), note("huge", 1_200), note("small", 1)]);
    expect(began).toEqual(["first", "small", "large", "huge"]);
  });

  it.each([
    ["large images", { pixels: 50e6 }],
    ["images whose pixels take long", { pixels: 6e6, hardPixels: 6e6 }],
  ])("of %s leave a place to other images", async (_kind, decoding) => {
    const end = Promise.withResolvers<void>();
    const long = ["a", "b", "c"].map((caller) =>
      imagesFor(new RenderImages(caller), () => limitDecodings(() => end.promise, decoding)),
    );
    const photograph = { pixels: 24e6 };
    expect(await imagesFor(new RenderImages("d"), () => limitDecodings(async () => "decoded", photograph))).toBe(
      "decoded",
    );
    end.resolve();
    await Promise.all(long);
  });

  it.each([
    ["nearly 5 megapixels", { pixels: 4.9e6 }],
    ["an AVIF of 0.8 megapixels", { pixels: 8e5, hardPixels: 8e5 }],
  ])(
    "of %s wait for no larger images, also where these are not so large that they leave a place",
    async (_kind, quick) => {
      const end = Promise.withResolvers<void>();
      const larger = ["a", "b", "c"].map((caller) =>
        imagesFor(new RenderImages(caller), () => limitDecodings(() => end.promise, { pixels: 29e6 })),
      );
      const decoded = imagesFor(new RenderImages("d"), () => limitDecodings(async () => "decoded", quick));
      expect(await Promise.race([decoded, sleep(500, "waits")])).toBe("decoded");
      end.resolve();
      await Promise.all(larger);
    },
  );

  it("of one caller take all places only while no other waits", async () => {
    const turns = new FairTurns({ places: 2 });
    const began: string[] = [];
    const note = (caller: string) => turns.run(caller, () => Promise.resolve(began.push(caller)).then(() => sleep(20)));
    await Promise.all(["a", "a", "a", "a", "b"].map(note));
    expect(began.slice(0, 3).toSorted()).toEqual(["a", "a", "b"]);
  });

  it("leave the line at once when their signal aborts", async () => {
    const turns = new FairTurns({ places: 1 });
    const first = turns.run("a", () => sleep(20));
    const gone = new AbortController();
    let hasBegun = false;
    const act = async () => {
      hasBegun = true;
    };
    const waiting = turns.run("b", act, { signal: gone.signal });
    gone.abort(new Error("gone"));
    await expect(waiting).rejects.toThrow("gone");
    await first;
    await expect(turns.run("b", act, { signal: gone.signal })).rejects.toThrow("gone");
    expect(hasBegun).toBe(false);
    await turns.run("b", act);
    expect(hasBegun).toBe(true);
  });

  it("give their place back when they fail, and count as their caller's", async () => {
    const failing = () => limitDecodings(() => Promise.reject(new Error("damaged")));
    const [a, b] = [new RenderImages("a"), new RenderImages("b")];
    for (let i = 0; i < 5; i++) await expect(imagesFor(a, failing)).rejects.toThrow("damaged");
    expect(await imagesFor(b, () => limitDecodings(async () => "decoded"))).toBe("decoded");
  });

  it("add up the pixels of a render", async () => {
    const images = new RenderImages("a");
    await imagesFor(images, async () => {
      for (const pixels of [200, 300]) await limitDecodings(async () => undefined, { pixels });
    });
    expect(images.pixels).toBe(500);
  });
});

test("a render knows for how long it has waited for the images that it fetches", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  const images = new RenderImages("a");
  const fetched = async () => {
    vi.advanceTimersByTime(1_000);
    return images.waitingMs;
  };
  expect(await imagesFor(images, () => limitFetches(fetched, { server: "images.example" }))).toBe(1_000);
  expect(images.waitingMs).toBe(0);
});

test.each([
  [
    "fetched",
    (act: () => Promise<void>, signal: AbortSignal) => limitFetches(act, { signal, server: "photos.example" }),
  ],
  ["read", limitHeaders],
  ["decoded", (act: () => Promise<void>, signal: AbortSignal) => limitDecodings(act, { signal })],
])(
  "of a thousand images of a render that are %s, 32 at most wait for their turns or have them",
  async (_how, limit) => {
    const { signal } = new AbortController();
    const end = Promise.withResolvers<void>();
    let begun = 0;
    const act = async () => {
      begun++;
      await end.promise;
    };
    const all = imagesFor(new RenderImages("many"), () => Array.from({ length: 1_000 }, () => limit(act, signal)));
    await sleep(10);
    // Each image that waits in the queue has a listener for the signal, which takes it out of the queue.
    expect(getEventListeners(signal, "abort").length + begun).toBe(32);
    end.resolve();
    await Promise.all(all);
    expect(begun).toBe(1_000);
  },
);
