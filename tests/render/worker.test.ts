import { spawn } from "node:child_process";
import { tmpdir } from "node:os";
import { setTimeout } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import { AppError } from "#lib/errors.ts";
import type { Browser } from "#lib/render/chromium/launch.ts";
import type { Page } from "#lib/render/chromium/page.ts";
import { Worker } from "#lib/render/chromium/worker.ts";
import { BrowserHung, BrowserLost, BrowserSpent } from "#lib/render/render-faults.ts";
import { RECOVERY_TIMEOUT_MS } from "#lib/render/render-limits.ts";

const JOB = { html: "<p>x", width: 100, height: 100 };
const OPTIONS = { signal: new AbortController().signal, stamp: () => undefined };

type Options = {
  render?: () => Promise<never>;
  /** `closed` resolves when the connection to the browser is closed. */
  blank?: (signal: AbortSignal, closed: Promise<void>) => Promise<void>;
  /** The browser is watched if it has one. */
  pid?: number | undefined;
  /** Whether the browser has yet to answer, without which it cannot hang. */
  isAwaited?: boolean;
  needsRoomIn?: Browser["needsRoomIn"];
  /** Settles once the processes of a killed browser are gone. */
  gone?: Promise<void>;
  isReplaceable?: boolean;
};

/** A worker with a browser that lives on, whatever its page does. */
function startWorker(options: Options) {
  const { render, blank = async () => undefined, needsRoomIn, isReplaceable = false, gone } = options;
  const { pid, isAwaited = false } = options;
  const closed = Promise.withResolvers<void>();
  let kills = 0;
  const browser = {
    pid,
    needsRoomIn,
    connection: { closed: closed.promise, close: () => closed.resolve(), received: 0, isAwaited },
    gone: gone ?? closed.promise,
    kill: () => void kills++,
    close: async () => undefined,
  };
  const page = {
    render: render ?? (async () => ({ png: Buffer.alloc(0) })),
    blank: (signal: AbortSignal) => blank(signal, closed.promise),
    isReplaceable,
  };
  const [own, limits] = [browser as unknown as Browser, { key: "key", limitBytes: Number.MAX_SAFE_INTEGER }];
  const worker = new Worker({ browser: own, page: page as unknown as Page, ...limits });
  return { worker, kills: () => kills };
}

describe("a worker is not used again", () => {
  test.each([true, false])(
    "when its browser was lost during a render, though its page can still be blanked: %s",
    async (isReplaceable) => {
      const lost = new BrowserLost("The browser draws no frames.");
      const { worker } = startWorker({ render: () => Promise.reject(lost), isReplaceable });
      await expect(worker.render(JOB, OPTIONS)).rejects.toBe(lost);
      expect(await worker.clean()).toBe(false);
    },
  );

  test("when the disk had no room for a picture", async () => {
    const { worker } = startWorker({ needsRoomIn: { own: tmpdir(), memory: tmpdir() }, isReplaceable: true });
    const large = { ...JOB, width: 1e8, height: 1e8 };
    await expect(worker.render(large, OPTIONS)).rejects.toMatchObject({ code: "unavailable" });
    expect(await worker.clean()).toBe(false);
  });

  test("when its page cannot be blanked", async () => {
    const { worker } = startWorker({ blank: () => Promise.reject(new Error("no answer")) });
    await worker.render(JOB, OPTIONS);
    expect(await worker.clean()).toBe(false);
  });

  test("once it was killed", async () => {
    const { worker, kills } = startWorker({ isReplaceable: true });
    worker.kill();
    expect([await worker.clean(), worker.isUsable, kills()]).toEqual([false, false, 1]);
  });
});

