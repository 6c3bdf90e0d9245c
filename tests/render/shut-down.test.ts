import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { checkRendering, renderPicture, shutDown, warmUp } from "#lib/render/render.ts";
import { browserPid, eventually, groupMembers, ownDataDir, prepareMachine, removeDir, workerDirs } from "./rig.ts";

const JOB = { html: "<p>x", width: 100, height: 100 };
const SLOW = { ...JOB, measure: "(() => { for (const end = Date.now() + 300; Date.now() < end;); })()" };
let dataDir: string;

beforeAll(async () => {
  await prepareMachine();
  dataDir = await ownDataDir();
  vi.stubEnv("SERVICE_DATA_DIR", dataDir);
});

afterAll(() => removeDir(dataDir));

test("shutting down finishes accepted renders, refuses new ones, and leaves no process and no file", async () => {
  await warmUp();
  expect(await checkRendering()).toEqual({ ok: true });
  const pid = browserPid();
  const accepted = [SLOW, SLOW, JOB].map((job) => renderPicture(job));
  await setTimeout(50);
  const stopped = [shutDown(), shutDown()];
  await expect(renderPicture(JOB)).rejects.toMatchObject({ code: "unavailable", headers: { "Retry-After": "1" } });
  for (const { png } of await Promise.all(accepted)) expect(png.length).toBeGreaterThan(0);
  await Promise.all(stopped);
  await shutDown();
  await eventually(() => groupMembers(pid).length === 0);
  expect(workerDirs(dataDir)).toEqual([]);
  expect(await checkRendering()).toMatchObject({ ok: false, message: "The service is stopping." });
  await expect(warmUp()).resolves.toBeUndefined();
  await expect(renderPicture(JOB)).rejects.toMatchObject({ code: "unavailable" });
});
