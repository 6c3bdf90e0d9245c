import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { rendering, renderPicture, shutDown, warmUp } from "#lib/render/render.ts";
import {
  eventually,
  groupMembers,
  ownDataDir,
  prepareMachine,
  processesNaming,
  removeDir,
  workerDirs,
  zombies,
} from "../rig.ts";

const KILLS = 20;
const CLIENTS = 6;
const DEADLINE_MS = 20_000;
const JOB = {
  html: "<!doctype html><body style='background:#00ff00'>",
  width: 300,
  height: 300,
  measure: "(() => { for (const end = Date.now() + 40; Date.now() < end;); })()",
};

let dataDir: string;
const pids = () => rendering.get().pids;

beforeAll(async () => {
  await prepareMachine();
  dataDir = await ownDataDir();
  vi.stubEnv("SERVICE_DATA_DIR", dataDir);
  vi.stubEnv("SERVICE_RENDER_WORKERS", "2");
  vi.stubEnv("SERVICE_RENDER_TIMEOUT_MS", String(DEADLINE_MS));
  await warmUp();
});

afterAll(async () => {
  await shutDown();
  vi.unstubAllEnvs();
  removeDir(dataDir);
});

type Answer = { code: string; ms: number };

/** Requests one picture after another until the signal aborts. */
async function client(answers: Answer[], signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const startedAt = performance.now();
    const code = await renderPicture(JOB).then(
      () => "drawn",
      (error) => String(error.code),
    );
    answers.push({ code, ms: performance.now() - startedAt });
  }
}

async function killOneOf(): Promise<number> {
  await eventually(() => pids().length > 0);
  const [victim = 0] = pids();
  process.kill(victim, "SIGKILL");
  return victim;
}

test("twenty browsers are killed under load: every request is answered in time, later ones are rendered, and nothing is left", async () => {
  const answers: Answer[] = [];
  const end = new AbortController();
  const clients = Array.from({ length: CLIENTS }, () => client(answers, end.signal));
  const victims: number[] = [];
  for (let count = 0; count < KILLS; count++) {
    const answered = answers.length;
    victims.push(await killOneOf());
    await setTimeout(200 + (count % 4) * 50);
    // On a busy machine, the next browser needs longer than that.
    await eventually(() => answers.length > answered);
  }
  end.abort();
  await Promise.all(clients);
  expect(Math.max(...answers.map(({ ms }) => ms))).toBeLessThan(DEADLINE_MS);
  // Only a request whose two browsers were both killed is refused.
  const refused = answers.filter(({ code }) => code !== "drawn");
  expect(refused.every(({ code }) => code === "render_failed")).toBe(true);
  expect(refused.length).toBeLessThan(KILLS / 2);
  expect(answers.length).toBeGreaterThan(KILLS);
  for (let count = 0; count < 4; count++) await expect(renderPicture(JOB)).resolves.toHaveProperty("png");
  await eventually(() => pids().length === 2);
  expect(victims.flatMap(groupMembers)).toEqual([]);
  expect(zombies()).toEqual([]);
  expect(workerDirs(dataDir)).toHaveLength(2);
});

test("shutting down finishes the accepted renders, refuses new ones, and leaves no process and no file", async () => {
  const startedAt = performance.now();
  const asked = Array.from({ length: 40 }, () =>
    renderPicture(JOB).then(
      () => "drawn",
      (error) => String(error.code),
    ),
  );
  await setTimeout(100);
  const stopped = shutDown();
  asked.push(
    renderPicture(JOB).then(
      () => "drawn",
      (error) => String(error.code),
    ),
  );
  const codes = await Promise.all(asked);
  await stopped;
  expect(codes.slice(0, 40)).toEqual(Array(40).fill("drawn"));
  expect(codes.at(-1)).toBe("unavailable");
  expect(performance.now() - startedAt).toBeLessThan(25_000);
  expect(processesNaming(dataDir)).toEqual([]);
  expect(workerDirs(dataDir)).toEqual([]);
});
