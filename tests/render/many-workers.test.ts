import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { rendering, renderPicture, shutDown, warmUp } from "#lib/render/render.ts";
import { eventually, prepareMachine } from "./rig.ts";

// A browser that blanks its page late, on a busy machine, would be replaced. Here only the one that is killed may be.
vi.mock("#lib/render/render-limits.ts", async (importOriginal) => {
  const limits = await importOriginal<typeof import("#lib/render/render-limits.ts")>();
  return { ...limits, RECOVERY_TIMEOUT_MS: 60_000 };
});

/** Keeps its browser busy long enough for all three to take one. */
const JOB = {
  html: "<!doctype html><h1>One of many</h1>",
  width: 300,
  height: 200,
  measure: "(() => { for (const end = Date.now() + 100; Date.now() < end;); })()",
};

const pids = () => rendering.get().pids;

beforeAll(async () => {
  await prepareMachine();
  vi.stubEnv("SERVICE_RENDER_WORKERS", "3");
  await warmUp();
  await eventually(() => pids().length === 3);
});

afterAll(async () => {
  await shutDown();
  vi.unstubAllEnvs();
});

test("three browsers share the renders, and all make the same bytes", async () => {
  const counts = () => rendering.get().state.browsers.map(({ renders }) => renders);
  const before = counts();
  const asked = Promise.all(Array.from({ length: 12 }, () => renderPicture(JOB)));
  await eventually(() => rendering.get().state.rendering === 3);
  const pictures = await asked;
  expect(new Set(pictures.map(({ png }) => png.toString("base64")))).toHaveProperty("size", 1);
  const shares = counts().map((count, at) => count - (before[at] ?? 0));
  expect(shares).toHaveLength(3);
  expect(Math.min(...shares)).toBeGreaterThan(0);
  expect(shares.reduce((sum, share) => sum + share)).toBe(12);
});

test("a killed browser is replaced, and its render is not lost", async () => {
  const [victim, ...others] = pids();
  const pictures = Array.from({ length: 9 }, () => renderPicture(JOB));
  process.kill(-(victim as number), "SIGKILL");
  for (const { png } of await Promise.all(pictures)) expect(png.length).toBeGreaterThan(0);
  await eventually(() => pids().length === 3);
  expect(pids()).toEqual(expect.arrayContaining(others));
  expect(pids()).not.toContain(victim);
});
