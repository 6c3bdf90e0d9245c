import { Socket } from "node:net";
import sharp from "sharp";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { configReport } from "#lib/config-report.ts";
import { PNG_EFFORTS } from "#lib/environment/variables.ts";
import { processState } from "#lib/process-state.ts";
import { describedBrowser } from "#lib/render/chromium/browser-description.ts";
import { engineFingerprint, isEngineKnown } from "#lib/render/engine.ts";
import { renderPicture, shutDown } from "#lib/render/render.ts";
import { requireRenderConfig } from "#lib/render/render-config.ts";
import { REMOTE_KEEP_ALIVE_MS } from "#lib/render/render-limits.ts";
import { captureLog } from "../../captured-log.ts";
import { eventually } from "../rig.ts";
import { type Lies, startLyingBrowser } from "./lying-browser.ts";

const JOB = { html: "<p>x", width: 30, height: 20 };
const SECRET = "s3cret-of-the-address";

/** The render fails, or the next connection does. */
const FAILED = expect.stringMatching(/^(render_failed|unavailable)$/);

let honest: Buffer;
let browser: Awaited<ReturnType<typeof startLyingBrowser>>;

async function png({ width, height }: { width: number; height: number }): Promise<Buffer> {
  return await sharp({ create: { width, height, channels: 3, background: "#00ff00" } })
    .png()
    .toBuffer();
}

async function connect(lies: Lies): Promise<void> {
  browser = await startLyingBrowser(lies);
  vi.stubEnv("SERVICE_BROWSER_WS", `ws://platen:${SECRET}@${browser.host}/some/path?token=${SECRET}`);
}

const screenshot = (picture: Buffer): Lies => ({
  results: { "Page.captureScreenshot": { data: picture.toString("base64") } },
});

beforeAll(async () => {
  honest = await png(JOB);
});

beforeEach(() => vi.stubEnv("SERVICE_RENDER_TIMEOUT_MS", "2000"));

afterEach(async () => {
  vi.unstubAllEnvs();
  await browser?.close();
});

afterAll(shutDown);

