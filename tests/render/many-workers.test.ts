import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { renderPicture, shutDown, warmUp } from "#lib/render/render.ts";
import { shared } from "#lib/render/shared.ts";
import { eventually, prepareMachine } from "./rig.ts";

/** Says from when to when its browser was busy with it. */
const JOB = {
  html: "<!doctype html><h1>One of many</h1>",
  width: 300,
  height: 200,
  measure: "(() => { const from = Date.now(); while (Date.now() < from + 100); return [from, Date.now()]; })()",
};

type Span = [from: number, to: number];

/** How many of these spans share one moment, at most. */
function overlap(spans: Span[]): number {
  return Math.max(...spans.map(([from]) => spans.filter((span) => span[0] <= from && from < span[1]).length));
}

const pids = () => shared().pool?.pids ?? [];

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

test("as many browsers as asked for share the renders, and the bytes do not tell which drew", async () => {
  const pictures = await Promise.all(Array.from({ length: 12 }, () => renderPicture(JOB)));
  expect(new Set(pictures.map(({ png }) => png.toString("base64")))).toHaveProperty("size", 1);
  expect(overlap(pictures.map(({ measured }) => measured as Span))).toBe(3);
});

test("a browser that is killed is replaced, and nobody's render is lost with it", async () => {
  const [victim, ...others] = pids();
  const pictures = Array.from({ length: 9 }, () => renderPicture(JOB));
  process.kill(-(victim as number), "SIGKILL");
  for (const { png } of await Promise.all(pictures)) expect(png.length).toBeGreaterThan(0);
  await eventually(() => pids().length === 3);
  expect(pids()).toEqual(expect.arrayContaining(others));
  expect(pids()).not.toContain(victim);
});
