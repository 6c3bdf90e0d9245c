import sharp from "sharp";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { readMetric } from "#lib/metrics.ts";
import { settle } from "./fake-browsers.ts";
import { probePicture, READY, RECENT_MS, startService } from "./fake-service.ts";

beforeEach(() => vi.stubEnv("SERVICE_RENDER_PNG", "fast"));
afterEach(() => {
  vi.unstubAllEnvs();
  vi.useRealTimers();
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
    const pixels = await sharp(await probePicture())
      .raw()
      .toBuffer();
    pixels.writeUInt8(0, pixels.length - 1);
    const raw = { width: 16, height: 16, channels: 3 } as const;
    const spoiled = await sharp(pixels, { raw }).png().toBuffer();
    browsers.picture = () => spoiled;
    const failed = { ok: false, message: expect.stringContaining("does not show") };
    for (const count of [2, 3]) expect([await rendering.check(), probes()]).toEqual([failed, count]);
    expect(rendering.readiness.lastProbe).toMatchObject({ fault: expect.stringContaining("does not show") });
    const blue = await probePicture();
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

  test.each([
    ["is no failure on a service that has finished a picture in the last 30 s", 30_000 - 1, true],
    ["is one on a service that has finished none", 30_000, false],
  ])("that found all browsers at work until its deadline %s", async (_, agoMs, isReady) => {
    const { browsers, rendering, clock, render } = await startService();
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    browsers.onRender = () => undefined;
    const long = render("long");
    await settle();
    clock.now += agoMs;
    const checked = rendering.check();
    await vi.advanceTimersByTimeAsync(5_000);
    const late = { ok: false, message: expect.stringContaining("within 5000 ms") };
    expect([await checked, rendering.readiness.isUndoubted]).toEqual([isReady ? READY : late, isReady]);
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
