import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { AppError } from "#lib/errors.ts";
import { Rendering } from "#lib/render/render.ts";
import { FakeBrowsers, hang, jobNamed, settle } from "./fake-browsers.ts";
import { READY, RECENT_MS, startService } from "./fake-service.ts";

const NO_DISK = new AppError("unavailable", "The browser cannot be started: the disk is full.");

beforeEach(() => vi.stubEnv("SERVICE_RENDER_PNG", "fast"));
afterEach(() => {
  vi.unstubAllEnvs();
  vi.useRealTimers();
});

describe("a service whose last picture is recent", () => {
  test("is ready for 4 s without another one, and then renders a small one", async () => {
    const { rendering, clock, probes, render } = await startService();
    expect(probes()).toBe(1);
    clock.now = 10_000;
    await render("any").done;
    clock.now += RECENT_MS - 1;
    expect([await rendering.check(), probes()]).toEqual([READY, 1]);
    clock.now += 1;
    expect([await rendering.check(), probes()]).toEqual([READY, 2]);
    expect([await rendering.check(), probes()]).toEqual([READY, 2]);
  });

  test("is not ready when no browser runs", async () => {
    const { browsers, rendering, render } = await startService();
    browsers.onStart = () => Promise.reject(NO_DISK);
    // The picture is finished after its browser has ended.
    browsers.onRender = () => undefined;
    const last = render("last");
    await settle();
    browsers.render("last").finish();
    browsers.workers[0]?.kill();
    await last.done;
    expect([last.outcome, rendering.readiness.isProven, rendering.pids]).toEqual(["done", true, []]);
    expect(await rendering.check()).toEqual({ ok: false, message: NO_DISK.message });
  });

  test("is not ready when its browser is about to end", async () => {
    const { browsers, rendering } = await startService();
    browsers.onStart = () => Promise.reject(NO_DISK);
    Object.assign(browsers.workers[0] ?? {}, { isUsable: false });
    expect(rendering.readiness.isProven).toBe(true);
    expect(await rendering.check()).toEqual({ ok: false, message: NO_DISK.message });
  });

  test("is not ready with a configuration that cannot be used", async () => {
    const { rendering, probes } = await startService();
    vi.stubEnv("SERVICE_RENDER_QUEUE", "-1");
    expect(await rendering.check()).toMatchObject({
      ok: false,
      message: expect.stringContaining("SERVICE_RENDER_QUEUE"),
    });
    vi.stubEnv("SERVICE_RENDER_QUEUE", "1");
    expect([await rendering.check(), probes()]).toEqual([READY, 1]);
  });

  test("is not ready once it stops", async () => {
    const { rendering } = await startService();
    const stopped = rendering.stop();
    const refused = { ok: false, message: "The service is stopping." };
    expect(await rendering.check()).toEqual(refused);
    await stopped;
    expect(await rendering.check()).toEqual(refused);
  });
});

test("a service that has stopped starts no browser, even when it never had one", async () => {
  const browsers = new FakeBrowsers();
  const rendering = new Rendering({ startWorker: browsers.startWorker, now: () => 0 });
  await rendering.stop();
  await expect(rendering.render(async () => jobNamed("late"), {})).rejects.toMatchObject({ code: "unavailable" });
  await expect(rendering.start()).rejects.toMatchObject({ code: "unavailable" });
  expect(browsers.starts).toBe(0);
});

test("a service whose browsers are ended by one document stays ready while it draws others, for 4 s after the last of them", async () => {
  vi.stubEnv("SERVICE_RENDER_WORKERS", "2");
  const { browsers, rendering, clock, render } = await startService();
  const starting = Promise.withResolvers<void>();
  onTestFinished(() => starting.resolve());
  await render("other").done;
  browsers.onStart = () => starting.promise;
  for (const worker of browsers.workers) worker.kill();
  await settle();
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const checkAfter = async (ms: number) => {
    clock.now += ms;
    const checked = rendering.checkSoon();
    await vi.advanceTimersByTimeAsync(300);
    return await checked;
  };
  expect(await checkAfter(RECENT_MS - 1)).toEqual(READY);
  expect(await checkAfter(1)).toMatchObject({ ok: false });
});

