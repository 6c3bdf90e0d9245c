import { setImmediate } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { AppError } from "#lib/errors.ts";
import { LAUNCH_BACKOFF_MAX_MS, LAUNCH_BACKOFF_MS, URGENT_BACKOFF_MAX_MS } from "#lib/render/render-limits.ts";
import { captureLog } from "../../captured-log.ts";
import { configWith, type FakeBrowsers, hang, jobNamed, pass, settle, startWatched, watch } from "./fake-browsers.ts";

const NO_DISK = new AppError("unavailable", "The browser cannot be started: the disk is full.");

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] }));
afterEach(() => void vi.useRealTimers());

/** Until the pauses between attempts are as long as they get. */
async function passEveryShortPause(): Promise<void> {
  for (let pauseMs = LAUNCH_BACKOFF_MS; pauseMs < LAUNCH_BACKOFF_MAX_MS; pauseMs *= 2) await pass(pauseMs);
}

async function failToStart(): Promise<never> {
  await setImmediate();
  throw NO_DISK;
}

/** Lets the only browser end before it has rendered anything. */
async function endUnused({ workers }: FakeBrowsers): Promise<void> {
  workers.at(-1)?.kill();
  await settle();
}

describe("a browser that cannot be started", () => {
  test("takes no render from another, and is there as soon as it can be", async () => {
    const { browsers, events, pool, render } = await startWatched({ size: 2 });
    browsers.onStart = failToStart;
    browsers.workers[1]?.kill();
    await settle();
    browsers.finishAll();
    const all = Array.from({ length: 10 }, (_, index) => render(`r${index}`));
    await Promise.all(all.map(({ done }) => done));
    expect(all.map(({ outcome }) => outcome)).toEqual(Array(10).fill("done"));
    await pass(100);
    expect(pool.state).toMatchObject({ browsers: [{ pid: 1_000 }], failing: 1 });
    browsers.onStart = () => undefined;
    await pass(LAUNCH_BACKOFF_MAX_MS);
    expect([pool.state.browsers.length, pool.state.failing]).toEqual([2, 0]);
    expect(events.slice(0, 2)).toEqual(["ended", "launch failed"]);
  });

  test("fails no render that waits for another", async () => {
    const { browsers, events, render } = await startWatched({ size: 2 });
    browsers.onStart = failToStart;
    browsers.workers[1]?.kill();
    await settle();
    const waiting = ["one", "two", "three"].map((name) => render(name));
    await pass(100);
    expect(events).toEqual(["ended", "launch failed"]);
    expect(waiting.map(({ outcome }) => outcome)).toEqual([undefined, undefined, undefined]);
    browsers.finishAll();
    await Promise.all(waiting.map(({ done }) => done));
    expect(waiting.map(({ outcome }) => outcome)).toEqual(["done", "done", "done"]);
  });

  test("and hangs holds up no render, and not the end of the service", async () => {
    const { browsers, events, pool, render } = await startWatched({ size: 2 });
    browsers.onStart = hang;
    browsers.workers[0]?.kill();
    browsers.finishAll();
    await pass(LAUNCH_BACKOFF_MS);
    const all = Array.from({ length: 5 }, (_, index) => render(`r${index}`));
    await Promise.all(all.map(({ done }) => done));
    expect(all.map(({ outcome }) => outcome)).toEqual(Array(5).fill("done"));
    expect(pool.state).toMatchObject({ browsers: [{ pid: 1_001 }], failing: 0 });
    await pool.stop(AbortSignal.abort());
    expect(browsers.workers.map(({ isUsable }) => isUsable)).toEqual([false, false]);
    // An attempt that was given up has not failed.
    expect(events).toEqual(["ended"]);
  });

  test("fails the renders that wait at once, with the reason, when there is no other", async () => {
    const lines = captureLog();
    const { browsers, events, pool, render } = await startWatched();
    browsers.onStart = failToStart;
    await endUnused(browsers);
    expect(pool.state.failing).toBe(1);
    // Two of them are prepared.
    const waiting = ["one", "two", "three", "four"].map((name) => render(name));
    await settle();
    expect(waiting.map(({ outcome }) => outcome)).toEqual(Array(4).fill(undefined));
    await pass(100);
    expect(waiting.map(({ error }) => error)).toEqual(Array(4).fill(NO_DISK));
    expect([pool.state.waiting, pool.state.failing, events]).toEqual([0, 1, ["ended", "launch failed"]]);
    expect(lines.map((line) => JSON.parse(line)).at(-1)).toMatchObject({ level: "error", failures: 2 });
  });

  test("also fails a render whose images arrive after the attempt, within a second", async () => {
    const { browsers, config, pool } = await startWatched();
    browsers.onStart = failToStart;
    await endUnused(browsers);
    await passEveryShortPause();
    const images = Promise.withResolvers<void>();
    const prepare = () => images.promise.then(() => jobNamed("with images"));
    const waiting = watch(pool.render(prepare, { config, caller: "" }));
    await pass(URGENT_BACKOFF_MAX_MS);
    expect([pool.state.failing, waiting.outcome]).toEqual([1, undefined]);
    images.resolve();
    await pass(URGENT_BACKOFF_MAX_MS);
    expect(waiting.error).toBe(NO_DISK);
  });

  test("is tried again for ever, with pauses that double from 0.1 to 30 s", async () => {
    const { browsers } = await startWatched();
    browsers.onStart = failToStart;
    await endUnused(browsers);
    const before = browsers.starts;
    for (let pauseMs = LAUNCH_BACKOFF_MS; pauseMs < LAUNCH_BACKOFF_MAX_MS; pauseMs *= 2) {
      const count = browsers.starts;
      await pass(pauseMs - 1);
      expect(browsers.starts, `${pauseMs} ms`).toBe(count);
      await pass(1);
      expect(browsers.starts, `${pauseMs} ms`).toBe(count + 1);
    }
    expect(browsers.starts - before).toBe(9);
    for (let count = 1; count <= 3; count++) {
      await pass(LAUNCH_BACKOFF_MAX_MS - 1);
      await pass(1);
      expect(browsers.starts - before).toBe(9 + count);
    }
  });

  test("is tried again within a second while a render waits", async () => {
    const { browsers, render } = await startWatched({ config: configWith({ timeoutMs: 60_000 }) });
    browsers.onStart = failToStart;
    await endUnused(browsers);
    await passEveryShortPause();
    browsers.onStart = () => undefined;
    const before = browsers.starts;
    const waiting = render("waiting");
    await pass(URGENT_BACKOFF_MAX_MS - 1);
    expect(browsers.starts).toBe(before);
    browsers.finishAll();
    await pass(1);
    expect(browsers.starts).toBe(before + 1);
    await waiting.done;
    expect(waiting.outcome).toBe("done");
  });

  test("is tried again after a long pause once no render waits any more", async () => {
    const { browsers, render } = await startWatched();
    browsers.onStart = failToStart;
    await endUnused(browsers);
    await passEveryShortPause();
    const before = browsers.starts;
    const failed = render("failed");
    await pass(URGENT_BACKOFF_MAX_MS);
    expect([failed.error, browsers.starts]).toEqual([NO_DISK, before + 1]);
    await pass(2 * URGENT_BACKOFF_MAX_MS);
    expect(browsers.starts).toBe(before + 1);
  });

  test("counts as failing in the pauses, and not during the attempts", async () => {
    const { browsers, pool } = await startWatched();
    browsers.onStart = failToStart;
    await endUnused(browsers);
    await pass(LAUNCH_BACKOFF_MS);
    expect(pool.state.failing).toBe(1);
    browsers.onStart = hang;
    await pass(2 * LAUNCH_BACKOFF_MS);
    expect(pool.state.failing).toBe(0);
  });

  test("is not tried sooner for a render that another takes", async () => {
    const { browsers, render } = await startWatched({ size: 2 });
    browsers.onStart = failToStart;
    browsers.workers[1]?.kill();
    await settle();
    await passEveryShortPause();
    const before = browsers.starts;
    browsers.finishAll();
    await render("any").done;
    await pass(2 * URGENT_BACKOFF_MAX_MS);
    expect(browsers.starts).toBe(before);
  });

  test("is started without a pause after a render", async () => {
    const { browsers, pool, render } = await startWatched();
    browsers.onStart = failToStart;
    await endUnused(browsers);
    browsers.onStart = () => undefined;
    await pass(100);
    browsers.finishAll();
    await render("first").done;
    await settle();
    browsers.workers.at(-1)?.kill();
    await settle();
    expect([browsers.workers.length, pool.state.browsers.length]).toEqual([3, 1]);
  });

  test("of another configuration is given up", async () => {
    const { browsers, pool, render } = await startWatched();
    browsers.onStart = hang;
    await endUnused(browsers);
    await pass(100);
    browsers.onStart = () => undefined;
    browsers.finishAll();
    const other = render("other", { workerBytes: 1 });
    await other.done;
    expect([other.outcome, pool.state.browsers.length]).toEqual(["done", 1]);
  });
});
