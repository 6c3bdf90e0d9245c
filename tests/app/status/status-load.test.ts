import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { PAGES_CALLER } from "#lib/render/queue/fair-queue.ts";
import { rendering, renderPicture, shutDown, warmUp } from "#lib/render/render.ts";
import { getRegistry } from "#lib/templates/registry.ts";
import { letOneStart } from "../../render/chromium/chromium-script.ts";
import { emptyDataDir, eventually, prepareMachine, removeDir } from "../../render/rig.ts";
import { factOf, row } from "./status.ts";

const RENDER_MS = 300;
const SLOW = {
  html: "<!doctype html><p>x",
  width: 100,
  height: 100,
  measure: `(() => { for (const end = Date.now() + ${RENDER_MS}; Date.now() < end;); })()`,
};

let dir: string;

beforeAll(async () => {
  await prepareMachine();
  await getRegistry();
});

beforeEach(() => {
  dir = emptyDataDir();
});

afterEach(async () => {
  await shutDown();
  rendering.reset();
  vi.unstubAllEnvs();
  removeDir(dir);
});

it("browsers that do not start are a warning, until they do", async () => {
  vi.stubEnv("SERVICE_RENDER_WORKERS", "2");
  await letOneStart(dir, "exit 3");
  await warmUp();
  // During each further attempt the browser counts as starting, not as failing.
  await expect
    .poll(() => row("workers"))
    .toMatchObject({
      state: "warning",
      summary: "1 browser of 2 serves.",
      remedy: expect.stringContaining("others do not start"),
    });
  rmSync(join(dir, "broken"));
  await eventually(() => rendering.get().pids.length === 2);
  expect(await row("workers")).toMatchObject({ state: "ok", summary: "2 browsers of 2 serve." });
});

it("browsers that no render has needed yet are no warning", async () => {
  vi.stubEnv("SERVICE_RENDER_WORKERS", "2");
  await renderPicture(SLOW);
  expect(await row("workers")).toMatchObject({ state: "ok", summary: "1 browser of 2 serves." });
});

it("the pictures of the service's own pages take no place in the queue, and are counted apart", async () => {
  vi.stubEnv("SERVICE_RENDER_WORKERS", "1");
  vi.stubEnv("SERVICE_RENDER_QUEUE", "2");
  await warmUp();
  const asked = Array.from({ length: 4 }, () => renderPicture(SLOW, { caller: PAGES_CALLER }));
  await eventually(() => rendering.get().state.waiting === 3);
  const queue = await row("queue");
  expect(queue).toMatchObject({ state: "ok", summary: "No render waits." });
  expect([factOf(queue, "Waiting"), factOf(queue, "Pictures of the pages that wait")]).toEqual([0, 3]);
  await Promise.all(asked);
});
