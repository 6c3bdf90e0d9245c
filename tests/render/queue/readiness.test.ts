import sharp from "sharp";
import { afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { AppError } from "#lib/errors.ts";
import { readMetric } from "#lib/metrics.ts";
import { Rendering } from "#lib/render/render.ts";
import { FakeBrowsers, hang, jobNamed, settle, watch } from "./fake-browsers.ts";

const READY = { ok: true };
const RECENT_MS = 4_000;
const NO_DISK = new AppError("unavailable", "The browser cannot be started: the disk is full.");

let blue: Buffer;

beforeAll(async () => {
  const size = { width: 16, height: 16 };
  blue = await sharp({ create: { ...size, channels: 3, background: "#1d4ed8" } })
    .png()
    .toBuffer();
});
beforeEach(() => vi.stubEnv("SERVICE_RENDER_PNG", "fast"));
afterEach(() => {
  vi.unstubAllEnvs();
  vi.useRealTimers();
});

/** A service with one fake browser, which has passed its first probe. It ends with the test. */
async function startService() {
  const browsers = new FakeBrowsers();
  const clock = { now: 0 };
  const rendering = new Rendering({ startWorker: browsers.startWorker, now: () => clock.now });
  onTestFinished(async () => {
    browsers.finishAll();
    await rendering.stop();
  });
  const drawn = browsers.picture;
  browsers.picture = (job) => (job.width === 16 ? blue : drawn(job));
  browsers.finishAll();
  await rendering.start();
  await settle();
  const probes = () => browsers.names.filter((name) => name.includes("probe")).length;
  const render = (name: string, caller = "") => watch(rendering.render(async () => jobNamed(name), { caller }));
  return { browsers, rendering, clock, probes, render };
}

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

  test("but not after one was replaced in order, also while the next one starts", async () => {
    const { browsers, rendering, clock } = await startService();
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const starting = Promise.withResolvers<void>();
    onTestFinished(() => starting.resolve());
    browsers.onStart = () => starting.promise;
    Object.assign(browsers.workers[0] ?? {}, { canBeCleaned: false, isOutgrown: true });
    await watch(rendering.render(async () => jobNamed("large"), {})).done;
    await settle();
    clock.now += RECENT_MS;
    expect([rendering.pids, rendering.readiness.isUndoubted]).toEqual([[], true]);
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

describe("a probe", () => {
  test("is one for all who ask meanwhile", async () => {
    const { rendering, clock, probes } = await startService();
    clock.now += RECENT_MS;
    expect(await Promise.all(Array.from({ length: 10 }, () => rendering.check()))).toEqual(Array(10).fill(READY));
    expect(probes()).toBe(2);
  });

  test("with other pixels than the document's is a failure, and proves nothing", async () => {
    const { browsers, rendering, clock, probes } = await startService();
    clock.now += RECENT_MS;
    const pixels = await sharp(blue).raw().toBuffer();
    pixels.writeUInt8(0, pixels.length - 1);
    const raw = { width: 16, height: 16, channels: 3 } as const;
    const spoiled = await sharp(pixels, { raw }).png().toBuffer();
    browsers.picture = () => spoiled;
    const failed = { ok: false, message: expect.stringContaining("does not show") };
    for (const count of [2, 3]) expect([await rendering.check(), probes()]).toEqual([failed, count]);
    expect(rendering.readiness.lastProbe).toMatchObject({ fault: expect.stringContaining("does not show") });
    browsers.picture = () => blue;
    expect(await rendering.check()).toEqual(READY);
    expect(rendering.readiness.lastProbe).toEqual({ at: expect.any(Date), ms: 0, fault: undefined });
  });

  test.each([
    ["1000", 1_000],
    ["60000", 5_000],
  ])("ends after a deadline of %s ms, or 5 s where that is shorter", async (configured, deadlineMs) => {
    vi.stubEnv("SERVICE_RENDER_TIMEOUT_MS", configured);
    const { browsers, rendering, clock } = await startService();
    clock.now += RECENT_MS;
    browsers.onRender = ({ signal, fail }) => signal.addEventListener("abort", () => fail(signal.reason));
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const checked = rendering.check();
    await vi.advanceTimersByTimeAsync(deadlineMs - 1);
    expect(rendering.state.rendering).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(await checked).toMatchObject({ ok: false, message: expect.stringContaining(`within ${deadlineMs} ms`) });
  });

  test("that found all browsers at work until its deadline is no failure", async () => {
    const { browsers, rendering, clock, render } = await startService();
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    browsers.onRender = () => undefined;
    const long = render("long");
    await settle();
    clock.now += RECENT_MS;
    const checked = rendering.check();
    await vi.advanceTimersByTimeAsync(5_000);
    expect([await checked, rendering.readiness.isUndoubted]).toEqual([READY, true]);
    browsers.finishAll();
    await long.done;
  });

  test("waits behind one render of a crowd at most, and is not counted among the pictures", async () => {
    const { browsers, rendering, clock, render } = await startService();
    const count = async () =>
      (await readMetric("platen_render_stage_seconds")).find(
        ({ part, labels }) => part === "count" && labels.stage === "queue",
      )?.value ?? 0;
    browsers.onRender = () => undefined;
    const crowd = Array.from({ length: 30 }, (_, index) => render(`crowd${index}`, "crowd"));
    await settle();
    clock.now += RECENT_MS;
    const before = await count();
    const checked = rendering.check();
    await settle();
    let pictures = 0;
    for (; pictures < 2 && !browsers.begun.at(-1)?.name.includes("probe"); pictures++) {
      browsers.begun.at(-1)?.finish();
      await settle();
    }
    const last = browsers.begun.at(-1);
    expect(last?.name).toContain("probe");
    last?.finish();
    expect(await checked).toEqual(READY);
    expect((await count()) - before).toBe(pictures);
    browsers.finishAll();
    await Promise.all(crowd.map(({ done }) => done));
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