describe("a remote browser", () => {
  test("gets the credential in its address, and no message or log line does", async () => {
    await connect(screenshot(honest));
    await expect(renderPicture(JOB)).resolves.toHaveProperty("png");
    const [{ url, headers } = expect.fail("no connection")] = browser.requests;
    expect(url).toBe(`/some/path?token=${SECRET}`);
    expect(headers.authorization).toBe(`Basic ${Buffer.from(`platen:${SECRET}`).toString("base64")}`);
    const lines = captureLog();
    await browser.close();
    const error = await renderPicture(JOB).catch((caught) => caught);
    expect(error).toMatchObject({ code: "unavailable" });
    await eventually(() => lines.length > 0);
    expect(JSON.stringify([error.message, lines])).not.toContain(SECRET);
  });

  test.for([
    ["a picture of another size", () => png({ width: 31, height: 20 })],
    ["other bytes than a picture", async () => Buffer.from("<html>")],
    ["no bytes", async () => Buffer.alloc(0)],
    [
      "the head of a picture followed by other bytes",
      async () => Buffer.concat([honest.subarray(0, 40), Buffer.alloc(99)]),
    ],
  ] as const)("that answers with %s fails the render, whatever the effort", async ([, make]) => {
    await connect(screenshot(await make()));
    for (const effort of PNG_EFFORTS) {
      vi.stubEnv("SERVICE_RENDER_PNG", effort);
      await expect(renderPicture(JOB)).rejects.toMatchObject({ code: "render_failed" });
    }
  });

  test("that stops answering is abandoned at the deadline, and another connection replaces the first", async () => {
    await connect(screenshot(honest));
    await renderPicture(JOB);
    browser.lies.silentOn = "Page.setDocumentContent";
    await expect(renderPicture(JOB)).rejects.toMatchObject({ code: "render_timeout" });
    browser.lies.silentOn = undefined;
    await expect(renderPicture(JOB)).resolves.toHaveProperty("png");
    expect(browser.requests).toHaveLength(2);
    await eventually(() => browser.sockets.size === 1);
  });

  test("is reached through a connection that the system keeps alive, because networks forget idle ones", async () => {
    const asked = vi.spyOn(Socket.prototype, "setKeepAlive");
    await connect(screenshot(honest));
    await renderPicture(JOB);
    const ports = asked.mock.contexts.map((socket) => (socket as Socket).remotePort);
    const { calls } = asked.mock;
    asked.mockRestore();
    const at = ports.indexOf(Number(new URL(`ws://${browser.host}`).port));
    expect(calls[at]).toEqual([true, REMOTE_KEEP_ALIVE_MS]);
  });

  test("that lacks what templates need is refused, with what it lacks", async () => {
    const value = "text-box";
    await connect({ results: { ...screenshot(honest).results, "Runtime.evaluate": { result: { value } } } });
    const message = expect.stringContaining("It lacks: text-box.");
    await expect(renderPicture(JOB)).rejects.toMatchObject({ code: "misconfigured", message });
  });

  test("that another version replaces gets no pictures of the earlier one from a cache", async () => {
    await connect(screenshot(honest));
    processState("browser-description", () => undefined).reset();
    expect(isEngineKnown(requireRenderConfig())).toBe(false);
    const fingerprints = new Set<string>();
    for (const product of ["Chrome/156.0.1.0", "Chrome/157.0.1.0"]) {
      browser.lies.results["Browser.getVersion"] = { product };
      for (const socket of browser.sockets) socket.destroy();
      await renderPicture(JOB);
      await expect.poll(() => describedBrowser()?.product).toBe(product);
      expect(isEngineKnown(requireRenderConfig())).toBe(true);
      fingerprints.add(await engineFingerprint(requireRenderConfig()));
    }
    expect(fingerprints.size).toBe(2);
  });

  test("that never answers is abandoned at the deadline", async () => {
    await connect({ results: {}, silentOn: "Target.createBrowserContext" });
    await expect(renderPicture(JOB)).rejects.toMatchObject({ code: "render_timeout" });
  });

  test("that announces a message larger than any picture is disconnected before the message is read", async () => {
    await connect(screenshot(honest));
    await renderPicture(JOB);
    const before = process.memoryUsage.rss();
    browser.lies.floodOn = "Page.captureScreenshot";
    await expect(renderPicture(JOB)).rejects.toMatchObject({ code: FAILED });
    expect(process.memoryUsage.rss() - before).toBeLessThan(100_000_000);
  });

  test("that answers with other types fails the render, not the service", async () => {
    await connect(screenshot(honest));
    await renderPicture(JOB);
    for (const data of [7, null, { toString: 1 }]) {
      browser.lies.results = { "Page.captureScreenshot": { data } };
      await expect(renderPicture(JOB)).rejects.toMatchObject({ code: FAILED });
    }
    Object.assign(browser.lies, screenshot(honest));
    await expect(renderPicture(JOB)).resolves.toHaveProperty("png");
  });

  test.for([
    ["no JSON", "<html>"],
    ["no object", "null"],
    ["an event without its parameters", JSON.stringify({ sessionId: "session", method: "Fetch.requestPaused" })],
    [
      "a target without a description",
      JSON.stringify({ method: "Target.attachedToTarget", params: { sessionId: "x" } }),
    ],
  ] as const)("that sends %s is disconnected, and the next connection serves", async ([, text]) => {
    await connect(screenshot(honest));
    await renderPicture(JOB);
    browser.lies.instead = { method: "Page.setDocumentContent", text };
    await expect(renderPicture(JOB)).rejects.toMatchObject({ code: FAILED });
    await expect(renderPicture(JOB)).resolves.toHaveProperty("png");
    expect(browser.requests.length).toBeGreaterThan(1);
    await eventually(() => browser.sockets.size === 1);
  });

  test("that reports its page as closed is connected to again, and the render is answered", async () => {
    await connect(screenshot(honest));
    await renderPicture(JOB);
    const closed = { method: "Target.detachedFromTarget", params: { sessionId: "session" } };
    browser.lies.instead = { method: "Page.setDocumentContent", text: JSON.stringify(closed) };
    await expect(renderPicture(JOB)).resolves.toHaveProperty("png");
    expect(browser.requests).toHaveLength(2);
  });
});

describe("an address", () => {
  const faults = () => configReport().render;

  test.for([`http://me:${SECRET}@host`, `${SECRET}`, `ws//${SECRET}`])(
    "that is malformed is reported without being quoted",
    (address) => {
      vi.stubEnv("SERVICE_BROWSER_WS", address);
      expect(faults()).toMatchObject([
        { variable: "SERVICE_BROWSER_WS", message: expect.stringMatching(/^got .+, want a WebSocket address/) },
      ]);
      expect(JSON.stringify(faults())).not.toContain(SECRET);
    },
  );

  test("together with SERVICE_CHROMIUM_PATH is a fault: only one of them can be used", () => {
    vi.stubEnv("SERVICE_BROWSER_WS", "wss://browsers.example");
    expect(faults()).toEqual([]);
    vi.stubEnv("SERVICE_CHROMIUM_PATH", "/usr/bin/chromium");
    expect(faults()).toMatchObject([
      { variable: "SERVICE_CHROMIUM_PATH", message: expect.stringContaining("one of the two") },
    ]);
  });
});
