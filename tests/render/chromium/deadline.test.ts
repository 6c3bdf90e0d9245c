import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { renderPicture, shutDown } from "#lib/render/render.ts";
import { SOON_MS } from "#tests/pace.ts";
import { browserPid, colorAt, eventually, groupMembers, prepareMachine } from "../rig.ts";

const SIZE = { width: 200, height: 200 };
const QUICK = { html: "<!doctype html><body style='background:#00ff00'>", ...SIZE };
/** Never ends. */
const HUNG = { ...QUICK, html: "<body style='background:red'>", measure: "(() => { for (;;); })()" };
const SLOW = { ...QUICK, measure: "(() => { for (const end = Date.now() + 400; Date.now() < end;); })()" };

beforeAll(prepareMachine);
afterAll(shutDown);

beforeEach(async () => {
  vi.unstubAllEnvs();
  // Longer than a test may take, unless the test sets another deadline.
  vi.stubEnv("SERVICE_RENDER_TIMEOUT_MS", "60000");
  await renderPicture(QUICK);
});

async function timed<T>(work: Promise<T>): Promise<{ outcome: unknown; ms: number }> {
  const startedAt = performance.now();
  const outcome = await work.catch((error: unknown) => error);
  return { outcome, ms: performance.now() - startedAt };
}

/** The render before must not delay this one. */
async function expectQuickRender(): Promise<void> {
  const { outcome, ms } = await timed(renderPicture(QUICK));
  expect(outcome).toHaveProperty("png");
  expect(await colorAt((outcome as { png: Buffer }).png, { x: 9, y: 9 })).toBe("#00ff00");
  expect(ms).toBeLessThan(SOON_MS);
}

describe("a page that hangs", () => {
  test("is answered at the deadline, and its browser is gone soon after", async () => {
    vi.stubEnv("SERVICE_RENDER_TIMEOUT_MS", "600");
    const pid = browserPid();
    const { outcome, ms } = await timed(renderPicture(HUNG));
    expect(outcome).toMatchObject({ code: "render_timeout", status: 504 });
    expect(ms).toBeGreaterThan(550);
    expect(ms).toBeLessThan(SOON_MS);
    await eventually(() => groupMembers(pid).length === 0);
    vi.stubEnv("SERVICE_RENDER_TIMEOUT_MS", "60000");
    await expectQuickRender();
  });

  test("delays the next render no longer than to its own deadline", async () => {
    vi.stubEnv("SERVICE_RENDER_TIMEOUT_MS", "800");
    const hung = timed(renderPicture(HUNG));
    vi.stubEnv("SERVICE_RENDER_TIMEOUT_MS", "60000");
    await expectQuickRender();
    expect((await hung).outcome).toMatchObject({ code: "render_timeout" });
  });

  test("makes a waiting render miss its deadline too: the wait counts", async () => {
    vi.stubEnv("SERVICE_RENDER_TIMEOUT_MS", "500");
    const [hung, waiting] = await Promise.all([timed(renderPicture(HUNG)), timed(renderPicture(QUICK))]);
    expect(hung.outcome).toMatchObject({ code: "render_timeout" });
    expect(waiting.outcome).toMatchObject({ code: "render_timeout" });
    expect(waiting.ms).toBeLessThan(SOON_MS);
  });
});

test("a layout that takes too long ends at the deadline", async () => {
  vi.stubEnv("SERVICE_RENDER_TIMEOUT_MS", "400");
  const text = `<p style="columns:9;text-align:justify">${"lorem ipsum <b>dolor</b> ".repeat(300_000)}`;
  const pid = browserPid();
  const { outcome, ms } = await timed(renderPicture({ html: text, ...SIZE }));
  expect(outcome).toMatchObject({ code: "render_timeout" });
  expect(ms).toBeLessThan(SOON_MS);
  await eventually(() => groupMembers(pid).length === 0);
  vi.stubEnv("SERVICE_RENDER_TIMEOUT_MS", "60000");
  await expectQuickRender();
});

