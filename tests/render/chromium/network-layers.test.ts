import { readdirSync, readFileSync } from "node:fs";
import type { CDPSession } from "puppeteer-core/internal/api/CDPSession.js";
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { prepareFontconfig } from "#lib/fonts/fontconfig.ts";
import { prepareChromium } from "#lib/render/chromium/install.ts";
import { type Browser, launchBrowser } from "#lib/render/chromium/launch.ts";
import { type LockedTarget, lockDown } from "#lib/render/chromium/lock-down.ts";
import { emptyDataDir, prepareMachine, removeDir, SHARED_DATA_DIR, watchLoopback } from "../rig.ts";

let browser: Browser;
let loopback: Awaited<ReturnType<typeof watchLoopback>>;

async function startBrowser(): Promise<Browser> {
  const chromium = await prepareChromium({ dataDir: SHARED_DATA_DIR });
  const fontconfig = await prepareFontconfig(SHARED_DATA_DIR);
  const options = { chromium, dataDir: SHARED_DATA_DIR, fontconfig, sandboxed: false };
  return await launchBrowser(options, AbortSignal.timeout(30_000));
}

beforeAll(async () => {
  await prepareMachine();
  loopback = await watchLoopback();
  browser = await startBrowser();
});

afterAll(async () => {
  await browser.close();
  await loopback.close();
});

beforeEach(() => {
  loopback.hits.length = 0;
});

/** A page with scripts and without interception: only the flags protect it. */
async function openPlainPage(): Promise<CDPSession> {
  const { targetId } = await browser.connection.root.send("Target.createTarget", {
    url: "about:blank",
    width: 400,
    height: 300,
    enableBeginFrameControl: true,
  });
  return await browser.connection.attach(targetId);
}

async function evaluate(page: CDPSession, expression: string): Promise<unknown> {
  const { result } = await page.send("Runtime.evaluate", { expression, returnByValue: true, awaitPromise: true });
  return result.value;
}

const settled = (promise: string) => `${promise}.then(() => "loaded", () => "refused")`;

describe("by the flags alone, without interception and with scripts,", () => {
  test("the test's own server is there to be hit", async () => {
    await fetch(loopback.origin);
    expect(loopback.hits).toContain("/");
  });

  test.for(["127.0.0.1", "localhost", "[::1]", "2130706433", "0.0.0.0", "[::ffff:127.0.0.1]"])(
    "a document cannot come from %s",
    async (host) => {
      const page = await openPlainPage();
      const { errorText } = await page.send("Page.navigate", { url: loopback.origin.replace("127.0.0.1", host) });
      expect(errorText).toMatch(/^net::ERR_/);
      expect(loopback.hits).toEqual([]);
    },
  );

  test("no script, image, frame, socket, beacon or preconnect reaches the loopback address", async () => {
    const page = await openPlainPage();
    const { origin } = loopback;
    const attempts = [
      settled(`fetch("${origin}/fetch", { mode: "no-cors" })`),
      settled(
        `new Promise((yes, no) => Object.assign(new Image(), { src: "${origin}/image", onload: yes, onerror: no }))`,
      ),
      settled(
        `new Promise((yes, no) => Object.assign(new WebSocket("${origin.replace("http", "ws")}/socket"), { onopen: yes, onerror: no }))`,
      ),
      settled(
        `new Promise((yes, no) => document.head.append(Object.assign(document.createElement("script"), { src: "${origin}/script", onload: yes, onerror: no })))`,
      ),
    ];
    expect(await evaluate(page, `Promise.all([${attempts}])`)).toEqual(attempts.map(() => "refused"));
    await evaluate(
      page,
      `navigator.sendBeacon("${origin}/beacon"); for (const rel of ["preconnect", "dns-prefetch", "prefetch", "icon"]) document.head.append(Object.assign(document.createElement("link"), { rel, href: "${origin}/" + rel })); document.body.append(Object.assign(document.createElement("iframe"), { src: "${origin}/frame" })); new Promise((done) => setTimeout(done, 300))`,
    );
    expect(loopback.hits).toEqual([]);
  });

  test("a peer connection finds no way out", async () => {
    const page = await openPlainPage();
    const candidates = await evaluate(
      page,
      `(async () => {
        if (typeof RTCPeerConnection === "undefined") return [];
        const found = [];
        const peer = new RTCPeerConnection({ iceServers: [{ urls: "stun:127.0.0.1:3478" }] });
        peer.onicecandidate = ({ candidate }) => candidate?.candidate && found.push(candidate.candidate);
        peer.createDataChannel("x");
        await peer.setLocalDescription(await peer.createOffer());
        await new Promise((done) => setTimeout(done, 300));
        return found.filter((line) => line.includes("srflx") || line.includes(" udp "));
      })()`,
    );
    expect(candidates).toEqual([]);
  });

  test("a document from nowhere cannot read a file", async () => {
    const page = await openPlainPage();
    expect(
      await evaluate(
        page,
        settled(
          `new Promise((yes, no) => Object.assign(new Image(), { src: "file:///usr/share/pixmaps/debian-logo.png", onload: yes, onerror: no }))`,
        ),
      ),
    ).toBe("refused");
    expect(await evaluate(page, settled(`fetch("file:///etc/passwd")`))).toBe("refused");
  });

  test("no window opens", async () => {
    const page = await openPlainPage();
    expect(await evaluate(page, `window.open("${loopback.origin}/popup") === null`)).toBe(true);
    expect(loopback.hits).toEqual([]);
  });
});

