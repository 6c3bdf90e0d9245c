import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { PNG_EFFORTS } from "#lib/environment/variables.ts";
import { renderPicture, shutDown } from "#lib/render/render.ts";
import { pixelsOf, prepareMachine } from "../rig.ts";

const gradient = {
  html: `<!doctype html><body style="margin:0;background:linear-gradient(135deg,#1d4ed8,#9333ea 50%,#f97316);color:#fff">
    <h1 style="margin:80px;font:700 88px Inter;text-shadow:0 6px 24px #0008">A gradient, and a shadow on it</h1>`,
  width: 1200,
  height: 630,
};

const flat = {
  html: `<!doctype html><body style="margin:40px;background:#fffdf5;border:12px solid #b08d3c;text-align:center">
    <h1 style="font:600 64px Fraunces">Certificate</h1><p style="font:36px Fraunces">of nothing in particular`,
  width: 1200,
  height: 630,
};

beforeAll(prepareMachine);
afterEach(() => vi.unstubAllEnvs());
afterAll(shutDown);

test.for([
  ["a gradient", gradient],
  ["flat colours", flat],
] as const)("%s: more effort makes the file smaller and changes no pixel", async ([, card]) => {
  const pictures = {} as Record<(typeof PNG_EFFORTS)[number], Buffer>;
  for (const effort of PNG_EFFORTS) {
    vi.stubEnv("SERVICE_RENDER_PNG", effort);
    const { png } = await renderPicture(card);
    expect((await renderPicture(card)).png.equals(png)).toBe(true);
    pictures[effort] = png;
  }
  const { fast, balanced, small } = pictures;
  expect(balanced.length).toBeLessThan(fast.length * 0.7);
  expect(small.length).toBeLessThan(balanced.length * 0.95);
  const pixels = await pixelsOf(fast);
  for (const picture of Object.values(pictures)) expect((await pixelsOf(picture)).equals(pixels)).toBe(true);
});

test("the effort of a job goes before the configured one", async () => {
  vi.stubEnv("SERVICE_RENDER_PNG", "fast");
  const { png: fast } = await renderPicture(flat);
  vi.stubEnv("SERVICE_RENDER_PNG", "balanced");
  const { png } = await renderPicture({ ...flat, effort: "fast" });
  expect(png.equals(fast)).toBe(true);
  expect((await renderPicture(flat)).png.length).toBeLessThan(fast.length);
});
