import { setTimeout } from "node:timers/promises";
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { checkRendering, checkRenderingSoon, rendering, renderPicture, shutDown, warmUp } from "#lib/render/render.ts";
import { HANG_SAMPLE_MS, HUNG_SAMPLES } from "#lib/render/render-limits.ts";
import { SOON_MS } from "#tests/pace.ts";
import { eventually, prepareMachine } from "./rig.ts";

const JOB = { html: "<!doctype html><p>x", width: 100, height: 100 };

/** Keeps the page busy for three seconds, which is three times as long as a browser may hang. */
const LONG = { ...JOB, measure: "(() => { for (const end = Date.now() + 3000; Date.now() < end;); })()" };

const pids = () => rendering.get().pids.toSorted();
const stop = (pid: number) => process.kill(-pid, "SIGSTOP");

/** What is awaited after a stop happens long before the deadline of a render, which is 30 s. */
async function soon<T>(work: Promise<T>): Promise<T> {
  const startedAt = performance.now();
  const result = await work;
  expect(performance.now() - startedAt).toBeLessThan(SOON_MS);
  return result;
}

beforeAll(prepareMachine);
beforeEach(() => vi.stubEnv("SERVICE_RENDER_WORKERS", "2"));
afterEach(async () => {
  await shutDown();
  rendering.reset();
  vi.unstubAllEnvs();
});

describe("a browser that is stopped", () => {
  test("in the middle of a render is replaced, and another browser renders the picture", async () => {
    await warmUp();
    await eventually(() => pids().length === 2);
    const before = pids();
    const picture = renderPicture(LONG);
    await eventually(() => rendering.get().state.rendering === 1);
    const [busy = 0] = rendering
      .get()
      .state.browsers.toSorted((a, b) => b.renders - a.renders)
      .map(({ pid }) => pid);
    stop(busy);
    expect((await soon(picture)).png.length).toBeGreaterThan(0);
    await eventually(() => pids().length === 2);
    expect(pids().filter((pid) => before.includes(pid))).toHaveLength(1);
  });

  test("costs no picture, even when every browser is stopped", async () => {
    await warmUp();
    await eventually(() => pids().length === 2);
    const before = pids();
    for (const pid of before) stop(pid);
    for (const { png } of await soon(Promise.all([JOB, JOB].map((job) => renderPicture(job)))))
      expect(png.length).toBeGreaterThan(0);
    expect(pids().filter((pid) => before.includes(pid))).toEqual([]);
  });

  test("does not delay readiness, which then follows from what happens to it", async () => {
    await warmUp();
    await eventually(() => pids().length === 2);
    const before = pids();
    for (const pid of before) stop(pid);
    rendering.get().readiness.markUnproven();
    const known = await checkRenderingSoon();
    // A picture was finished a moment ago.
    expect(known).toEqual({ ok: true });
    expect(pids()).toEqual(before);
    expect(await soon(checkRendering())).toEqual({ ok: true });
    expect(await checkRenderingSoon()).toEqual({ ok: true });
  });
});

test("a page that keeps its browser busy for long does not count as hung", async () => {
  await warmUp();
  await eventually(() => pids().length === 2);
  const before = pids();
  await renderPicture(LONG);
  expect(pids()).toEqual(before);
});

test("a browser that is asked nothing while its picture is judged for long does not count as hung", async () => {
  await warmUp();
  await eventually(() => pids().length === 2);
  const before = pids();
  const recolor = async () => await setTimeout(3 * HUNG_SAMPLES * HANG_SAMPLE_MS, undefined);
  await renderPicture({ ...JOB, recolor });
  expect(pids()).toEqual(before);
});
