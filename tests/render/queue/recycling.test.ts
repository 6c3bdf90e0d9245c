import { describe, expect, test } from "vitest";
import { configWith, hang, settle, startWatched } from "./fake-browsers.ts";

describe("a browser that has rendered enough", () => {
  const config = configWith({ rendersPerBrowser: 2 });

  test("goes on until its successor is ready, which then takes over between two renders", async () => {
    const { browsers, events, pool, render } = await startWatched({ config });
    browsers.finishAll();
    const successor = Promise.withResolvers<void>();
    browsers.onStart = () => successor.promise;
    for (const name of ["one", "two", "three", "four"]) await render(name).done;
    await settle();
    expect(new Set(browsers.begun.map(({ worker }) => worker))).toEqual(new Set(browsers.workers));
    expect([browsers.starts, browsers.workers.length, events]).toEqual([2, 1, []]);
    browsers.onRender = () => undefined;
    const during = render("during");
    await settle();
    successor.resolve();
    await settle();
    expect([browsers.workers.length, browsers.workers[0]?.isUsable]).toEqual([2, true]);
    browsers.finishAll();
    await during.done;
    await settle();
    expect([during.outcome, browsers.workers[0]?.isUsable, events]).toEqual(["done", false, ["renders"]]);
    expect(pool.state.browsers).toMatchObject([{ pid: 1_001, renders: 0 }]);
    await render("after").done;
    expect(browsers.render("after").worker).toBe(browsers.workers[1]);
  });

  test("is replaced at once when it is idle, and not before it has rendered as many as it may", async () => {
    const { browsers, events, render } = await startWatched({ config });
    browsers.finishAll();
    await render("one").done;
    await settle();
    expect(browsers.starts).toBe(1);
    await render("two").done;
    await settle();
    expect([browsers.starts, browsers.workers[0]?.isUsable, events]).toEqual([2, false, ["renders"]]);
  });

  /** A browser that works on a render, and its successor that waits for the end of it. */
  async function startWithSuccessor() {
    const started = await startWatched({ config: configWith({ rendersPerBrowser: 1 }) });
    const first = started.render("first");
    await settle();
    const second = started.render("second");
    await settle();
    expect(started.browsers.workers.map(({ isUsable }) => isUsable)).toEqual([true, true]);
    return { ...started, first, second };
  }

  test("goes on when the configuration changes, while its successor ends at once", async () => {
    const { browsers, events, first, render } = await startWithSuccessor();
    const other = render("other", { workerBytes: 1, rendersPerBrowser: 9 });
    await settle();
    expect(browsers.workers.map(({ isUsable }) => isUsable)).toEqual([true, false]);
    browsers.finishAll();
    await Promise.all([first.done, other.done]);
    await settle();
    expect([first.outcome, other.outcome]).toEqual(["done", "done"]);
    expect(browsers.render("first").worker).toBe(browsers.workers[0]);
    expect(browsers.render("other").worker).toBe(browsers.workers[2]);
    expect(events).toEqual(["configuration"]);
  });

  test("is closed together with its successor when the service ends", async () => {
    const { browsers, pool } = await startWithSuccessor();
    await pool.stop(AbortSignal.abort());
    expect(browsers.workers.map(({ isClosed }) => isClosed)).toEqual([true, true]);
  });

  test("goes on when its successor ends before it takes over", async () => {
    const { browsers, second } = await startWithSuccessor();
    browsers.onStart = hang;
    browsers.workers[1]?.kill();
    await settle();
    browsers.finishAll();
    await second.done;
    expect(second.outcome).toBe("done");
    expect(browsers.render("second").worker).toBe(browsers.workers[0]);
  });

  test("has one successor, however many renders wait", async () => {
    const { browsers, render } = await startWithSuccessor();
    for (const name of ["third", "fourth"]) render(name);
    await settle();
    expect(browsers.starts).toBe(2);
  });
});
