import { readFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { rendering, renderPicture, shutDown } from "#lib/render/render.ts";
import { SOON_MS } from "#tests/pace.ts";
import {
  browserPid,
  eventually,
  groupMembers,
  ownDataDir,
  prepareMachine,
  removeDir,
  workerDirs,
  zombies,
} from "../rig.ts";

const JOB = { html: "<!doctype html><body style='background:#00ff00'>", width: 300, height: 300 };
const SLOW = { ...JOB, measure: "(() => { for (const end = Date.now() + 150; Date.now() < end;); })()" };
const HUNG = { ...JOB, measure: "(() => { for (;;); })()" };
let dataDir: string;

beforeAll(async () => {
  await prepareMachine();
  dataDir = await ownDataDir();
  vi.stubEnv("SERVICE_DATA_DIR", dataDir);
  await renderPicture(JOB);
});

afterAll(async () => {
  await shutDown();
  expect(workerDirs(dataDir)).toEqual([]);
  removeDir(dataDir);
});

/** The process number of the browser, once there is one. */
async function runningBrowser(): Promise<number> {
  await eventually(() => rendering.get().pids.length === 1);
  return browserPid();
}

function rendererOf(browser: number): number {
  const isRenderer = (pid: number) => readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("--type=renderer");
  const pid = groupMembers(browser).find(isRenderer);
  if (pid === undefined) throw new Error("No renderer runs.");
  return pid;
}

test("where memory runs out, the kernel ends a browser before the server", async () => {
  const scoreOf = (pid: number) => Number(readFileSync(`/proc/${pid}/oom_score_adj`, "utf8"));
  const pid = await runningBrowser();
  expect(scoreOf(pid)).toBe(1_000);
  for (const member of groupMembers(pid)) expect(scoreOf(member)).toBeGreaterThan(scoreOf(process.pid));
});

test("a render whose browser is killed is answered by another browser, twenty times", async () => {
  for (let count = 0; count < 20; count++) {
    const pid = browserPid();
    const running = renderPicture(SLOW);
    await setTimeout(30 + (count % 5) * 20);
    process.kill(pid, "SIGKILL");
    const killedAt = performance.now();
    expect((await running).png.length).toBeGreaterThan(0);
    expect(performance.now() - killedAt).toBeLessThan(SOON_MS);
    await eventually(() => groupMembers(pid).length === 0);
    expect(browserPid()).not.toBe(pid);
    await expect(renderPicture(JOB)).resolves.toHaveProperty("png");
    await eventually(() => workerDirs(dataDir).length === 1);
  }
  expect(zombies()).toEqual([]);
});

test("a page that crashes is replaced, and its render is answered", async () => {
  const pid = browserPid();
  const running = renderPicture(SLOW);
  await setTimeout(50);
  process.kill(rendererOf(pid), "SIGKILL");
  expect((await running).png.length).toBeGreaterThan(0);
  await eventually(() => groupMembers(pid).length === 0);
});

test("an idle browser whose page crashes is replaced before the next request", async () => {
  const pid = browserPid();
  process.kill(rendererOf(pid), "SIGKILL");
  await eventually(() => groupMembers(pid).length === 0);
  expect(await runningBrowser()).not.toBe(pid);
});

test("a browser that stops answering is killed at the deadline", async () => {
  vi.stubEnv("SERVICE_RENDER_TIMEOUT_MS", "500");
  const pid = browserPid();
  process.kill(pid, "SIGSTOP");
  await expect(renderPicture(JOB)).rejects.toMatchObject({ code: "render_timeout" });
  await eventually(() => groupMembers(pid).length === 0);
  vi.stubEnv("SERVICE_RENDER_TIMEOUT_MS", undefined);
  await expect(renderPicture(JOB)).resolves.toHaveProperty("png");
});

test("a document that kills every browser is refused after the second one", async () => {
  const running = renderPicture(HUNG).catch((error) => error);
  for (let count = 0; count < 2; count++) {
    const pid = await runningBrowser();
    await setTimeout(150);
    // On a busy machine this browser may have been replaced already; the next one counts then.
    if (groupMembers(pid).length === 0) count--;
    else process.kill(pid, "SIGKILL");
    await eventually(() => !rendering.get().pids.includes(pid));
  }
  expect(await running).toMatchObject({ code: "render_failed", status: 500 });
  await expect(renderPicture(JOB)).resolves.toHaveProperty("png");
});

test("an idle browser that is killed is replaced before the next request", async () => {
  const pid = browserPid();
  process.kill(pid, "SIGKILL");
  await eventually(() => groupMembers(pid).length === 0);
  await eventually(() => !rendering.get().pids.includes(pid));
  expect(await runningBrowser()).not.toBe(pid);
});
