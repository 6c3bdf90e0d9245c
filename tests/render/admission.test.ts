import { setTimeout } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { PAGES } from "#lib/render/queue/fair-queue.ts";
import { renderPicture, renderPrepared, shutDown } from "#lib/render/render.ts";
import { renderTemplate } from "#lib/render/render-template.ts";
import { buildRegistry } from "#lib/templates/build-registry.ts";
import { getRegistry } from "#lib/templates/registry.ts";
import { SOON_MS } from "#tests/pace.ts";
import { captureLog } from "../captured-log.ts";
import { prepareMachine } from "./rig.ts";

const JOB = { html: "<!doctype html><p>x", width: 100, height: 100 };
const SLOW = { ...JOB, measure: "(() => { for (const end = Date.now() + 300; Date.now() < end;); })()" };

let slug: string;

beforeAll(async () => {
  await prepareMachine();
  const { templates } = await buildRegistry();
  slug = templates[0]?.slug ?? "";
  await renderTemplate({ template: slug });
});

afterEach(() => vi.unstubAllEnvs());
afterAll(shutDown);

describe("a full queue", () => {
  test("refuses before a template's values are looked at", async () => {
    vi.stubEnv("SERVICE_RENDER_QUEUE", "0");
    const running = renderPicture(SLOW);
    await expect(renderTemplate({ template: slug, data: { nothing: 1 } })).rejects.toMatchObject({
      code: "overloaded",
      headers: { "Retry-After": expect.stringMatching(/^[1-9]\d*$/) },
    });
    await running;
  });

  test("counts the renders that are being prepared", async () => {
    vi.stubEnv("SERVICE_RENDER_QUEUE", "1");
    const prepared = Promise.withResolvers<typeof JOB>();
    const accepted = [0, 1].map(() => renderPrepared(() => prepared.promise));
    await expect(renderPicture(JOB)).rejects.toMatchObject({ code: "overloaded" });
    prepared.resolve(JOB);
    for (const { png } of await Promise.all(accepted)) expect(png.length).toBeGreaterThan(0);
  });
});

test("the pictures of the service's own pages take nobody's place", async () => {
  vi.stubEnv("SERVICE_RENDER_QUEUE", "1");
  const ofPages = [0, 1].map(() => renderPicture(SLOW, { caller: PAGES }));
  const accepted = [0, 1].map(() => renderPicture(SLOW));
  await expect(renderPicture(JOB)).rejects.toMatchObject({ code: "overloaded" });
  for (const { png } of await Promise.all([...ofPages, ...accepted])) expect(png.length).toBeGreaterThan(0);
});

describe("a place in the queue", () => {
  const takeOne = () => expect(renderPicture(JOB)).resolves.toHaveProperty("png");

  test("comes back when the preparation fails, with the error that it threw", async () => {
    vi.stubEnv("SERVICE_RENDER_QUEUE", "0");
    const fault = new Error("no such value");
    for (let count = 0; count < 3; count++)
      await expect(renderPrepared(() => Promise.reject(fault))).rejects.toBe(fault);
    const wrong = renderTemplate({ template: slug, data: { nothing: 1 } });
    await expect(wrong).rejects.toMatchObject({ code: "invalid_data" });
    await takeOne();
  });

  test("comes back when its client goes away, once its work has stopped", async () => {
    vi.stubEnv("SERVICE_RENDER_QUEUE", "0");
    const client = new AbortController();
    const stopped = Promise.withResolvers<typeof JOB>();
    let seen: AbortSignal | undefined;
    const given = renderPrepared(
      (signal) => {
        seen = signal;
        return stopped.promise;
      },
      { signal: client.signal },
    );
    client.abort(new Error("gone"));
    await expect(given).rejects.toThrow("gone");
    expect(seen?.aborted).toBe(true);
    await expect(renderPicture(JOB)).rejects.toMatchObject({ code: "overloaded" });
    stopped.resolve(JOB);
    await setTimeout(1);
    await takeOne();
  });

  test("is held no longer than the deadline, which the preparation counts towards", async () => {
    vi.stubEnv("SERVICE_RENDER_TIMEOUT_MS", "200");
    const startedAt = performance.now();
    const late = renderPrepared(async (signal) => {
      await setTimeout(60_000, undefined, { signal });
      return JOB;
    });
    await expect(late).rejects.toMatchObject({ code: "render_timeout" });
    expect(performance.now() - startedAt).toBeLessThan(SOON_MS);
    vi.stubEnv("SERVICE_RENDER_QUEUE", "0");
    await takeOne();
  });
});

test("a bad configuration is refused before a template is looked for", async () => {
  vi.stubEnv("SERVICE_RENDER_QUEUE", "lots");
  await expect(renderTemplate({ template: "no/such" })).rejects.toMatchObject({ code: "misconfigured" });
});

async function plant(html: string): Promise<Disposable> {
  const { templates } = await getRegistry();
  const template = templates.find((candidate) => candidate.slug === slug) ?? expect.fail("no template");
  templates.push({ ...template, slug: "test/planted", html });
  return { [Symbol.dispose]: () => templates.pop() };
}

test("a template that asks for what is never loaded is drawn, and the log names it and a few of the addresses", async () => {
  const lines = captureLog();
  await renderTemplate({ template: slug });
  expect(lines).toEqual([]);
  const asked = (index: number) => `<i style="display:block;background:url(https://images.example/${index}.png)">x</i>`;
  using _planted = await plant(Array.from({ length: 30 }, (_, index) => asked(index)).join(""));
  await expect(renderTemplate({ template: "test/planted" })).resolves.toHaveProperty("png");
  expect(lines).toHaveLength(1);
  const line = JSON.parse(lines[0] ?? "");
  expect(line).toMatchObject({ level: 40, slug: "test/planted", count: 30 });
  expect(line.addresses).toHaveLength(10);
  expect(line.addresses[0]).toContain("https://images.example/");
});
