import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { checkRendering, renderPicture, shutDown, warmUp } from "#lib/render/render.ts";
import { shared } from "#lib/render/shared.ts";
import { SOON_MS } from "#tests/pace.ts";
import { browserPid, prepareMachine } from "./rig.ts";

beforeAll(prepareMachine);
afterAll(shutDown);

/** Makes the last picture old. */
function forgetSuccess(): void {
  shared.get().lastSuccessAt = undefined;
}

test("a warm service is ready, and the browser that is started draws the first picture", async () => {
  await warmUp();
  expect(await checkRendering()).toEqual({ ok: true });
  const pid = browserPid();
  await renderPicture({ html: "<p>x", width: 100, height: 100 });
  expect(browserPid()).toBe(pid);
});

test("readiness without a recent picture draws one, once for all who ask", async () => {
  forgetSuccess();
  const pool = shared.get().pool;
  const render = vi.spyOn(pool ?? expect.fail("no pool"), "render");
  const states = await Promise.all(Array.from({ length: 10 }, checkRendering));
  expect(states).toEqual(Array(10).fill({ ok: true }));
  expect(render).toHaveBeenCalledTimes(1);
  expect(await checkRendering()).toEqual({ ok: true });
  expect(render).toHaveBeenCalledTimes(1);
  render.mockRestore();
});

test("a browser that hangs is not ready, said within the deadline, and ready again afterwards", async () => {
  forgetSuccess();
  vi.stubEnv("SERVICE_RENDER_TIMEOUT_MS", "700");
  // The page is made blank behind the last answer.
  await setTimeout(100);
  process.kill(browserPid(), "SIGSTOP");
  const startedAt = performance.now();
  expect(await checkRendering()).toMatchObject({ ok: false, message: expect.stringContaining("within 700 ms") });
  expect(performance.now() - startedAt).toBeLessThan(SOON_MS);
  vi.unstubAllEnvs();
  expect(await checkRendering()).toEqual({ ok: true });
});

test("another copy of the module, as routes and instrumentation get, shares the browser and knows its AppError", async () => {
  const pid = browserPid();
  vi.resetModules();
  const copy = await import("#lib/render/render.ts");
  const { AppError } = await import("#lib/errors.ts");
  expect(copy.renderPicture).not.toBe(renderPicture);
  await copy.renderPicture({ html: "<p>x", width: 100, height: 100 });
  expect(browserPid()).toBe(pid);
  const failed = copy.renderPicture({ html: "<p>x", width: 100, height: 100, measure: "absent.value" });
  await expect(failed).rejects.toBeInstanceOf(AppError);
});
