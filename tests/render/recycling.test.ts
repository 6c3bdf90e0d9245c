import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { rendering, renderPicture, shutDown, warmUp } from "#lib/render/render.ts";
import { SOON_MS } from "#tests/pace.ts";
import { browserPid, eventually, groupMembers, ownDataDir, prepareMachine, removeDir, workerDirs } from "./rig.ts";

const JOB = { html: "<!doctype html><body style='background:#00ff00'>", width: 300, height: 300 };
const TEXT = { ...JOB, html: `<p style="height:100px;overflow:hidden">${"lorem ipsum ".repeat(900_000)}` };

let dataDir: string;
const pids = () => rendering.get().pids;
const isRunning = (pid: number) => groupMembers(pid).length > 0;

beforeAll(async () => {
  await prepareMachine();
  dataDir = await ownDataDir();
});

beforeEach(() => vi.stubEnv("SERVICE_DATA_DIR", dataDir));

afterEach(async () => {
  await shutDown();
  rendering.reset();
  expect(workerDirs(dataDir)).toEqual([]);
  vi.unstubAllEnvs();
});

afterAll(() => removeDir(dataDir));

test("browsers that have rendered enough are replaced, with the same bytes, and leave nothing behind", async () => {
  vi.stubEnv("SERVICE_RENDER_WORKERS", "2");
  vi.stubEnv("SERVICE_RENDER_RECYCLE", "3");
  await warmUp();
  await eventually(() => pids().length === 2);
  const before = pids();
  const bytes = new Set<string>();
  // On a busy machine, the browser that starts last may get few of the first pictures.
  for (const end = performance.now() + SOON_MS; before.some(isRunning) && performance.now() < end; ) {
    const pictures = await Promise.all(Array.from({ length: 24 }, () => renderPicture(JOB)));
    for (const { png } of pictures) bytes.add(png.toString("base64"));
  }
  expect(bytes.size).toBe(1);
  expect(before.filter(isRunning)).toEqual([]);
  await eventually(() => workerDirs(dataDir).length <= 4);
});

describe("a browser that exceeds its memory limit", () => {
  test("ends during the render, which fails with the reason, and other renders go on", async () => {
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

  test("by half after a render is replaced before the next one", async () => {
    vi.stubEnv("SERVICE_RENDER_WORKER_MB", "1100");
    await warmUp();
    const pid = browserPid();
    await expect(renderPicture(TEXT)).resolves.toHaveProperty("png");
    await expect(renderPicture(JOB)).resolves.toHaveProperty("png");
    expect(browserPid()).not.toBe(pid);
  });
});
