import { NodeWebSocketTransport } from "puppeteer-core/internal/node/NodeWebSocketTransport.js";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { describedBrowser, noteBrowser } from "#lib/render/chromium/browser-description.ts";
import { MISSING_FONTS, readMissingFonts } from "#lib/render/chromium/browser-features.ts";
import { BrowserConnection } from "#lib/render/chromium/connection.ts";
import { checkRendering, rendering, renderPicture, shutDown } from "#lib/render/render.ts";
import { lookAtBrowser } from "#lib/status/browser.ts";
import { captureLog } from "../../captured-log.ts";
import { colorAt, eventually, groupMembers, prepareMachine, watchLoopback } from "../rig.ts";
import { type RemoteChromium, startRemoteChromium } from "./remote-chromium.ts";

const JOB = { html: "<!doctype html><body style='background:#00ff00'>", width: 300, height: 200 };
const SLOW = { ...JOB, measure: "(() => { for (const end = Date.now() + 500; Date.now() < end;); })()" };
const HUNG = { ...JOB, measure: "(() => { for (;;); })()" };
const colored = (hex: string) => ({ ...JOB, html: `<!doctype html><body style='background:#${hex}'><h1>${hex}` });

/** High contrast, no motion, dark pages and large texts: what the settings of an operator's machine may be. */
const SETTINGS = [
  "--force-high-contrast",
  "--force-prefers-reduced-motion",
  "--blink-settings=preferredColorScheme=0,forceDarkModeEnabled=true,defaultFontSize=40,defaultFixedFontSize=40",
];

let remote: RemoteChromium;

beforeAll(async () => {
  await prepareMachine();
  remote = await startRemoteChromium(0, SETTINGS);
  vi.stubEnv("SERVICE_RENDER_WORKERS", "2");
  vi.stubEnv("SERVICE_BROWSER_WS", `ws://127.0.0.1:${remote.port}`);
});

afterAll(async () => {
  await shutDown();
  await remote.kill();
});

/** Asks the remote browser over a connection of the test's own, as another client would. */
async function ask<T>(question: (connection: BrowserConnection) => Promise<T>): Promise<T> {
  const transport = await NodeWebSocketTransport.create(remote.address, {}, () => undefined);
  const connection = new BrowserConnection(transport);
  try {
    return await question(connection);
  } finally {
    connection.close(new Error("The question is answered."));
  }
}

const pages = async ({ root }: BrowserConnection) =>
  (await root.send("Target.getTargets")).targetInfos.filter(({ type }) => type === "page");

/** The texts of every open page. */
const textsShown = () =>
  ask(async (connection) =>
    Promise.all(
      (await pages(connection)).map(async ({ targetId }) => {
        const session = await connection.attach(targetId);
        const question = { expression: "document.body?.innerText ?? ''", returnByValue: true };
        return String((await session.send("Runtime.evaluate", question)).result.value);
      }),
    ),
  );

const contexts = () => ask(async ({ root }) => (await root.send("Target.getBrowserContexts")).browserContextIds);

