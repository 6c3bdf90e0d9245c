import { describe, expect, test } from "vitest";
import { configWith, settle, startWatched, watch } from "./fake-browsers.ts";

describe("stopping", () => {
  test("lets what was accepted finish, refuses what comes, and closes every browser", async () => {
    const { browsers, pool, render, events } = await startWatched({ size: 2 });
    const accepted = ["one", "two", "three"].map((name) => render(name));
    await settle();
    const stopped = pool.stop(new AbortController().signal);
    const late = render("late");
    await settle();
    expect(late.error).toMatchObject({ code: "unavailable", headers: { "Retry-After": "1" } });
    expect(browsers.workers.map(({ isClosed }) => isClosed)).toEqual([false, false]);
    browsers.finishAll();
    await stopped;
    expect(accepted.map(({ outcome }) => outcome)).toEqual(["done", "done", "done"]);
    expect(browsers.workers.map(({ isClosed }) => isClosed)).toEqual([true, true]);
    expect([browsers.workers.length, events]).toEqual([2, []]);
  });

  test("does not wait longer than its signal allows: what is left is told that the service stops", async () => {
    const { browsers, pool, render } = await startWatched();
    const left = [render("running"), render("waiting")];
    await settle();
    const end = new AbortController();
    const stopped = pool.stop(end.signal);
    await settle();
    expect(left.map(({ outcome }) => outcome)).toEqual([undefined, undefined]);
    end.abort();
    await stopped;
    expect(left.map(({ outcome }) => outcome)).toEqual(["unavailable", "unavailable"]);
    expect(browsers.workers[0]?.isClosed).toBe(true);
  });

  test("waits until browsers that were killed before are gone", async () => {
    const { browsers, pool, render } = await startWatched();
    const gone = Promise.withResolvers<void>();
    Object.assign(browsers.workers[0] ?? {}, { canBeCleaned: false, lingering: gone.promise });
    browsers.finishAll();
    await render("last").done;
    await settle();
    const stopped = watch(pool.stop(AbortSignal.abort()));
    await settle();
    expect([stopped.outcome, browsers.workers.map(({ isUsable }) => isUsable)]).toEqual([undefined, [false, false]]);
    gone.resolve();
    await stopped.done;
    expect(stopped.outcome).toBe("done");
  });

  test("ends a browser that starts meanwhile", async () => {
    const { browsers, pool, render } = await startWatched({ isCold: true });
    const started = Promise.withResolvers<void>();
    browsers.onStart = () => started.promise;
    render("waiting");
    await settle();
    const stopped = pool.stop(AbortSignal.abort());
    await settle();
    started.resolve();
    await stopped;
    expect(browsers.workers.map(({ isUsable }) => isUsable)).toEqual([false]);
    pool.start(configWith());
    await settle();
    expect(browsers.starts).toBe(1);
  });
});
