import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { HangWatch } from "#lib/render/chromium/hang-watch.ts";
import { processTree } from "#lib/render/chromium/process-tree.ts";
import { HANG_SAMPLE_MS, HUNG_SAMPLES } from "#lib/render/render-limits.ts";
import { eventually } from "../rig.ts";

/** Far more samples than a hang takes. */
const LONG_MS = 3 * HUNG_SAMPLES * HANG_SAMPLE_MS;

/** Watches a program that ends with the test. `answers` counts what it is said to have answered, and `isAwaited` tells whether it was asked. */
async function watch(script: string, answers: () => number = () => 0, isAwaited = () => true) {
  const child = spawn("sh", ["-c", script], { stdio: "ignore", detached: true });
  await once(child, "spawn");
  const pid = child.pid as number;
  const seen = { hangs: 0 };
  const hang = new HangWatch(pid, { answers, isAwaited });
  hang.begin(() => seen.hangs++);
  onTestFinished(() => {
    hang.end();
    // The script may have started others, which are in its process group.
    process.kill(-pid, "SIGKILL");
  });
  return { seen, pid, hang };
}

test("a program that answers nothing and does nothing hangs, until the watch ends", async () => {
  const { seen, hang } = await watch("exec sleep 600");
  await eventually(() => seen.hangs > 0);
  hang.end();
  const before = seen.hangs;
  await setTimeout(2 * HANG_SAMPLE_MS);
  expect(seen.hangs).toBe(before);
});

test("a program that uses the processor does not hang before it is stopped", async () => {
  const { seen, pid } = await watch("while :; do :; done");
  await setTimeout(LONG_MS);
  expect(seen.hangs).toBe(0);
  process.kill(pid, "SIGSTOP");
  await eventually(() => seen.hangs > 0);
});

test("a program that answers does not hang, whatever else it does", async () => {
  let answered = 0;
  const { seen } = await watch("exec sleep 600", () => ++answered);
  await setTimeout(LONG_MS);
  expect(seen.hangs).toBe(0);
});

test("a program that was asked nothing does not hang before it is asked", async () => {
  let isAsked = false;
  const { seen } = await watch(
    "exec sleep 600",
    () => 0,
    () => isAsked,
  );
  await setTimeout(LONG_MS);
  expect(seen.hangs).toBe(0);
  isAsked = true;
  await eventually(() => seen.hangs > 0);
});

test("a program of which one process is stopped hangs, whatever the others do", async () => {
  const { seen, pid } = await watch("while :; do :; done & exec sleep 600");
  await eventually(() => processTree(pid).length > 1);
  process.kill(pid, "SIGSTOP");
  await eventually(() => seen.hangs > 0);
});

test("a program that has answered before hangs once it answers nothing more", async () => {
  const { seen } = await watch("exec sleep 600", () => 3);
  await eventually(() => seen.hangs > 0);
});
