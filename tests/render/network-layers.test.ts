import { readFileSync } from "node:fs";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { prepareFontconfig } from "#lib/fonts/fontconfig.ts";
import type { CdpSession } from "#lib/render/chromium/cdp.ts";
import { prepareChromium } from "#lib/render/chromium/install.ts";
import { type Browser, launchBrowser } from "#lib/render/chromium/launch.ts";
import { lockDown } from "#lib/render/chromium/lock-down.ts";
import { prepareMachine, SHARED_DATA_DIR, watchLoopback } from "./rig.ts";

let browser: Browser;
let loopback: Awaited<ReturnType<typeof watchLoopback>>;

beforeAll(async () => {
  await prepareMachine();
  loopback = await watchLoopback();
  const chromium = await prepareChromium({ dataDir: SHARED_DATA_DIR });
  const fontconfig = await prepareFontconfig(SHARED_DATA_DIR);
  browser = await launchBrowser(
    { chromium, dataDir: SHARED_DATA_DIR, fontconfig, sandboxed: false },
    AbortSignal.timeout(10_000),
  );
});

afterAll(async () => {
  await browser.close();
  await loopback.close();
});

beforeEach(() => {
  loopback.hits.length = 0;
});

/** A page with scripts and without our interception: what is left is what the flags deny. */
async function openPlainPage(): Promise<CdpSession> {
  const { root } = browser.connection;
  const { targetId } = await root.send("Target.createTarget", {
    url: "about:blank",
    width: 400,
    height: 300,
    enableBeginFrameControl: true,
  });
  const { sessionId } = await root.send("Target.attachToTarget", { targetId, flatten: true });
  return browser.connection.session(sessionId);
}

async function evaluate(page: CdpSession, expression: string): Promise<unknown> {
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

test("in a locked-down page its scripts do not run although measuring does, and another page that appears is closed", async () => {
  const signal = AbortSignal.timeout(5_000);
  const target = await lockDown(browser.connection, {
    size: { width: 400, height: 300 },
    frames: "begin-frame",
    signal,
  });
  const page = browser.connection.session(target.sessionId);
  const html = "<title>before</title><script>document.title='after'</script>";
  await page.send("Page.setDocumentContent", { frameId: target.targetId, html });
  expect(await evaluate(page, "document.title")).toBe("before");
  const { root } = browser.connection;
  const { targetId } = await root.send("Target.createTarget", { url: "about:blank" });
  const isOpen = async () =>
    (await root.send("Target.getTargets")).targetInfos.some((info) => info.targetId === targetId);
  await expect.poll(isOpen).toBe(false);
});

test("the browser sees nothing of the server's environment", async () => {
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
