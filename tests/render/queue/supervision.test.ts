import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { captureLog } from "../../captured-log.ts";
import { settle, startWatched } from "./fake-browsers.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] }));
afterEach(() => void vi.useRealTimers());

describe("a browser is replaced, and never used again,", () => {
  test("when it cannot be cleaned after a render", async () => {
    const { browsers, events, render } = await startWatched();
    const [first] = browsers.workers;
    Object.assign(first ?? {}, { canBeCleaned: false });
    browsers.finishAll();
    for (const name of ["one", "two", "three"]) await render(name).done;
    expect(browsers.begun.map(({ worker }) => worker)).toEqual([first, browsers.workers[1], browsers.workers[1]]);
    expect([first?.isUsable, events]).toEqual([false, ["failed"]]);
  });

  test("when it is too large after a render", async () => {
    const { browsers, events, render } = await startWatched();
    Object.assign(browsers.workers[0] ?? {}, { canBeCleaned: false, isOutgrown: true });
    browsers.finishAll();
    await render("large").done;
    await settle();
    expect([browsers.workers.length, browsers.workers[0]?.isUsable, events]).toEqual([2, false, ["memory"]]);
  });

  test("when it ends unasked while it is idle, before a render needs it", async () => {
    const lines = captureLog();
    const { browsers, events, pool, render } = await startWatched();
    browsers.finishAll();
    await render("first").done;
    await settle();
    browsers.workers[0]?.kill();
    await settle();
    expect(pool.state.browsers).toMatchObject([{ pid: 1_001 }]);
    expect(events).toEqual(["ended"]);
    expect(JSON.parse(lines[0] ?? "")).toMatchObject({ level: "warn", pid: 1_000 });
  });

  test("when a render comes before all of its processes have ended", async () => {
    const { browsers, events, render } = await startWatched();
    const gone = Promise.withResolvers<void>();
    Object.assign(browsers.workers[0] ?? {}, { lingering: gone.promise });
    browsers.workers[0]?.kill();
    browsers.finishAll();
    await render("any").done;
    gone.resolve();
    await settle();
    expect(browsers.render("any").worker).toBe(browsers.workers[1]);
    expect([browsers.starts, events]).toEqual([2, ["ended"]]);
  });

  test("when it ends during a render", async () => {
    const { browsers, events, pool, render } = await startWatched();
    render("first");
    await settle();
    browsers.lose(browsers.workers[0] ?? expect.fail());
    await settle();
    expect(events).toEqual(["ended"]);
    expect(pool.state).toMatchObject({ rendering: 1, browsers: [{ pid: 1_001 }] });
  });

  test("when the configuration that it was started with changes, and only then", async () => {
    const { browsers, events, render } = await startWatched();
    browsers.finishAll();
    await render("first").done;
    await settle();
    await render("same", { timeoutMs: 1_234, queueLimit: 3, cacheBytes: 5 }).done;
    await settle();
    expect([browsers.workers.length, events]).toEqual([1, []]);
    await render("other", { workerBytes: 1 }).done;
    expect(browsers.render("other").worker).toBe(browsers.workers[1]);
    expect([browsers.workers[0]?.isUsable, events]).toEqual([false, ["configuration"]]);
  });

  test("when the configuration changes during its render, after that", async () => {
    const { browsers, events, render } = await startWatched();
    const first = render("first");
    await settle();
    const other = render("other", { workerBytes: 1 });
    await settle();
    expect(browsers.workers[0]?.isUsable).toBe(true);
    browsers.finishAll();
    await Promise.all([first.done, other.done]);
    expect([first.outcome, other.outcome]).toEqual(["done", "done"]);
    expect(browsers.render("other").worker).toBe(browsers.workers[1]);
    expect([browsers.workers[0]?.isUsable, events]).toEqual([false, ["configuration"]]);
  });
});

describe("as many browsers are started", () => {
  test("as there are renders at once, and no more than there may be", async () => {
    const { browsers, pool, render } = await startWatched({ size: 3, isCold: true });
    expect([browsers.starts, pool.state.failing]).toEqual([0, 0]);
    for (const name of ["one", "two"]) {
      const alone = render(name);
      await settle();
      browsers.render(name).finish();
      await alone.done;
      await settle();
    }
    expect(browsers.starts).toBe(1);
    for (const [name, starts] of [
      ["three", 1],
      ["four", 2],
      ["five", 3],
      ["six", 3],
    ] as const) {
      render(name);
      await settle();
      expect(browsers.starts, name).toBe(starts);
    }
    expect(pool.state).toMatchObject({ waiting: 1, rendering: 3, failing: 0 });
  });

  test("as there may be, by a warm start", async () => {
    const { browsers, pool } = await startWatched({ size: 3 });
    expect([browsers.starts, pool.state.browsers.length]).toEqual([3, 3]);
  });

  test("and each takes renders", async () => {
    const { browsers, pool, render } = await startWatched({ size: 3 });
    for (let count = 0; count < 3; count++) render(`r${count}`);
    await settle();
    expect(new Set(browsers.begun.map(({ worker }) => worker.pid)).size).toBe(3);
    expect(pool.state).toMatchObject({ waiting: 0, rendering: 3 });
  });

  test("and the one that has been idle the longest takes the next", async () => {
    const { browsers, render } = await startWatched({ size: 3 });
    browsers.finishAll();
    for (let count = 0; count < 6; count++) {
      await render(`r${count}`).done;
      await settle();
    }
    const pids = browsers.begun.map(({ worker }) => worker.pid);
    expect(new Set(pids.slice(0, 3)).size).toBe(3);
    expect(pids.slice(3)).toEqual(pids.slice(0, 3));
  });
});