describe("a service renders a small picture before it is ready again", () => {
  test.each(["render_failed", "unavailable"] as const)("after a render with %s", async (code) => {
    const { rendering, probes } = await startService();
    await expect(rendering.render(() => Promise.reject(new AppError(code, "x")), {})).rejects.toMatchObject({ code });
    expect([await rendering.check(), probes()]).toEqual([READY, 2]);
  });

  test("after a browser did not finish a picture in time, and not after a render that only waited", async () => {
    const { browsers, rendering, probes, render } = await startService();
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    vi.stubEnv("SERVICE_RENDER_TIMEOUT_MS", "5000");
    browsers.onRender = () => undefined;
    const running = render("running");
    await settle();
    vi.stubEnv("SERVICE_RENDER_TIMEOUT_MS", "1000");
    const waiting = render("waiting");
    vi.advanceTimersByTime(1_000);
    await settle();
    expect([waiting.outcome, rendering.readiness.isUndoubted]).toEqual(["render_timeout", true]);
    vi.advanceTimersByTime(4_000);
    await settle();
    expect([running.outcome, rendering.readiness.isUndoubted]).toEqual(["render_timeout", false]);
    browsers.finishAll();
    await settle();
    vi.unstubAllEnvs();
    vi.stubEnv("SERVICE_RENDER_PNG", "fast");
    expect([await rendering.check(), probes()]).toEqual([READY, 2]);
  });

  test("but not after a request that was at fault itself, or was refused", async () => {
    const { rendering, probes } = await startService();
    for (const code of ["invalid_data", "image_rejected", "overloaded"] as const)
      await expect(rendering.render(() => Promise.reject(new AppError(code, "x")), {})).rejects.toMatchObject({ code });
    await expect(rendering.render(() => Promise.reject(new Error("gone")), {})).rejects.toThrow("gone");
    expect([await rendering.check(), probes()]).toEqual([READY, 1]);
  });

  test("after a browser was replaced", async () => {
    const { browsers, rendering, probes } = await startService();
    browsers.workers[0]?.kill();
    await settle();
    expect(rendering.pids).toEqual([1_001]);
    expect([await rendering.check(), probes()]).toEqual([READY, 2]);
  });

  test("but not after one was replaced because it has grown, also while the next one starts", async () => {
    const { browsers, rendering, clock, render } = await startService();
    const starting = Promise.withResolvers<void>();
    onTestFinished(() => starting.resolve());
    browsers.onStart = () => starting.promise;
    const doubts = vi.spyOn(rendering.readiness, "markUnproven");
    Object.assign(browsers.workers[0] ?? {}, { canBeCleaned: false, isOutgrown: true });
    await render("large").done;
    await settle();
    clock.now += RECENT_MS;
    expect([rendering.pids, doubts.mock.calls.length]).toEqual([[], 0]);
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const checked = rendering.checkSoon();
    await vi.advanceTimersByTimeAsync(300);
    expect(await checked).toEqual(READY);
  });

  test("after a browser did not start, though another serves", async () => {
    vi.stubEnv("SERVICE_RENDER_WORKERS", "2");
    const { browsers, rendering, probes, render } = await startService();
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    browsers.onStart = () => Promise.reject(NO_DISK);
    // It has rendered nothing, so the next attempt comes after a pause.
    browsers.workers.find(({ renders }) => renders === 0)?.kill();
    await settle();
    await render("any").done;
    expect(rendering.readiness.isProven).toBe(true);
    await vi.advanceTimersByTimeAsync(100);
    await settle();
    expect(rendering.readiness.isProven).toBe(false);
    expect([await rendering.check(), probes()]).toEqual([READY, 2]);
  });
});

test("a service whose browser hangs while it starts is not ready, said within the deadline", async () => {
  const { browsers, rendering, probes } = await startService();
  browsers.onStart = hang;
  browsers.workers[0]?.kill();
  await settle();
  vi.stubEnv("SERVICE_RENDER_TIMEOUT_MS", "100");
  expect(await rendering.check()).toMatchObject({ ok: false, message: expect.stringContaining("100 ms") });
  expect(probes()).toBe(1);
});