describe("a remote browser", () => {
  test("renders with two workers at once: every picture is right, and has the same bytes each time", async () => {
    const colors = Array.from({ length: 40 }, (_, index) => (0x100000 + index * 0x60504).toString(16));
    const renderAll = () => Promise.all(colors.map((hex) => renderPicture(colored(hex))));
    const [first, second] = [await renderAll(), await renderAll()];
    for (const [index, { png }] of first.entries()) {
      expect(await colorAt(png, { x: 299, y: 199 })).toBe(`#${colors[index]}`);
      expect(png.equals(second[index]?.png as Buffer)).toBe(true);
    }
    expect(await contexts()).toHaveLength(2);
    expect(rendering.get().pids).toEqual([]);
  });

  test("draws as if its machine had no settings", async () => {
    const style = `
      body { margin: 0; background: #0000ff; font-size: medium }
      pre { margin: 0; height: 1em; width: 200px; background: #ff0000; color: #ff0000 }
      @media (forced-colors) or (prefers-contrast) or (prefers-reduced-motion) or (prefers-reduced-transparency) { body { background: #000 } }
      @media (prefers-color-scheme: dark) { body { background: #111 } }`;
    const measure = "[document.body, ...document.querySelectorAll('pre')].map((it) => getComputedStyle(it).fontSize)";
    const { png, measured } = await renderPicture({
      ...JOB,
      html: `<!doctype html><style>${style}</style><pre>`,
      measure,
    });
    expect(measured).toEqual(["16px", "13px"]);
    expect([await colorAt(png, { x: 9, y: 9 }), await colorAt(png, { x: 299, y: 199 })]).toEqual([
      "#ff0000",
      "#0000ff",
    ]);
  });

  test("clears the last document from its page when no request follows", async () => {
    const html = "<!doctype html><body>somebody's name";
    const { measured } = await renderPicture({ ...JOB, html, measure: "document.body.textContent", sharesPage: true });
    expect(measured).toBe("somebody's name");
    await expect.poll(async () => (await textsShown()).join()).not.toContain("somebody's name");
  });

  test("that lacks fonts of Platen is reported, and one that has them is not", async () => {
    await renderPicture(JOB);
    expect(describedBrowser()?.missingFonts).toEqual([]);
    expect(await lookAtBrowser()).toMatchObject({ state: "ok" });
    const lines = captureLog();
    await ask(async (connection) => {
      const { targetId } = await connection.root.send("Target.createTarget", { url: "about:blank" });
      const session = await connection.attach(targetId);
      const expression = MISSING_FONTS.replace('"Archivo"', '"No such family"');
      const { result } = await session.send("Runtime.evaluate", { expression, returnByValue: true });
      await connection.root.send("Target.closeTarget", { targetId });
      noteBrowser(connection, { frames: "screenshot", missingFonts: readMissingFonts(result.value) });
    });
    expect(lines.join()).toContain("No such family");
    const summary = expect.stringContaining("lacks 1 of Platen's families of fonts");
    expect(await lookAtBrowser()).toMatchObject({ state: "warning", summary });
  });

  test("renders at every size", async () => {
    for (const [width, height] of [
      [1, 1],
      [1200, 630],
      [400, 2000],
      [4096, 4096],
      [300, 200],
    ] as const) {
      const { png } = await renderPicture({ ...JOB, width, height });
      expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([width, height]);
      expect(await colorAt(png, { x: width - 1, y: height - 1 })).toBe("#00ff00");
    }
  });

  test("runs no script, loads nothing, and leaves the pages of other clients alone", async () => {
    const loopback = await watchLoopback();
    const html = `<body style="background:#00ff00"><script>document.body.style.background="red"</script><img src="${loopback.origin}/a"><iframe src="${loopback.origin}/b"></iframe><link rel=stylesheet href="${loopback.origin}/c">`;
    await ask(async ({ root }) => {
      const { targetId } = await root.send("Target.createTarget", { url: "about:blank" });
      const { png, blockedRequests } = await renderPicture({ ...JOB, html });
      expect(await colorAt(png, { x: 299, y: 199 })).toBe("#00ff00");
      expect(blockedRequests).toContain(`${loopback.origin}/a`);
      const { targetInfos } = await root.send("Target.getTargets");
      expect(targetInfos.map((info) => info.targetId)).toContain(targetId);
      await root.send("Target.closeTarget", { targetId });
    });
    expect(loopback.hits).toEqual([]);
    await loopback.close();
  });

  test("whose page hangs is abandoned at the deadline, and its browser context is gone", async () => {
    const before = await contexts();
    vi.stubEnv("SERVICE_RENDER_TIMEOUT_MS", "700");
    await expect(renderPicture(HUNG)).rejects.toMatchObject({ code: "render_timeout" });
    vi.stubEnv("SERVICE_RENDER_TIMEOUT_MS", undefined);
    for (let count = 0; count < 4; count++) await expect(renderPicture(JOB)).resolves.toHaveProperty("png");
    // On a busy machine the other page may be given up too, because it was slow to become blank after its last picture.
    await expect
      .poll(async () => (await contexts()).filter((id) => before.includes(id)).length)
      .toBeLessThan(before.length);
    await expect.poll(async () => (await contexts()).length).toBe(2);
    expect(groupMembers(remote.pid).length).toBeGreaterThan(1);
  });

  test("whose page is closed by another client during a render is connected to again, and the render is answered", async () => {
    vi.stubEnv("SERVICE_RENDER_WORKERS", "1");
    const mark = "a render under way";
    const running = renderPicture({ ...SLOW, html: `<title>${mark}</title>` });
    await ask(async (connection) => {
      const find = async () => (await pages(connection)).find(({ title }) => title === mark);
      await expect.poll(find, { interval: 10 }).toBeDefined();
      await connection.root.send("Target.closeTarget", { targetId: (await find())?.targetId ?? "" });
    });
    await expect(running).resolves.toHaveProperty("png");
    vi.stubEnv("SERVICE_RENDER_WORKERS", "2");
  });

  test("that is killed is unavailable, not ready, and connected to again after its restart", async () => {
    await renderPicture(JOB);
    await remote.kill();
    await eventually(() => !rendering.get().readiness.isProven);
    await expect(renderPicture(JOB)).rejects.toMatchObject({ code: "unavailable", headers: { "Retry-After": "1" } });
    expect(await checkRendering()).toMatchObject({ ok: false });
    remote = await startRemoteChromium(remote.port);
    await expect(renderPicture(JOB)).resolves.toHaveProperty("png");
    expect(await checkRendering()).toEqual({ ok: true });
    await expect.poll(async () => (await contexts()).length).toBe(2);
  });

  test("keeps nothing of this service when it shuts down, and goes on running", async () => {
    await renderPicture(JOB);
    await shutDown();
    expect(await contexts()).toEqual([]);
    expect(groupMembers(remote.pid).length).toBeGreaterThan(1);
  });
});
