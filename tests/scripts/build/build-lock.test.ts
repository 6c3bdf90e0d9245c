import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ownerTag } from "#lib/processes.ts";
import { LockWatch } from "#scripts/build/build-lock.ts";
import { SOON_MS } from "#tests/pace.ts";

const PROCESS_FILE = fileURLToPath(import.meta.resolve("./locked-process.ts"));

let dir: string;
let lock: string;
const children: ChildProcess[] = [];

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "platen-lock-"));
  mkdirSync(join(dir, ".platen"));
  lock = join(dir, ".platen", "build.lock");
});

afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
  rmSync(dir, { recursive: true, force: true });
});

/** Starts a process that holds the lock for some milliseconds. */
function start(holdMs: number): { child: ChildProcess; output: () => string; ended: Promise<unknown> } {
  const child = spawn(process.execPath, [PROCESS_FILE, String(holdMs)], {
    cwd: dir,
    stdio: ["ignore", "pipe", "inherit"],
  });
  children.push(child);
  let output = "";
  child.stdout.on("data", (chunk) => {
    output += chunk;
  });
  return { child, output: () => output, ended: once(child, "close") };
}

function leave(content: string, ageMs: number): void {
  writeFileSync(lock, content);
  const then = new Date(Date.now() - ageMs);
  utimesSync(lock, then, then);
}

const namespace = () => ownerTag().split("-")[0];

it("processes act one after the other, and the second reports which process it waits for", async () => {
  const first = start(3_000);
  await expect.poll(first.output).toContain("begin");
  const second = start(0);
  await expect.poll(second.output).toBe(`waiting for ${first.child.pid}\n`);
  expect(first.output()).not.toContain("end");
  await Promise.all([first.ended, second.ended]);
  expect(second.output()).toContain("begin");
  expect(existsSync(lock)).toBe(false);
});

it("only one of many waiting processes takes the lock of a dead one", async () => {
  leave(`${namespace()}-${process.pid}-1`, 0);
  const all = Array.from({ length: 5 }, () => start(150));
  let most = 0;
  const count = () => all.filter(({ output }) => output().includes("begin") && !output().includes("end")).length;
  const timer = setInterval(() => {
    most = Math.max(most, count());
  }, 5);
  await Promise.all(all.map(({ ended }) => ended));
  clearInterval(timer);
  expect(most).toBe(1);
  for (const { output } of all) expect(output()).toContain("end");
});

describe("an abandoned lock is taken soon", () => {
  it.each<[string, () => string]>([
    ["of a process whose number another process has now", () => `${namespace()}-${process.pid}-1`],
    ["that was written only in part", () => ""],
    ["with unreadable content", () => String(process.pid)],
  ])("%s", async (_name, content) => {
    leave(content(), 0);
    const startedAt = performance.now();
    const { ended, output } = start(0);
    await ended;
    expect(output()).toBe("begin\nend\n");
    expect(performance.now() - startedAt).toBeLessThan(SOON_MS);
  });

  it("of a holder that was killed", async () => {
    const killed = start(60_000);
    await expect.poll(killed.output).toContain("begin");
    killed.child.kill("SIGKILL");
    await killed.ended;
    const next = start(0);
    await next.ended;
    expect(next.output()).toBe("begin\nend\n");
  });
});

describe("a lock of another container, whose clock and this one may be set while it is watched,", () => {
  const DAY_MS = 86_400_000;
  const holder = (touchedMs: number) => ({ tag: "1-7-7", touchedMs });

  it("is abandoned after 30 s without a touch, however old or new its file is", () => {
    for (const touchedMs of [Date.now() - DAY_MS, Date.now(), Date.now() + DAY_MS]) {
      const watch = new LockWatch();
      const abandoned = [0, 30_000, 30_001].map((nowMs) => watch.isAbandoned(holder(touchedMs), nowMs));
      expect(abandoned).toEqual([false, false, true]);
    }
  });

  it("is held while it is touched, also with an earlier time than before", () => {
    const watch = new LockWatch();
    const touches = [DAY_MS, 2 * DAY_MS, 0, 1, 2];
    expect(touches.map((at, index) => watch.isAbandoned(holder(at), index * 29_000))).toEqual(touches.map(() => false));
  });

  it("is another one when another process holds it", () => {
    const watch = new LockWatch();
    watch.isAbandoned(holder(1), 0);
    expect(watch.isAbandoned({ tag: "1-8-8", touchedMs: 1 }, 31_000)).toBe(false);
  });
});

describe("a held lock is waited for", () => {
  it.each<[string, () => string]>([
    ["of a living process, even if it has not touched it for a minute", ownerTag],
    ["of a process in another container that has just touched it", () => "1-7-7"],
    ["that is being written", () => ""],
  ])("%s", async (_name, content) => {
    leave(content(), content() === ownerTag() ? 60_000 : 0);
    const { output } = start(0);
    await sleep(700);
    expect(output()).not.toContain("begin");
    expect(readFileSync(lock, "utf8")).toBe(content());
  });

  it("and is touched by its holder", async () => {
    const holder = start(3_000);
    await expect.poll(holder.output).toContain("begin");
    leave(readFileSync(lock, "utf8"), 60_000);
    await expect.poll(() => Date.now() - statSync(lock).mtimeMs).toBeLessThan(30_000);
  });
});
