import { setTimeout } from "node:timers/promises";
import { expect, test } from "vitest";
import { BrowserConnection, type BrowserTransport } from "#lib/render/chromium/connection.ts";
import { Page } from "#lib/render/chromium/page.ts";

type Command = { id: number; method: string };

const RESULTS: Record<string, unknown> = {
  "Target.createTarget": { targetId: "page" },
  "Target.attachToTarget": { sessionId: "session" },
  "Runtime.evaluate": { result: { type: "boolean", value: true } },
  "HeadlessExperimental.beginFrame": { screenshotData: "picture" },
};

const ATTACHED = { sessionId: "session", targetInfo: { targetId: "page", type: "page" }, waitingForDebugger: false };

const never = new AbortController().signal;

/** A browser that answers at once. A test decides when it answers a navigation, and when it reports the new document. */
function startBrowser() {
  const navigations: Command[] = [];
  const say = (message: object) => transport.onmessage?.(JSON.stringify(message));
  const transport: BrowserTransport = {
    send: (text) => {
      const command = JSON.parse(text);
      const { id, method, sessionId } = command;
      if (method === "Page.navigate") return void navigations.push(command);
      queueMicrotask(() => {
        if (method === "Target.attachToTarget") say({ method: "Target.attachedToTarget", params: ATTACHED });
        say({ id, sessionId, result: RESULTS[method] ?? {} });
      });
    },
    close: () => undefined,
    takeBytes: () => Buffer.from("a picture"),
  };
  const connection = new BrowserConnection(transport);
  return {
    connection,
    navigations,
    answer: ({ id }: Command) => say({ id, sessionId: "session", result: { loaderId: `document ${id}` } }),
    report: ({ id }: Command) =>
      say({
        method: "Page.frameNavigated",
        sessionId: "session",
        params: { frame: { id: "page", loaderId: `document ${id}` } },
      }),
  };
}

const composed = (width: number) => ({ html: "<p>x", width, height: 100, sharesPage: true });

const stamp = () => undefined;

/** A page with a picture of one size, and a render of another size that is aborted while the page becomes blank for it. */
async function abortWhileBlanking() {
  const browser = startBrowser();
  const { connection } = browser;
  const page = await Page.open({ connection, contextId: undefined }, { frames: "begin-frame", signal: never });
  await page.render(composed(100), { signal: never, stamp });
  const client = new AbortController();
  const given = page.render(composed(200), { signal: client.signal, stamp });
  await expect.poll(() => browser.navigations.length).toBe(1);
  client.abort(new Error("gone"));
  await expect(given).rejects.toThrow("gone");
  const [navigation = expect.fail("no navigation")] = browser.navigations;
  return { browser, page, navigation };
}

test("a page whose render was aborted while it became blank is not ready for another document", async () => {
  const { page } = await abortWhileBlanking();
  expect(page.isReplaceable).toBe(false);
});

test("a page is blank once it has reported its own blank document, not that of an aborted render", async () => {
  const { browser, page, navigation } = await abortWhileBlanking();
  let isBlank = false;
  const blanking = page.blank(never).then(() => {
    isBlank = true;
  });
  await expect.poll(() => browser.navigations.length).toBe(2);
  const [, next = expect.fail("no second navigation")] = browser.navigations;
  browser.answer(navigation);
  browser.report(navigation);
  browser.answer(next);
  await setTimeout(50);
  expect(isBlank).toBe(false);
  browser.report(next);
  await blanking;
  await expect(page.render(composed(100), { signal: never, stamp })).resolves.toHaveProperty("png");
});
