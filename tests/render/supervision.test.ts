import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { checkRendering, rendering, renderPicture, shutDown, warmUp } from "#lib/render/render.ts";
import { chromiumScript, letOneStart } from "./chromium/chromium-script.ts";
import { emptyDataDir, eventually, prepareMachine, processesNaming, removeDir } from "./rig.ts";

const JOB = { html: "<!doctype html><p>x", width: 100, height: 100 };

let dir: string;

const pids = () => rendering.get().pids;
const renderMany = (count: number) => Promise.all(Array.from({ length: count }, () => renderPicture(JOB)));

beforeAll(prepareMachine);

beforeEach(() => {
  dir = emptyDataDir();
  vi.stubEnv("SERVICE_RENDER_WORKERS", "2");
});

afterEach(async () => {
  await shutDown();
  rendering.reset();
  vi.unstubAllEnvs();
  expect(processesNaming(dir)).toEqual([]);
  removeDir(dir);
});

test("a browser that cannot be started takes no render from another, and serves as soon as it can be", async () => {
  await letOneStart(dir, "exit 3");
  await warmUp();
  for (const { png } of await renderMany(10)) expect(png.length).toBeGreaterThan(0);
  expect(pids()).toHaveLength(1);
  rmSync(join(dir, "broken"));
  await eventually(() => pids().length === 2);
  await renderMany(4);
});

test("a browser that hangs while it starts ends with the service", async () => {
  await letOneStart(dir, "exec sleep 600");
  await warmUp();
  await renderMany(4);
  expect(await checkRendering()).toEqual({ ok: true });
  expect(pids()).toHaveLength(1);
});

test.each(["TERM", "INT", "HUP"])(
  "a browser that SIG%s for the server ends while it is spawned is started once more",
  async (name) => {
    vi.stubEnv("SERVICE_RENDER_WORKERS", "1");
    vi.stubEnv("SERVICE_CHROMIUM_SANDBOX", "off");
    vi.stubEnv(
      "SERVICE_CHROMIUM_PATH",
      await chromiumScript(dir, `mkdir "$DIR/first" 2>/dev/null && kill -${name} $$`),
    );
    await renderPicture(JOB);
    expect(pids()).toHaveLength(1);
  },
);

test("when no browser can be started any more, readiness and renders say so, until one can", async () => {
  vi.stubEnv("SERVICE_CHROMIUM_PATH", await chromiumScript(dir, '[ -e "$DIR/broken" ] && exit 3'));
  await warmUp();
  await eventually(() => pids().length === 2);
  await renderPicture(JOB);
  expect(await checkRendering()).toEqual({ ok: true });
  writeFileSync(join(dir, "broken"), "");
  for (const pid of pids()) process.kill(-pid, "SIGKILL");
  await eventually(() => pids().length === 0);
  expect(await checkRendering()).toMatchObject({ ok: false });
  await expect(renderPicture(JOB)).rejects.toMatchObject({ code: "unavailable" });
  rmSync(join(dir, "broken"));
  await eventually(() => pids().length === 2);
  expect(await checkRendering()).toEqual({ ok: true });
});
