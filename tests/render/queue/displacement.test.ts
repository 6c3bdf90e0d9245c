import { afterEach, describe, expect, test, vi } from "vitest";
import { abortable } from "#lib/abortable.ts";
import { limitDecodings, limitFetches } from "#lib/images/image-turns.ts";
import { RECENT_USE_MS } from "#lib/render/render-limits.ts";
import { configWith, jobNamed, settle, startPool, watch } from "./fake-browsers.ts";

afterEach(() => void vi.useRealTimers());

test("in a full queue, the caller with the most renders gives a place to one with fewer, also while they are prepared", async () => {
  const { browsers, pool, config, render } = await startPool({ size: 2, config: configWith({ queueLimit: 1 }) });
  // As one that waits for its turn to decode an image.
  const prepare = (signal: AbortSignal) =>
    new Promise<never>((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
  const slow = [0, 1, 2].map(() => watch(pool.render(prepare, { config, caller: "slow" })));
  await settle();
  const other = render("other", { caller: "other" });
  browsers.finishAll();
  await other.done;
  expect([other.outcome, ...slow.map(({ outcome }) => outcome)]).toEqual(["done", undefined, undefined, "overloaded"]);
});

describe("in a full queue where each caller has one render", () => {
  const usual = configWith({ queueLimit: 2 });

  /** A render that shows an image of so many pixels, and whose document is never made. */
  const image = (pixels: number) => (signal: AbortSignal) =>
    limitDecodings(async () => undefined, { pixels }).then(
      () => new Promise<never>((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
    );

  async function startFull(config = usual) {
    const started = await startPool({ config });
    const { pool } = started;
    const waiting = [20, 50, 30].map((pixels) =>
      watch(pool.render(image(pixels * 1e6), { config, caller: `${pixels}` })),
    );
    await settle();
    return { ...started, outcomes: () => waiting.map(({ outcome }) => outcome) };
  }

  test("the one with the most pixels gives its place to a caller without one", async () => {
    const { browsers, render, outcomes } = await startFull();
    browsers.finishAll();
    const text = render("text", { caller: "single" });
    await text.done;
    expect([text.outcome, ...outcomes()]).toEqual(["done", undefined, "overloaded", undefined]);
  });

  test("the one that has waited longest for an image gives its place to a caller without one", async () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    const { browsers, pool, render } = await startPool({ config: usual });
    const silent = (signal: AbortSignal) =>
      limitFetches(() => abortable(new Promise<never>(() => undefined), signal), { signal, server: "silent.example" });
    const fetched = (caller: string) => watch(pool.render(silent, { config: usual, caller }));
    const small = watch(pool.render(image(1e6), { config: usual, caller: "small" }));
    const first = fetched("first");
    await settle();
    vi.advanceTimersByTime(1_000);
    const second = fetched("second");
    await settle();
    vi.advanceTimersByTime(10);
    browsers.finishAll();
    const text = render("text", { caller: "single" });
    await text.done;
    expect([text, small, first, second].map(({ outcome }) => outcome)).toEqual([
      "done",
      undefined,
      "overloaded",
      undefined,
    ]);
  });

  test("one gives its place, although images of disconnected clients are still decoded", async () => {
    const { browsers, pool, render, outcomes } = await startFull(configWith({ queueLimit: 4 }));
    const config = configWith({ queueLimit: 4 });
    const client = new AbortController();
    const decoded = Promise.withResolvers<ReturnType<typeof jobNamed>>();
    const prepare = () => limitDecodings(async () => undefined, { pixels: 90e6 }).then(() => decoded.promise);
    const request = { config, caller: "gone", signal: client.signal };
    const gone = [0, 1].map(() => watch(pool.render(prepare, request)));
    await settle();
    client.abort(new Error("gone"));
    await Promise.all(gone.map(({ done }) => done));
    browsers.finishAll();
    const text = render("text", { caller: "single", queueLimit: 4 });
    await text.done;
    decoded.resolve(jobNamed("gone"));
    expect([text.outcome, ...outcomes()]).toEqual(["done", undefined, "overloaded", undefined]);
  });

  test("none gives its place to a caller that has one", async () => {
    const { render, outcomes } = await startFull();
    const second = render("second", { caller: "20" });
    await second.done;
    expect([second.outcome, ...outcomes()]).toEqual(["overloaded", undefined, undefined, undefined]);
  });

  describe("and all show texts", () => {
    /** Callers have used the browser for so many milliseconds, 10 a render. Each asks for a text, `late` last. Returns who is refused. */
    async function refusedOf(used: { drawn: number; most: number; other: number; late: number }, pauseMs = 0) {
      vi.useFakeTimers({ toFake: ["performance"] });
      const { browsers, render } = await startPool({ config: usual });
      for (const caller of Object.entries(used).flatMap(([name, ms]) => new Array<string>(ms / 10).fill(name))) {
        const first = render("first", { caller });
        await settle();
        vi.advanceTimersByTime(10);
        browsers.render("first").finish();
        await first.done;
      }
      vi.advanceTimersByTime(pauseMs);
      const asked = Object.keys(used).map((caller) => ({ caller, text: render("second", { caller }) }));
      await settle();
      return asked.filter(({ text }) => text.outcome === "overloaded").map(({ caller }) => caller);
    }

    test("the caller that has used the browsers most gives its place to one that has used them less", async () => {
      expect(await refusedOf({ drawn: 10, most: 60, other: 30, late: 20 })).toEqual(["most"]);
    });

    test("none gives its place to a caller that has used them about as much", async () => {
      expect(await refusedOf({ drawn: 10, most: 60, other: 30, late: 40 })).toEqual(["late"]);
    });

    test("none gives its place for what was used long ago", async () => {
      expect(await refusedOf({ drawn: 10, most: 60, other: 30, late: 0 }, 5 * RECENT_USE_MS)).toEqual(["late"]);
    });
  });

  describe("and some have held places for a second without a picture", () => {
    async function startHeld() {
      vi.useFakeTimers({ toFake: ["performance"] });
      const started = await startPool({ config: usual });
      const { pool, browsers, render } = started;
      const busy = render("busy", { caller: "busy" });
      await settle();
      const hold = (caller: string, { signal }: AbortController) =>
        watch(pool.render(async () => jobNamed(caller), { config: usual, caller, signal }));
      const clients = new AbortController();
      const gone = ["a", "b"].map((caller) => hold(caller, clients));
      await settle();
      vi.advanceTimersByTime(1_000);
      clients.abort(new Error("gone"));
      await Promise.all(gone.map(({ done }) => done));
      browsers.render("busy").finish();
      await busy.done;
      return started;
    }

    test("one of them gives its place to a caller that has used the browsers for less", async () => {
      const { browsers, render } = await startHeld();
      const first = render("first", { caller: "late" });
      await settle();
      vi.advanceTimersByTime(400);
      browsers.render("first").finish();
      await first.done;
      const asked = ["other", "a", "b", "late"].map((caller) => render(`${caller} again`, { caller }));
      await settle();
      expect(asked.map(({ outcome }) => outcome)).toEqual([undefined, undefined, "overloaded", undefined]);
    });

    test("none of them takes the place of a caller that has used the browsers for less", async () => {
      const { render } = await startHeld();
      const asked = ["x", "y", "z", "a"].map((caller) => render(caller, { caller }));
      await settle();
      expect(asked.map(({ outcome }) => outcome)).toEqual([undefined, undefined, undefined, "overloaded"]);
    });
  });

  test("none gives its place when all are new and show texts", async () => {
    const { render } = await startPool({ config: usual });
    const texts = ["a", "b", "c"].map((caller) => render(caller, { caller }));
    await settle();
    const late = render("late", { caller: "late" });
    await late.done;
    expect([late.outcome, ...texts.map(({ outcome }) => outcome)]).toEqual([
      "overloaded",
      undefined,
      undefined,
      undefined,
    ]);
  });
});