describe("a locked-down page", () => {
  const size = { width: 400, height: 300 };
  let page: LockedTarget;

  beforeAll(async () => {
    page = await lockDown(browser.connection, { size, frames: "begin-frame", signal: AbortSignal.timeout(30_000) });
  });

  test("runs none of its own scripts, although trusted expressions are evaluated in it", async () => {
    const { session, targetId } = page;
    const html = "<title>before</title><script>document.title='after'</script>";
    await session.send("Page.setDocumentContent", { frameId: targetId, html });
    expect(await evaluate(session, "document.title")).toBe("before");
  });

  test("has every other page of its browser closed", async () => {
    const { root } = browser.connection;
    const { targetId } = await root.send("Target.createTarget", { url: "about:blank" });
    const isOpen = async () =>
      (await root.send("Target.getTargets")).targetInfos.some((info) => info.targetId === targetId);
    await expect.poll(isOpen).toBe(false);
  });
});

describe("a document in a locked-down page of a browser that allowed downloads", () => {
  const DATA = "data:application/octet-stream,downloaded";

  // A `data:` address is not requested from anywhere, so that interception does not see it.
  test.for([
    ["a refresh", `<meta http-equiv="refresh" content="0;url=${DATA}">`],
    ["a frame", `<iframe src="${DATA}"></iframe>`],
  ] as const)("saves nothing by %s", async ([, html]) => {
    const own = await startBrowser();
    onTestFinished(() => own.close());
    const { root } = own.connection;
    const allowDownloads = async () => {
      const downloadPath = emptyDataDir();
      onTestFinished(() => removeDir(downloadPath));
      const { browserContextId } = await root.send("Target.createBrowserContext");
      const behavior = { behavior: "allow", downloadPath, browserContextId, eventsEnabled: true } as const;
      await root.send("Browser.setDownloadBehavior", behavior);
      return { contextId: browserContextId, downloadPath };
    };
    const saved = Promise.withResolvers<void>();
    root.on("Browser.downloadProgress", ({ state }) => state === "completed" && saved.resolve());

    const locked = await allowDownloads();
    const signal = AbortSignal.timeout(30_000);
    const size = { width: 400, height: 300 };
    const page = await lockDown(own.connection, { size, frames: "begin-frame", contextId: locked.contextId, signal });
    await page.session.send("Page.setDocumentContent", { frameId: page.targetId, html });

    // The same document in a page that is not locked down, to know that it would have been saved by now.
    const open = await allowDownloads();
    const target = { url: "about:blank", browserContextId: open.contextId, enableBeginFrameControl: true };
    const { targetId } = await root.send("Target.createTarget", target);
    const session = await own.connection.attach(targetId);
    await session.send("Page.setDocumentContent", { frameId: targetId, html });
    await saved.promise;
    expect(readdirSync(open.downloadPath)).toHaveLength(1);
    expect(readdirSync(locked.downloadPath)).toEqual([]);
  });
});

test("the browser inherits nothing of the server's environment", async () => {
  const names = readFileSync(`/proc/${browser.pid}/environ`, "utf8")
    .split("\0")
    .map((line) => line.split("=")[0])
    .filter(Boolean);
  expect(names.toSorted()).toEqual([
    "FONTCONFIG_FILE",
    "HOME",
    "LANG",
    "LD_LIBRARY_PATH",
    "TMPDIR",
    "TZ",
    "XDG_CACHE_HOME",
    "XDG_CONFIG_HOME",
    "XDG_RUNTIME_DIR",
  ]);
});