test("a browser that has drawn, and leaves too little room for the next picture, is gone before another one draws it", async () => {
  const gone = Promise.withResolvers<void>();
  const room = { own: tmpdir(), memory: tmpdir() };
  const { worker, kills } = startWorker({ needsRoomIn: room, isReplaceable: true, gone: gone.promise });
  await worker.render(JOB, OPTIONS);
  const endless = { ...JOB, width: 1e9, height: 1e9 };
  const ended = worker.render(endless, OPTIONS).catch((error) => error);
  const state = Promise.race([
    ended.then(() => "ended"),
    new Promise((resolve) => setImmediate(() => resolve("open"))),
  ]);
  expect([await state, kills()]).toEqual(["open", 1]);
  gone.resolve();
  expect(await ended).toBeInstanceOf(BrowserSpent);
  expect(await ended).toMatchObject({ cause: { code: "unavailable" } });
  expect(await worker.clean()).toBe(false);
});

test("an idle page that does not become blank is no fault of the document that comes next", async () => {
  const begun = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<void>();
  const blank = async () => {
    begun.resolve();
    await answer.promise;
  };
  const { worker, kills } = startWorker({ blank, isReplaceable: true });
  expect(await worker.clean()).toBe(true);
  await begun.promise;
  const next = worker.render(JOB, OPTIONS);
  answer.reject(new Error("no answer"));
  await expect(next).rejects.toBeInstanceOf(BrowserHung);
  expect([await worker.clean(), kills()]).toEqual([false, 1]);
});

describe("a page that becomes blank late, because the machine is busy,", () => {
  const blank = async (signal: AbortSignal) => {
    await setTimeout(2 * RECOVERY_TIMEOUT_MS);
    signal.throwIfAborted();
  };

  test("keeps its browser after a finished picture", async () => {
    const { worker } = startWorker({ blank, pid: process.pid });
    await worker.render(JOB, OPTIONS);
    expect(await worker.clean()).toBe(true);
  });

  test("keeps its browser while it is idle", async () => {
    const begun = Promise.withResolvers<void>();
    const blankLater = (signal: AbortSignal) => {
      begun.resolve();
      return blank(signal);
    };
    const { worker, kills } = startWorker({ blank: blankLater, isReplaceable: true, pid: process.pid });
    await worker.render(JOB, OPTIONS);
    expect(await worker.clean()).toBe(true);
    await begun.promise;
    await worker.render(JOB, OPTIONS);
    expect([await worker.clean(), kills()]).toEqual([true, 0]);
  });

  test("loses it after a picture that was not finished, whose document may keep the page busy", async () => {
    const { worker } = startWorker({ blank, render: () => Promise.reject(new Error("aborted")), pid: process.pid });
    await expect(worker.render(JOB, OPTIONS)).rejects.toThrow("aborted");
    expect(await worker.clean()).toBe(false);
  });

  test("loses it after a finished picture where nobody can tell whether the browser hangs, as for a remote one", async () => {
    const { worker } = startWorker({ blank });
    await worker.render(JOB, OPTIONS);
    expect(await worker.clean()).toBe(false);
  });

  test("loses it as soon as the browser hangs", async () => {
    const { pid } = spawn("sleep", ["600"], { stdio: "ignore" });
    onTestFinished(() => void process.kill(pid as number));
    let isLate: boolean | undefined;
    const waitForClose = async (signal: AbortSignal, closed: Promise<void>) => {
      await Promise.race([closed, new Promise((resolve) => signal.addEventListener("abort", resolve))]);
      isLate = signal.aborted;
      throw new Error("closed");
    };
    const { worker } = startWorker({ blank: waitForClose, pid, isAwaited: true });
    await worker.render(JOB, OPTIONS);
    expect([await worker.clean(), isLate]).toEqual([false, false]);
  });
});

test("a worker whose document failed, but whose browser did not, is used again", async () => {
  const fault = new AppError("render_failed", "The document could not be measured.");
  const { worker } = startWorker({ render: () => Promise.reject(fault) });
  await expect(worker.render(JOB, OPTIONS)).rejects.toBe(fault);
  expect([await worker.clean(), worker.isUsable]).toEqual([true, true]);
});
