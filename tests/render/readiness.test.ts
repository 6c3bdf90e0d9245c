import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { checkRendering, rendering, renderPicture, shutDown, warmUp } from "#lib/render/render.ts";
import { SOON_MS } from "#tests/pace.ts";
import { browserPid, prepareMachine } from "./rig.ts";

beforeAll(prepareMachine);
afterAll(shutDown);

test("a warm service is ready, and its browser renders the first picture", async () => {
  await warmUp();
  expect(await checkRendering()).toEqual({ ok: true });
  const pid = browserPid();
  await renderPicture({ html: "<p>x", width: 100, height: 100 });
  expect(browserPid()).toBe(pid);
});

test("a service whose browser hangs is not ready, answered within the deadline, and ready again afterwards", async () => {
  rendering.get().readiness.markUnproven();
  vi.stubEnv("SERVICE_RENDER_TIMEOUT_MS", "700");
  // The page is blanked after the last answer.
  await setTimeout(100);
  process.kill(browserPid(), "SIGSTOP");
  const startedAt = performance.now();
  expect(await checkRendering()).toMatchObject({ ok: false, message: expect.stringContaining("within 700 ms") });
  expect(performance.now() - startedAt).toBeLessThan(SOON_MS);
  vi.unstubAllEnvs();
  expect(await checkRendering()).toEqual({ ok: true });
});

test("another copy of the module, as routes and instrumentation have, shares the browser and the AppError class", async () => {
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
