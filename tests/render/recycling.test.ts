import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { renderPicture, shutDown, warmUp } from "#lib/render/render.ts";
import { shared } from "#lib/render/shared.ts";
import { chromiumScript } from "./chromium-script.ts";
import {
  browserPid,
  emptyDataDir,
  eventually,
  groupMembers,
  ownDataDir,
  prepareMachine,
  removeDir,
  workerDirs,
} from "./rig.ts";

const JOB = { html: "<!doctype html><body style='background:#00ff00'>", width: 300, height: 300 };
const TEXT = { ...JOB, html: `<p style="height:100px;overflow:hidden">${"lorem ipsum ".repeat(900_000)}` };

let dataDir: string;
const pids = () => shared.get().pool?.pids ?? [];

beforeAll(async () => {
  await prepareMachine();
  dataDir = await ownDataDir();
});

beforeEach(() => vi.stubEnv("SERVICE_DATA_DIR", dataDir));

afterEach(async () => {
  await shutDown();
  // A service of its own for each test: ending is for good.
  Object.assign(shared.get(), { pool: undefined, stopped: undefined });
  expect(workerDirs(dataDir)).toEqual([]);
  vi.unstubAllEnvs();
});

afterAll(() => removeDir(dataDir));

describe("a browser that has drawn enough", () => {
  test("goes on until its successor is ready: no render waits for a start", async () => {
    const dir = emptyDataDir();
    vi.stubEnv("SERVICE_CHROMIUM_PATH", await chromiumScript(dir, "sleep 1"));
    vi.stubEnv("SERVICE_RENDER_RECYCLE", "5");
    await warmUp();
    const seen = new Set<number>();
    const first = await renderPicture(JOB);
    // Whoever asks at any moment is drawn by the one that is there.
    const counts = new Set<number>();
    const watch = setInterval(() => counts.add(pids().length), 1);
    onTestFinished(() => clearInterval(watch));
    while (seen.size < 3) {
      seen.add(browserPid());
      const { png } = await renderPicture(JOB);
      expect(png.equals(first.png)).toBe(true);
    }
    expect([...counts]).toEqual([1]);
    await eventually(() => [...seen].filter((pid) => groupMembers(pid).length > 0).length === 1);
    removeDir(dir);
  });

  test("leaves nothing behind, with many at once", async () => {
    vi.stubEnv("SERVICE_RENDER_WORKERS", "2");
    vi.stubEnv("SERVICE_RENDER_RECYCLE", "3");
    await warmUp();
    const pictures = await Promise.all(Array.from({ length: 60 }, () => renderPicture(JOB)));
    expect(new Set(pictures.map(({ png }) => png.toString("base64"))).size).toBe(1);
    await eventually(() => workerDirs(dataDir).length <= 4);
  });
});

describe("a browser that takes more memory than it may", () => {
  test("ends in the middle of the render, which is told why, and the others go on", async () => {
    vi.stubEnv("SERVICE_RENDER_WORKERS", "2");
    vi.stubEnv("SERVICE_RENDER_WORKER_MB", "400");
    await warmUp();
    await eventually(() => pids().length === 2);
    const before = pids();
    const exploding = renderPicture(TEXT).catch((error) => error);
    const others = Promise.all(Array.from({ length: 20 }, () => renderPicture(JOB)));
    expect(await exploding).toMatchObject({
      code: "render_failed",
      message: "The picture took more than 400 MB of memory to draw.",
    });
    for (const { png } of await others) expect(png.length).toBeGreaterThan(0);
    await eventually(() => before.filter((pid) => groupMembers(pid).length > 0).length === 1);
    await eventually(() => pids().length === 2);
    await expect(renderPicture(JOB)).resolves.toHaveProperty("png");
  });

  test("afterwards is replaced before the next render", async () => {
    vi.stubEnv("SERVICE_RENDER_WORKER_MB", "2000");
    await warmUp();
    const pid = browserPid();
    await expect(renderPicture({ ...TEXT, html: TEXT.html.repeat(2) })).resolves.toHaveProperty("png");
    await expect(renderPicture(JOB)).resolves.toHaveProperty("png");
    expect(browserPid()).not.toBe(pid);
  });
});
