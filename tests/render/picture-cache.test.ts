import { describe, expect, test } from "vitest";
import { type FinishedPicture, PictureCache } from "#lib/render/picture-cache.ts";
import { SingleFlight } from "#lib/render/single-flight.ts";

const LIMIT_BYTES = 30_000;

function pictureOf(bytes: number): FinishedPicture {
  return { png: Buffer.alloc(bytes), warnings: [] };
}

/** Renders that the test finishes. */
function startCache() {
  const cache = new PictureCache();
  const renders: { caller: string; finish: (picture?: FinishedPicture) => void; fail: (error: Error) => void }[] = [];
  const get = (caller: string, { key = "key", limitBytes = LIMIT_BYTES } = {}) =>
    cache.get({
      key,
      caller,
      limitBytes,
      render: () => {
        const { promise, resolve, reject } = Promise.withResolvers<FinishedPicture>();
        renders.push({ caller, finish: (picture = pictureOf(10_000)) => resolve(picture), fail: reject });
        return promise;
      },
    });
  return { cache, renders, get };
}

describe("requests for the same picture at the same time", () => {
  test("of one caller are rendered once, and share the picture", async () => {
    const { renders, get } = startCache();
    const asked = Array.from({ length: 5 }, () => get("a"));
    expect(renders).toHaveLength(1);
    renders[0]?.finish();
    const pictures = await Promise.all(asked);
    expect(pictures.map(({ source }) => source)).toEqual(["drawn", "shared", "shared", "shared", "shared"]);
    expect(new Set(pictures.map(({ png }) => png)).size).toBe(1);
  });

  test("of several callers are rendered for each, so that none waits for another's turn", async () => {
    const { renders, get } = startCache();
    const [first, second] = [get("a"), get("b")];
    expect(renders.map(({ caller }) => caller)).toEqual(["a", "b"]);
    // The other caller's render may stay in the queue for as long as it likes.
    renders[1]?.finish();
    expect((await second).source).toBe("drawn");
    renders[0]?.finish();
    expect((await first).source).toBe("drawn");
  });

  test("of callers whose names run together are told apart", async () => {
    const { renders, get } = startCache();
    const asked = [get("a", { key: "b,c" }), get("a,b", { key: "c" }), get('a"', { key: "b" })];
    expect(renders).toHaveLength(3);
    for (const { finish } of renders) finish();
    expect((await Promise.all(asked)).map(({ source }) => source)).toEqual(["drawn", "drawn", "drawn"]);
  });

  test("fail alike, and the next one is rendered again", async () => {
    const { renders, get } = startCache();
    const asked = [get("a"), get("a")];
    renders[0]?.fail(new Error("no"));
    expect((await Promise.allSettled(asked)).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    const next = get("a");
    expect(renders).toHaveLength(2);
    renders[1]?.finish();
    expect((await next).source).toBe("drawn");
  });
});

describe("a finished picture", () => {
  test("is every caller's, from memory", async () => {
    const { renders, get } = startCache();
    const first = get("a");
    renders[0]?.finish();
    const { png } = await first;
    for (const caller of ["a", "b", ""]) expect(await get(caller)).toEqual({ png, warnings: [], source: "cache" });
    expect(renders).toHaveLength(1);
  });

  test("keeps its warnings", async () => {
    const { renders, get } = startCache();
    const first = get("a");
    const warnings = [{ path: "/data/title", code: "text_cut", message: "x" }];
    renders[0]?.finish({ ...pictureOf(10), warnings });
    await first;
    expect((await get("b")).warnings).toEqual(warnings);
  });

  test("gives way to newer ones when they need the room, the one that was not asked for the longest first", async () => {
    const { cache, renders, get } = startCache();
    const draw = async (key: string) => {
      const asked = get("", { key });
      renders.at(-1)?.finish();
      return (await asked).source;
    };
    expect([await draw("a"), await draw("b"), await draw("a"), await draw("c")]).toEqual([
      "drawn",
      "drawn",
      "cache",
      "drawn",
    ]);
    expect([await draw("a"), await draw("c"), await draw("b")]).toEqual(["cache", "cache", "drawn"]);
    expect(cache.kept.pictures).toBe(2);
    expect(cache.kept.bytes).toBeLessThanOrEqual(LIMIT_BYTES);
    cache.clear();
    expect(cache.kept).toEqual({ pictures: 0, bytes: 0 });
    expect(await draw("a")).toBe("drawn");
  });

  test("is not kept where nothing is to be kept", async () => {
    const { cache, renders, get } = startCache();
    for (let count = 1; count <= 2; count++) {
      const asked = get("a", { limitBytes: 0 });
      renders[count - 1]?.finish();
      expect((await asked).source).toBe("drawn");
    }
    expect(cache.kept).toEqual({ pictures: 0, bytes: 0 });
  });
});

describe("work that is done once for all who ask for it", () => {
  test("ends only when every caller has left, and begins anew after that", async () => {
    const work = new SingleFlight<string>();
    const done = Promise.withResolvers<string>();
    const seen: AbortSignal[] = [];
    const make = (signal: AbortSignal) => {
      seen.push(signal);
      return done.promise;
    };
    const [one, two] = [new AbortController(), new AbortController()];
    const first = work.run("key", make, one.signal);
    const second = work.run("key", make, two.signal);
    one.abort(new Error("one left"));
    await expect(first).rejects.toThrow("one left");
    expect(seen.map(({ aborted }) => aborted)).toEqual([false]);
    two.abort(new Error("two left"));
    await expect(second).rejects.toThrow("two left");
    expect(seen.map(({ aborted }) => aborted)).toEqual([true]);
    const third = work.run("key", make);
    done.resolve("made");
    expect(await third).toEqual({ result: "made", isShared: false });
    expect(seen).toHaveLength(2);
  });

  test("is not begun for a caller that has already left", async () => {
    const work = new SingleFlight<string>();
    let begun = 0;
    const make = async () => String(++begun);
    await expect(work.run("key", make, AbortSignal.abort(new Error("gone")))).rejects.toThrow("gone");
    expect(begun).toBe(0);
  });
});
