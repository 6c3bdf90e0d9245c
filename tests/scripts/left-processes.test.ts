import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { expect, it, onTestFinished } from "vitest";
import { identityOf } from "#lib/processes.ts";
import { childrenOf } from "#lib/render/chromium/process-tree.ts";
import { FILE_VARIABLE, killLeftProcesses } from "#tests/left-processes.ts";

/** A process of a group of its own, as a server of a test is, whose child inherits the variable. */
function start(value: string, command: string): ChildProcess {
  const child = spawn("sh", ["-c", command], {
    env: { ...process.env, [FILE_VARIABLE]: value },
    stdio: "ignore",
    detached: true,
  });
  onTestFinished(() => {
    child.kill("SIGKILL");
  });
  return child;
}

it("kills and names every process that a test left running, its children too", async () => {
  const child = start("left 1", "sleep 601; true");
  const ended = once(child, "exit");
  // A process that begins has no environment for a moment. The child of the shell has to be there, and to be no shell any more.
  await expect.poll(() => childrenOf(child.pid ?? 0)).toHaveLength(1);
  const left = await killLeftProcesses(FILE_VARIABLE, "left 1", { timeoutMs: 500 });
  expect(left).toEqual([`${child.pid} sh -c sleep 601; true`, expect.stringMatching(/^\d+ sleep 601$/)]);
  expect(await ended).toEqual([null, "SIGKILL"]);
  expect(await killLeftProcesses(FILE_VARIABLE, "left 1", { timeoutMs: 5_000 })).toEqual([]);
});

it("waits for a process that ends by itself, and leaves those of other files alone", async () => {
  const ending = start("left 2", "exec sleep 0.3");
  const other = start("left 3", "exec sleep 602");
  const ended = once(ending, "exit");
  expect(await killLeftProcesses(FILE_VARIABLE, "left 2")).toEqual([]);
  expect(await ended).toEqual([0, null]);
  expect(other.exitCode ?? other.signalCode).toBeNull();
});

/** Starts a run that starts a process. @returns the number of that process, once it is there */
async function startRun(command: [string, ...string[]], kind: string): Promise<{ run: ChildProcess; started: number }> {
  const program = [process.execPath, "tests/scripts/programs/run-with-process.ts", kind];
  const [file, ...args] = [...command, ...program] as [string, ...string[]];
  const run = spawn(file, args, {
    env: { ...process.env, npm_lifecycle_event: "test" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => {
    run.kill("SIGKILL");
  });
  const [line] = await once(createInterface({ input: run.stdout }), "line");
  const started = Number(line);
  expect(identityOf(started)).toBeDefined();
  return { run, started };
}

it.each([
  ["group", "SIGTERM"],
  ["group", "SIGKILL"],
  ["run", "SIGINT"],
  ["run", "SIGKILL"],
] as const)("a process of a %s does not outlive what started it and ended by %s", async (kind, signal) => {
  const { run, started } = await startRun(["env"], kind);
  run.kill(signal);
  await expect.poll(() => identityOf(started)).toBeUndefined();
});

it("a run does not outlive npm that started it", async () => {
  const { run, started } = await startRun(["sh", "-c", '"$0" "$@"; true'], "run");
  run.kill("SIGKILL");
  await expect.poll(() => identityOf(started)).toBeUndefined();
});
