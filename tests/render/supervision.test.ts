import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { checkRendering, renderPicture, shutDown, warmUp } from "#lib/render/render.ts";
import { shared } from "#lib/render/shared.ts";
import { SOON_MS } from "#tests/pace.ts";
import { chromiumScript, letOneStart } from "./chromium-script.ts";
import { emptyDataDir, eventually, prepareMachine, processesNaming, removeDir } from "./rig.ts";

const JOB = { html: "<!doctype html><p>x", width: 100, height: 100 };

let dir: string;

const pids = () => shared.get().pool?.pids ?? [];
const renderMany = (count: number) => Promise.all(Array.from({ length: count }, () => renderPicture(JOB)));

beforeAll(prepareMachine);

beforeEach(() => {
  dir = emptyDataDir();
  vi.stubEnv("SERVICE_RENDER_WORKERS", "2");
});

afterEach(async () => {
  await shutDown();
  // A service of its own for each test: ending is for good.
  Object.assign(shared.get(), { pool: undefined, stopped: undefined });
  vi.unstubAllEnvs();
  expect(processesNaming(dir)).toEqual([]);
  removeDir(dir);
});

describe("a browser that cannot be started", () => {
  test("takes no render from another that can draw it, and is there as soon as it can be", async () => {
    await letOneStart(dir, "exit 3");
    await warmUp();
    for (let round = 0; round < 3; round++)
      for (const { png } of await renderMany(10)) expect(png.length).toBeGreaterThan(0);
    expect(pids()).toHaveLength(1);
    rmSync(join(dir, "broken"));
    await eventually(() => pids().length === 2);
    await renderMany(10);
  });

  test("and hangs holds up neither another's renders nor the end of the service", async () => {
    await letOneStart(dir, "exec sleep 600");
    await warmUp();
    const startedAt = performance.now();
    for (const { png } of await renderMany(20)) expect(png.length).toBeGreaterThan(0);
    expect(await checkRendering()).toEqual({ ok: true });
    expect(performance.now() - startedAt).toBeLessThan(SOON_MS);
    expect(pids()).toHaveLength(1);
    const stoppedAt = performance.now();
    await shutDown();
    expect(performance.now() - stoppedAt).toBeLessThan(SOON_MS);
  });
});

describe("when no browser can be started", () => {
  beforeEach(async () => {
    vi.stubEnv("SERVICE_CHROMIUM_PATH", await chromiumScript(dir, '[ -e "$DIR/broken" ] && exit 3'));
    await warmUp();
    await eventually(() => pids().length === 2);
  });

  test("the next probe says so however recent the last picture is, and the next after the repair that it is over", async () => {
    await renderPicture(JOB);
    expect(await checkRendering()).toEqual({ ok: true });
    writeFileSync(join(dir, "broken"), "");
    for (const pid of pids()) process.kill(-pid, "SIGKILL");
    await eventually(() => pids().length === 0);
    expect(await checkRendering()).toMatchObject({ ok: false });
    await expect(renderPicture(JOB)).rejects.toMatchObject({ code: "unavailable" });
    rmSync(join(dir, "broken"));
    expect(await checkRendering()).toEqual({ ok: true });
  });

  test("attempts go on by themselves until one can", async () => {
    writeFileSync(join(dir, "broken"), "");
    for (const pid of pids()) process.kill(-pid, "SIGKILL");
    await eventually(() => pids().length === 0);
    rmSync(join(dir, "broken"));
    await eventually(() => pids().length === 2);
  });
});

test("a browser that ends whenever it has started is not started in a tight loop", async () => {
  const path = await chromiumScript(dir, 'echo x >> "$DIR/starts"');
  vi.stubEnv("SERVICE_CHROMIUM_PATH", path);
  vi.stubEnv("SERVICE_RENDER_WORKERS", "1");
  await warmUp();
  const seen = new Set<number>();
  for (const end = performance.now() + 3_000; performance.now() < end; await new Promise(setImmediate)) {
    for (const pid of pids()) {
      seen.add(pid);
      process.kill(-pid, "SIGKILL");
      await eventually(() => !pids().includes(pid));
    }
  }
  // At once, then after 0.1, 0.2, 0.4, 0.8 and 1.6 s.
  expect(seen.size).toBeGreaterThan(2);
  expect(seen.size).toBeLessThan(8);
});