describe("a client that disconnects", () => {
  test("while its page hangs is released at once, and its browser is replaced long before the deadline", async () => {
    for (let count = 0; count < 5; count++) {
      const client = new AbortController();
      const running = timed(renderPicture(HUNG, { signal: client.signal }));
      await setTimeout(200);
      client.abort(new Error("gone"));
      const { outcome, ms } = await running;
      expect(outcome).toMatchObject({ message: "gone" });
      expect(ms).toBeLessThan(SOON_MS);
      await expectQuickRender();
    }
  });

  test("while it waits leaves the queue at once, and is never rendered", async () => {
    const client = new AbortController();
    const slow = timed(renderPicture(SLOW));
    const waiting = timed(renderPicture(HUNG, { signal: client.signal }));
    await setTimeout(50);
    client.abort(new Error("gone"));
    expect((await waiting).ms).toBeLessThan((await slow).ms);
    expect((await slow).outcome).toHaveProperty("png");
    await expectQuickRender();
  });

  test("before its request costs nothing", async () => {
    const pid = browserPid();
    await expect(renderPicture(HUNG, { signal: AbortSignal.abort(new Error("gone")) })).rejects.toThrow("gone");
    await expectQuickRender();
    expect(browserPid()).toBe(pid);
  });

  test("during an ordinary render does not end the browser", async () => {
    const pid = browserPid();
    for (let count = 0; count < 10; count++) {
      const client = new AbortController();
      const running = timed(renderPicture(QUICK, { signal: client.signal }));
      await setTimeout(count);
      client.abort();
      await running;
    }
    await expectQuickRender();
    expect(browserPid()).toBe(pid);
  });

  test("while a frame is drawn does not end the browser", async () => {
    // Takes 40 ms: a twelfth of the time that a page has to become blank, so that a busy machine makes no difference.
    const dithered = { html: "<body style='background:linear-gradient(30deg,red,blue)'>", width: 1_000, height: 1_000 };
    const { ms } = await timed(renderPicture(dithered));
    const pid = browserPid();
    for (let count = 0; count < 20; count++) {
      const client = new AbortController();
      const running = timed(renderPicture(dithered, { signal: client.signal }));
      await setTimeout((count / 20) * ms);
      client.abort();
      await running;
    }
    await expectQuickRender();
    expect(browserPid()).toBe(pid);
  });
});

describe("a full queue", () => {
  test("refuses at once, says when to try again, and serves the waiting renders", async () => {
    vi.stubEnv("SERVICE_RENDER_QUEUE", "2");
    const accepted = [SLOW, QUICK, QUICK].map((job) => timed(renderPicture(job)));
    const refused = await timed(renderPicture(QUICK));
    const [slow] = accepted;
    expect(refused.outcome).toMatchObject({ code: "overloaded", status: 503 });
    expect(
      Number((refused.outcome as { headers: Record<string, string> }).headers["Retry-After"]),
    ).toBeGreaterThanOrEqual(1);
    expect(refused.ms).toBeLessThan((await slow)?.ms ?? 0);
    for (const { outcome } of await Promise.all(accepted)) expect(outcome).toHaveProperty("png");
    await expectQuickRender();
  });

  test("has a free place when a waiting client disconnects", async () => {
    vi.stubEnv("SERVICE_RENDER_QUEUE", "1");
    const client = new AbortController();
    const slow = timed(renderPicture(SLOW));
    const waiting = timed(renderPicture(QUICK, { signal: client.signal }));
    await expect(renderPicture(QUICK)).rejects.toMatchObject({ code: "overloaded" });
    client.abort();
    await waiting;
    await expect(renderPicture(QUICK)).resolves.toHaveProperty("png");
    await slow;
  });

  test("without places still renders one request after another", async () => {
    vi.stubEnv("SERVICE_RENDER_QUEUE", "0");
    for (let count = 0; count < 20; count++) await expect(renderPicture(QUICK)).resolves.toHaveProperty("png");
  });
});
